package node

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sys/unix"

	"vision/internal/health"
	"vision/stream/alert"
	"vision/stream/console"
	"vision/validate/finding"
)

// metrics collects at the moment of asking, from the same places as the console.
type metrics struct{ n *Node }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("vision_"+name, help, labels, nil)
}

var (
	mUnits        = desc("camera_units_total", "Access units received from the camera.", "table", "camera")
	mBytes        = desc("camera_bytes_total", "Bytes of video received from the camera.", "table", "camera")
	mGaps         = desc("camera_gaps_total", "Losses reported by the camera's source.", "table", "camera")
	mFPS          = desc("camera_fps", "Pictures per second over the last seconds.", "table", "camera")
	mAge          = desc("camera_age_seconds", "Age of the newest picture; -1 before the first.", "table", "camera")
	mBlind        = desc("camera_blind", "1 while the camera shows nothing.", "table", "camera")
	mRead         = desc("reader_frames_total", "Frames that the reader has looked at since its start.", "table", "camera")
	mDropped      = desc("reader_dropped_frames_total", "Frames overtaken by newer ones since the reader's start.", "table", "camera")
	mLook         = desc("reader_frame_seconds", "Median time the reader takes for a frame.", "table", "camera")
	mDecode       = desc("reader_decode_seconds", "Median time the reader takes to decode a unit.", "table", "camera")
	mRestarts     = desc("reader_restarts_total", "How often the table's reader process was replaced.", "table")
	mRounds       = desc("rounds_last_hour", "Rounds that ended within the last hour.", "table")
	mEnded        = desc("rounds_total", "Rounds that ended since the node's start.", "table")
	mUnsure       = desc("rounds_not_verifiable_total", "Of these, those that could not be verified.", "table")
	mOutcomes     = desc("alerts_acknowledged_total", "Alerts acknowledged since the node's start, by what they were found to be.", "code", "outcome")
	mOpen         = desc("alerts_open", "Alerts that nobody has acknowledged.", "severity")
	mRaised       = desc("alerts_raised_total", "Alerts raised since the node's start; every code of the catalogue is there.", "code", "source", "severity")
	mProblems     = desc("health_problem", "1 for every problem that holds now.", "code", "severity", "table", "object")
	mStored       = desc("recording_bytes", "Bytes of the camera's recordings.", "table", "camera")
	mRecorded     = desc("table_recording", "1 for the state that the table's recording is in.", "table", "state")
	mForbids      = desc("supervision_findings", "What the norm forbids about the supervision of tables now.", "code")
	mDisk         = desc("disk_free_bytes", "Free on the disk of the recordings.")
	mDiskAll      = desc("disk_bytes", "The disk of the recordings.")
	mBus          = desc("bus_seconds", "What a word with Redis and back takes; -1 without an answer, 0 without a Redis.")
	mClock        = desc("clock_kept", "1 while a time service keeps the machine's clock.")
	mClockOff     = desc("clock_error_seconds", "How far off the clock may be at most, as that service says.")
	mReplicaAge   = desc("replica_behind_seconds", "Age of the oldest entry or recording that the replica's store does not have; 0 when it has all.")
	mReplicaEntry = desc("replica_entry", "Entries of the ledger up to this are safe in the replica's store.")
	mReplicaWaits = desc("replica_entries", "Entries of the ledger that are not.")
	mReplicaFiles = desc("replica_recordings", "Recordings that are not.")
	mReplicaBytes = desc("replica_bytes", "Bytes of these.")
	mUptime       = desc("uptime_seconds", "Since the node's start.")
)

// Describe implements prometheus.Collector.
func (m metrics) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, ch) }

// Collect implements prometheus.Collector.
func (m metrics) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	count := func(d *prometheus.Desc, v uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	for _, t := range m.n.registry.all() {
		id := t.Config().ID
		count(mRestarts, t.Restarts(), id)
		gauge(mRounds, float64(t.RoundsPerHour()), id)
		ended, unsure := t.Rounds()
		count(mEnded, ended, id)
		count(mUnsure, unsure, id)
		for _, c := range t.Cameras() {
			name, s := c.Config().Name, c.Feed().Stats()
			count(mUnits, s.Units, id, name)
			count(mBytes, s.Bytes, id, name)
			count(mGaps, s.Gaps, id, name)
			gauge(mFPS, s.FPS, id, name)
			gauge(mAge, age(s.Newest).Seconds(), id, name)
			gauge(mBlind, one(c.Feed().Blind()), id, name)
			if r := c.Reader(); r != nil {
				count(mRead, r.Read, id, name)
				count(mDropped, r.Dropped, id, name)
				gauge(mDecode, r.Decode.Seconds(), id, name)
				gauge(mLook, r.Watch.Seconds(), id, name)
			}
		}
	}
	open := map[string]int{"critical": 0, "major": 0, "minor": 0}
	for _, a := range m.n.desk.List(func(a *alert.Alert) bool { return a.Ack == nil }) {
		open[a.Severity]++
	}
	for sev, n := range open {
		gauge(mOpen, float64(n), sev)
	}
	for code, n := range m.n.desk.Raised() {
		k, _ := alert.Find(code)
		count(mRaised, n, code, k.Source, k.Severity)
	}
	for v, n := range m.n.desk.Acknowledged() {
		count(mOutcomes, n, v.Code, string(v.Outcome))
	}
	for _, p := range m.n.board.Present() {
		gauge(mProblems, 1, p.Code, string(p.Severity), p.Table, p.Object)
	}
	for _, u := range m.n.store.Usage() {
		gauge(mStored, float64(u.Bytes), u.Table, u.Camera.Camera)
	}
	now := m.n.machineHealth(context.Background())
	gauge(mDisk, float64(now.DiskFree))
	gauge(mDiskAll, float64(now.DiskTotal))
	gauge(mBus, seconds(now.BusMS))
	gauge(mClock, one(now.ClockKept))
	gauge(mClockOff, now.ClockMS/1000)
	if r := now.Replica; r != nil {
		gauge(mReplicaAge, r.BehindS)
		gauge(mReplicaEntry, float64(r.Entry))
		gauge(mReplicaWaits, float64(r.Entries))
		gauge(mReplicaFiles, float64(r.Segments))
		gauge(mReplicaBytes, float64(r.Bytes))
	}
	m.supervision(gauge)
	gauge(mUptime, time.Since(m.n.begun).Seconds())
}

