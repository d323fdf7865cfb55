package push

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"vision/internal/config"
)

const (
	atLeastOnce = 1
	// brokerWait is how long one attempt waits for the broker.
	brokerWait = 10 * time.Second
)

// publisher is the connection to one broker: it is kept up from open to close. Alerts are published as
// CloudEvents, on PREFIX/tables/TABLE/alerts, or PREFIX/alerts where one is of no table, at least once
// (QoS 1). PREFIX/nodes/NODE/status is "online", and "offline" once the node is gone (retained).
type publisher struct {
	to     config.MQTT
	source string
	status string        // topic of the node's state
	back   chan struct{} // holds one where the broker is there (again)
	lost   chan struct{} // holds one where the connection was lost since the last attempt
	client mqtt.Client
}

// reconnect is the longest pause between attempts to reach the broker again, in first pauses.
const reconnect = 5

// clientID tells this node from every other at the broker, which parts from the older of two
// with one id (MQTT 3.1.1 §3.1.4). It is the same at every start, so that the broker knows
// that the node is back.
func clientID(cfg Config) string {
	sum := sha256.Sum256([]byte(cfg.Home))
	return "vision-" + cfg.Node + "-" + hex.EncodeToString(sum[:4])
}

func newPublisher(m config.MQTT, cfg Config) *publisher {
	m.Prefix = strings.TrimSuffix(cmp.Or(m.Prefix, "vision"), "/")
	p := &publisher{
		to: m, source: cfg.Source, status: m.Prefix + "/nodes/" + cfg.Node + "/status",
		back: make(chan struct{}, 1), lost: make(chan struct{}, 1),
	}
	o := mqtt.NewClientOptions().SetClientID(clientID(cfg)).
		SetConnectTimeout(brokerWait).SetConnectRetry(true).SetConnectRetryInterval(cfg.Pause).
		SetMaxReconnectInterval(reconnect*cfg.Pause).SetCleanSession(true).SetStore(noStore{}).
		SetWill(p.status, "offline", atLeastOnce, true).SetProtocolVersion(4)
	if u, err := url.Parse(m.URL); err == nil {
		scheme := map[string]string{"mqtt": "tcp", "mqtts": "ssl"}[u.Scheme]
		o.AddBroker(scheme + "://" + u.Host)
		if scheme == "ssl" {
			o.SetTLSConfig(cfg.TLS)
		}
	}
	if m.User != "" {
		o.SetUsername(m.User).SetPassword(m.Password)
	}
	o.SetOnConnectHandler(func(c mqtt.Client) {
		c.Publish(p.status, atLeastOnce, true, "online")
		signal(p.back)
	})
	o.SetConnectionLostHandler(func(mqtt.Client, error) { signal(p.lost) })
	p.client = mqtt.NewClient(o)
	return p
}

// signal leaves one in a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// noStore keeps nothing for the next connection: the pusher sends again what was not
// confirmed. The library's own store would send the status twice at each reconnection, from two
// goroutines that race (eclipse-paho/paho.mqtt.golang#703).
type noStore struct{}

func (noStore) Open()                             {}
func (noStore) Put(string, packets.ControlPacket) {}
func (noStore) Get(string) packets.ControlPacket  { return nil }
func (noStore) All() []string                     { return nil }
func (noStore) Del(string)                        {}
func (noStore) Close()                            {}
func (noStore) Reset()                            {}

// open begins to connect, and goes on trying.
func (p *publisher) open() { p.client.Connect() }

// send publishes an alert.
func (p *publisher) send(ctx context.Context, a told) error {
	body, err := cloudEvent(p.source, a)
	if err != nil {
		return err
	}
	if !p.client.IsConnectionOpen() {
		return errors.New("mqtt: the broker is not connected; it is tried again: check `url`, `user` and `password`")
	}
	select {
	case <-p.lost: // an earlier connection
	default:
	}
	if err := p.wait(ctx, p.client.Publish(p.topic(a.Table), atLeastOnce, false, body)); err != nil {
		return fmt.Errorf("mqtt: %w", err)
	}
	return nil
}

// topic is that of a table's alerts. A table's id has letters, digits, - _ . only.
func (p *publisher) topic(table string) string {
	if table == "" {
		return p.to.Prefix + "/alerts"
	}
	return p.to.Prefix + "/tables/" + table + "/alerts"
}

// wait waits until the broker has answered.
func (p *publisher) wait(ctx context.Context, t mqtt.Token) error {
	select {
	case <-t.Done():
		return t.Error()
	case <-p.lost:
		return errors.New("the connection was lost before the broker answered")
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(brokerWait):
		return fmt.Errorf("no answer within %v", brokerWait)
	}
}

// close says that the node is gone, and parts.
func (p *publisher) close() {
	if p.client.IsConnectionOpen() {
		p.client.Publish(p.status, atLeastOnce, true, "offline").WaitTimeout(time.Second)
	}
	p.client.Disconnect(250)
}
