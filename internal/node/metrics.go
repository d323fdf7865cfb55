package node

import (
	"context"
	"errors"
	"net/http"
	"slices"
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

// series gives metrics of a kind their name, help, value, and labels: a name and its value each.
func series(ch chan<- prometheus.Metric, kind prometheus.ValueType) (
	send func(name, help string, v float64, labels ...string)) {
	return func(name, help string, v float64, labels ...string) {
		var names, values []string
		for l := range slices.Chunk(labels, 2) {
			names, values = append(names, l[0]), append(values, l[1])
		}
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc("vision_"+name, help, names, nil), kind, v, values...)
	}
}

// Describe implements prometheus.Collector.
func (m metrics) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, ch) }

// Collect implements prometheus.Collector.
func (m metrics) Collect(ch chan<- prometheus.Metric) {
	gauge, count := series(ch, prometheus.GaugeValue), series(ch, prometheus.CounterValue)
	for _, t := range m.n.registry.all() {
		id := t.Config().ID
		count("reader_restarts_total", "How often the table's reader process was replaced.",
			float64(t.Restarts()), "table", id)
		gauge("rounds_last_hour", "Rounds that ended within the last hour.", float64(t.RoundsPerHour()), "table", id)
		ended, unsure := t.Rounds()
		count("rounds_total", "Rounds that ended since the node's start.", float64(ended), "table", id)
		count("rounds_not_verifiable_total", "Of these, those that could not be verified.",
			float64(unsure), "table", id)
		for _, c := range t.Cameras() {
			at, s := []string{"table", id, "camera", c.Config().Name}, c.Feed().Stats()
			count("camera_units_total", "Access units received from the camera.", float64(s.Units), at...)
			count("camera_bytes_total", "Bytes of video received from the camera.", float64(s.Bytes), at...)
			count("camera_gaps_total", "Losses reported by the camera's source.", float64(s.Gaps), at...)
			gauge("camera_fps", "Pictures per second over the last seconds.", s.FPS, at...)
			gauge("camera_age_seconds", "Age of the newest picture; -1 before the first.",
				age(s.Newest).Seconds(), at...)
			gauge("camera_blind", "1 while the camera shows nothing.", one(c.Feed().Blind()), at...)
			if r := c.Reader(); r != nil {
				count("reader_frames_total", "Frames that the reader has looked at since its start.",
					float64(r.Read), at...)
				count("reader_dropped_frames_total", "Frames overtaken by newer ones since the reader's start.",
					float64(r.Dropped), at...)
				gauge("reader_decode_seconds", "Median time the reader takes to decode a unit.",
					r.Decode.Seconds(), at...)
				gauge("reader_frame_seconds", "Median time the reader takes for a frame.", r.Watch.Seconds(), at...)
			}
		}
	}
	open := map[string]int{"critical": 0, "major": 0, "minor": 0}
	for _, a := range m.n.desk.List(func(a *alert.Alert) bool { return a.Ack == nil }) {
		open[a.Severity]++
	}
	for sev, n := range open {
		gauge("alerts_open", "Alerts that nobody has acknowledged.", float64(n), "severity", sev)
	}
	for code, n := range m.n.desk.Raised() {
		k, _ := alert.Find(code)
		count("alerts_raised_total", "Alerts raised since the node's start; every code of the catalogue is there.",
			float64(n), "code", code, "source", k.Source, "severity", k.Severity)
	}
	for v, n := range m.n.desk.Acknowledged() {
		count("alerts_acknowledged_total", "Alerts acknowledged since the node's start, by what they were found to be.",
			float64(n), "code", v.Code, "outcome", string(v.Outcome))
	}
	for _, p := range m.n.board.Present() {
		gauge("health_problem", "1 for every problem that holds now.",
			1, "code", p.Code, "severity", string(p.Severity), "table", p.Table, "object", p.Object)
	}
	for _, u := range m.n.store.Usage() {
		gauge("recording_bytes", "Bytes of the camera's recordings.",
			float64(u.Bytes), "table", u.Table, "camera", u.Camera.Camera)
	}
	now := m.n.machineHealth(context.Background())
	gauge("disk_free_bytes", "Free on the disk of the recordings.", float64(now.DiskFree))
	gauge("disk_bytes", "The disk of the recordings.", float64(now.DiskTotal))
	gauge("bus_seconds", "What a word with Redis and back takes; -1 without an answer, 0 without a Redis.",
		seconds(now.BusMS))
	gauge("clock_kept", "1 while a time service keeps the machine's clock.", one(now.ClockKept))
	gauge("clock_error_seconds", "How far off the clock may be at most, as that service says.", now.ClockMS/1000)
	if r := now.Replica; r != nil {
		gauge("replica_behind_seconds", "Age of the oldest entry or recording that the replica's store does not have; 0 when it has all.",
			r.BehindS)
		gauge("replica_entry", "Entries of the ledger up to this are safe in the replica's store.", float64(r.Entry))
		gauge("replica_entries", "Entries of the ledger that are not.", float64(r.Entries))
		gauge("replica_recordings", "Recordings that are not.", float64(r.Segments))
		gauge("replica_bytes", "Bytes of these.", float64(r.Bytes))
	}
	m.supervision(gauge)
	gauge("uptime_seconds", "Since the node's start.", time.Since(m.n.begun).Seconds())
}

// supervision counts the findings by code, and the state of every table's recording.
func (m metrics) supervision(gauge func(string, string, float64, ...string)) {
	st := m.n.floor.Status()
	for _, t := range st.Tables {
		gauge("table_recording", "1 for the state that the table's recording is in.",
			1, "table", t.ID, "state", string(t.Recording))
	}
	codes := map[finding.Code]int{}
	for _, x := range st.Findings {
		codes[x.Code]++
	}
	for code, n := range codes {
		gauge("supervision_findings", "What the norm forbids about the supervision of tables now.",
			float64(n), "code", string(code))
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

// Held is what the tables' readers have open, by table and kind, as they reported last.
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
	var clock unix.Timex // reads only
	if _, err := unix.Adjtimex(&clock); err == nil {
		m.ClockKept, m.ClockMS = clock.Status&unix.STA_UNSYNC == 0, float64(clock.Maxerror)/1000
	}
	m.Replica = n.replicaHealth()
	return m
}

// ready returns why the node cannot do its work.
func (n *Node) ready() error {
	for _, p := range n.board.Present() {
		if p.Code == health.LedgerFailed || p.Code == health.RecordingFailed || p.Code == health.DiskFull {
			return errors.New(p.EN + ": " + p.Object + ": " + p.Detail)
		}
	}
	return nil
}