// supervision tells the findings by code, and the state of every table's recording.
func (m metrics) supervision(gauge func(*prometheus.Desc, float64, ...string)) {
	st := m.n.floor.Status()
	for _, t := range st.Tables {
		gauge(mRecorded, 1, t.ID, string(t.Recording))
	}
	codes := map[finding.Code]int{}
	for _, x := range st.Findings {
		codes[x.Code]++
	}
	for code, n := range codes {
		gauge(mForbids, float64(n), string(code))
	}
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// age of a picture; -1 s when there is none yet.
func age(newest time.Time) time.Duration {
	if newest.IsZero() {
		return -time.Second
	}
	return time.Since(newest)
}

func (n *Node) metrics() http.Handler {
	reg := prometheus.NewRegistry()
	reg.MustRegister(
		metrics{n},
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
}

// Held is what the tables' readers have open, by table and kind, as they said last.
func (n *Node) Held() map[string]float64 {
	out := map[string]float64{}
	for _, t := range n.registry.all() {
		for _, c := range t.Cameras() {
			r := c.Reader()
			if r == nil {
				continue
			}
			who := "reader of " + t.Config().ID
			out[who+": goroutines"] = float64(r.Held.Goroutines)
			out[who+": FFmpeg's pictures"] = float64(r.Held.Frames)
			if r.Held.Mats > 0 {
				out[who+": Mats"] = float64(r.Held.Mats)
			}
		}
	}
	return out
}

// cameraHealth is what the console shows of the cameras.
func (n *Node) cameraHealth() []console.CameraHealth {
	var out []console.CameraHealth
	for _, t := range n.registry.all() {
		for _, c := range t.Cameras() {
			s := c.Feed().Stats()
			h := console.CameraHealth{Table: t.Config().ID, Camera: c.Config().Name, FPS: s.FPS, Mbps: s.Mbps, AgeMS: -1}
			if !s.Newest.IsZero() {
				h.AgeMS = age(s.Newest).Milliseconds()
			}
			if r := c.Reader(); r != nil {
				h.Read, h.Dropped, h.DecodeMS, h.WatchMS = r.Read, r.Dropped, inMS(r.Decode), inMS(r.Watch)
				h.Decoder = r.Decoder
			}
			out = append(out, h)
		}
	}
	return out
}

// seconds of milliseconds; -1 stays.
func seconds(ms float64) float64 {
	if ms < 0 {
		return ms
	}
	return ms / 1000
}

func inMS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// busPatience is how long Redis may take to answer before it counts as silent.
const busPatience = 500 * time.Millisecond

// machineHealth is what the console shows of the machine.
func (n *Node) machineHealth(ctx context.Context) (m console.MachineHealth) {
	var disk unix.Statfs_t
	if unix.Statfs(n.cfg.Data, &disk) == nil {
		m.DiskFree, m.DiskTotal = int64(disk.Bavail)*disk.Bsize, int64(disk.Blocks)*disk.Bsize
	}
	ctx, cancel := context.WithTimeout(ctx, busPatience)
	defer cancel()
	if n.bus != nil {
		begun := time.Now()
		m.BusMS = -1
		if n.bus.Ping(ctx) == nil {
			m.BusMS = inMS(time.Since(begun))
		}
	}
	var clock unix.Timex // asks and changes nothing
	if _, err := unix.Adjtimex(&clock); err == nil {
		m.ClockKept, m.ClockMS = clock.Status&unix.STA_UNSYNC == 0, float64(clock.Maxerror)/1000
	}
	m.Replica = n.replicaHealth()
	return m
}

// ready says why the node cannot do its work.
func (n *Node) ready() error {
	for _, p := range n.board.Present() {
		if p.Code == health.LedgerFailed || p.Code == health.RecordingFailed || p.Code == health.DiskFull {
			return errNotReady{p}
		}
	}
	return nil
}

type errNotReady struct{ p health.Problem }

func (e errNotReady) Error() string { return e.p.EN + ": " + e.p.Object + ": " + e.p.Detail }
