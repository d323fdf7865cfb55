package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"vision/capture/sensor"
	"vision/internal/config"
	"vision/internal/fact"
	"vision/internal/health"
	"vision/internal/pipeline"
	"vision/internal/trust"
	"vision/stream/bus"
)

// intake is where calls and sensor lines arrive, whichever way they came.
func (n *Node) intake() sensor.Intake {
	return sensor.Intake{
		Hear: func(s fact.Sensed) error {
			if _, err := n.inForce().Table(s.Table); err != nil {
				return fmt.Errorf("no table %q", s.Table)
			}
			if err := n.take(s); err != nil {
				return fmt.Errorf("%w: table %s: %w", sensor.ErrLater, s.Table, err)
			}
			return nil
		},
		Refused:   func(source string, err error) { n.fading.Set(health.SensorRefused, "", source, err.Error()) },
		Malformed: func(source string, err error) { n.fading.Set(health.SensorMalformed, "", source, err.Error()) },
		Flooding: func(source string) {
			n.fading.Set(health.SensorFloods, "", source, "more than a hundred lines a second; the rest waits")
		},
		Skewed: func(source string, by time.Duration) {
			n.fading.Set(health.ClockSkew, "", source, fmt.Sprintf("its clock is off by %v", by.Round(time.Millisecond)))
		},
	}
}

// runSensors listens to the sensors of the configuration until ctx ends.
func (n *Node) runSensors(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	if !n.cluster.Alone() {
		g.Go(func() error { return n.consumeRemote(ctx) })
	}
	g.Go(func() error { return n.sensorTasks.Run(ctx) })
	return g.Wait()
}

// sensorTasksOf are what listens to the sensors of a configuration.
func (n *Node) sensorTasksOf(cfg *config.Config) (map[string]func(context.Context) error, error) {
	out := map[string]func(context.Context) error{}
	for _, s := range cfg.Sensors {
		key := fmt.Sprintf("%+v", s)
		if stream, ok := strings.CutPrefix(s.URL, "redis://"); ok {
			out[key] = func(ctx context.Context) error { return n.readStream(ctx, s, stream) }
			continue
		}
		line := &sensor.Line{Name: s.Name, Table: s.Table, Secret: s.Secret, In: n.intake(), State: n.sensorState(s)}
		if strings.HasPrefix(s.URL, "tls:") {
			var err error
			if line.TLS, err = trust.Server(n.cfg.TLS.Cert, n.cfg.TLS.Key); err != nil {
				return nil, fmt.Errorf("sensor %s: %w", s.Name, err)
			}
		}
		out[key] = func(ctx context.Context) error {
			defer n.board.Clear(health.SensorDown, s.Name) // who is not listened to is not missed
			return line.Run(ctx, s.URL)
		}
	}
	return out, nil
}

func (n *Node) sensorState(s config.Sensor) func(bool, error) {
	return func(up bool, err error) {
		if up {
			n.board.Clear(health.SensorDown, s.Name)
		} else if err != nil {
			n.board.Set(health.SensorDown, s.Table, s.Name, err.Error())
		}
	}
}

// sensorGroup is the consumer group in which the nodes share a sensor stream.
const sensorGroup = "vision"

// sensorAgain is how soon a refused message is retried: in time for its round.
const sensorAgain = 2 * time.Second

// readStream passes on the messages of a Redis stream; of one never read before, those
// from now on.
func (n *Node) readStream(ctx context.Context, s config.Sensor, key string) error {
	in := sensor.Stream{Name: s.Name, Table: s.Table, In: n.intake()}
	group := bus.Group{Stream: key, Key: key, Group: sensorGroup, Begin: "$", Claim: sensorAgain}
	return n.bus.Consume(ctx, group, func(ctx context.Context, e bus.Event) error {
		if err := in.Wait(ctx); err != nil {
			return err
		}
		return in.Message(e.Pos, arrival(e.Pos), e.Fields)
	})
}

// take has a call kept by the machine that runs its table. While none does it is refused.
func (n *Node) take(s fact.Sensed) error {
	if t := n.table(s.Table); t != nil {
		return t.Accept(s)
	}
	if n.cluster.Alone() {
		return errNotRun
	}
	if _, runs := n.cluster.Owner(s.Table); !runs {
		return errNotRun
	}
	return n.handOn(s)
}

// errNotRun is why a call is refused while its table is opened, or handed over.
var errNotRun = errors.New("no machine runs it now")

// busSensed carries what was sensed of tables that run on another machine than the sensor
// is connected to.
const busSensed = "sensed"

// handWithin is how long the machine that runs a table may take to keep a call: longer than it
// waits for its own ledger.
const handWithin = 7 * time.Second

// handOn has the machine that runs a table take what was sensed of it here, and waits until it has
// it in its ledger. Nothing is kept on the way: if either is killed, the sender gets no answer
// and retries.
func (n *Node) handOn(s fact.Sensed) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	answer, err := n.bus.Ask(context.Background(), busSensed, raw, handWithin)
	if err == nil && len(answer) > 0 {
		err = errors.New(string(answer))
	}
	return err
}

// consumeRemote takes what other machines have sensed of the tables that run here, until ctx
// ends, and answers with why it is not taken, or with nothing. Each machine is a group of its own
// and passes over what is not for it.
func (n *Node) consumeRemote(ctx context.Context) error {
	group := bus.Group{Stream: busSensed, Group: n.cfg.NodeName(), Begin: "$"}
	read := func(e bus.Event) (t *pipeline.Table, s fact.Sensed) {
		if err := json.Unmarshal(e.Data, &s); err != nil {
			n.fading.Set(health.SensorMalformed, "", e.Node, err.Error())
			return nil, s
		}
		return n.table(s.Table), s
	}
	mine := func(e bus.Event) bool { t, _ := read(e); return t != nil }
	return n.bus.Answer(ctx, group, mine, func(e bus.Event) []byte {
		t, s := read(e)
		if t == nil {
			return []byte(errNotRun.Error())
		}
		if err := t.Accept(s); err != nil {
			return []byte(err.Error())
		}
		return nil
	})
}

// arrival is when Redis got a message: its id begins with the time, in
// milliseconds (Redis' documentation of XADD). Zero for an id of another form.
func arrival(pos string) time.Time {
	ms, _, _ := strings.Cut(pos, "-")
	n, err := strconv.ParseInt(ms, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n)
}
