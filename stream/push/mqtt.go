package push

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"vision/stream/alert"
)

// MQTT is one broker that alerts are published to as CloudEvents, on
// PREFIX/tables/TABLE/alerts, or PREFIX/alerts where an alert is of no table; at least once
// (QoS 1). On PREFIX/status stands "online", and "offline" once the node is gone (retained).
type MQTT struct {
	URL      string // mqtts://host:8883, mqtt://host:1883
	User     string
	Password string
	Prefix   string // of the topics; "" = vision
	Severity string // the least; "" = critical
}

const (
	atLeastOnce = 1
	// brokerWait is how long one attempt waits for the broker.
	brokerWait = 10 * time.Second
)

// publisher is the connection to one broker: it is kept up from open to close.
type publisher struct {
	to     MQTT
	source string
	client mqtt.Client
}

func newPublisher(m MQTT, source string, trust *tls.Config, retry time.Duration) *publisher {
	if m.Prefix == "" {
		m.Prefix = "vision"
	}
	m.Prefix = strings.TrimSuffix(m.Prefix, "/")
	o := mqtt.NewClientOptions().SetClientID("vision-"+strings.NewReplacer("/", "-", ":", "-").Replace(source)).
		SetConnectTimeout(brokerWait).SetConnectRetry(true).SetConnectRetryInterval(retry).
		SetMaxReconnectInterval(30*time.Second).SetCleanSession(true).
		SetWill(m.Prefix+"/status", "offline", atLeastOnce, true).SetProtocolVersion(4)
	if u, err := url.Parse(m.URL); err == nil {
		scheme := map[string]string{"mqtt": "tcp", "mqtts": "ssl"}[u.Scheme]
		o.AddBroker(scheme + "://" + u.Host)
		if scheme == "ssl" {
			o.SetTLSConfig(trust)
		}
	}
	if m.User != "" {
		o.SetUsername(m.User).SetPassword(m.Password)
	}
	p := &publisher{to: m, source: source}
	o.SetOnConnectHandler(func(c mqtt.Client) { c.Publish(p.to.Prefix+"/status", atLeastOnce, true, "online") })
	p.client = mqtt.NewClient(o)
	return p
}

// open begins to connect, and goes on trying.
func (p *publisher) open() { p.client.Connect() }

// send publishes an alert.
func (p *publisher) send(ctx context.Context, a alert.Alert) error {
	body, err := cloudEvent(p.source, a)
	if err != nil {
		return err
	}
	if !p.client.IsConnectionOpen() {
		return errors.New("mqtt: the broker is not connected; it is tried again: check `url`, `user` and `password`")
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
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(brokerWait):
		return fmt.Errorf("no answer within %v", brokerWait)
	}
}

// close says that the node is gone, and parts.
func (p *publisher) close() {
	if p.client.IsConnectionOpen() {
		p.client.Publish(p.to.Prefix+"/status", atLeastOnce, true, "offline").WaitTimeout(time.Second)
	}
	p.client.Disconnect(250)
}
