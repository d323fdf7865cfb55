package bus

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"vision/internal/testkit/porttest"

	"github.com/redis/go-redis/v9"
)

// slot is the hash slot of a key (Redis Cluster specification: CRC16, XMODEM, of the key or
// of its hash tag, modulo 16384).
func slot(key string) uint16 {
	if i := strings.IndexByte(key, '{'); i >= 0 {
		if j := strings.IndexByte(key[i+1:], '}'); j > 0 {
			key = key[i+1 : i+1+j]
		}
	}
	var crc uint16
	for _, c := range []byte(key) {
		crc ^= uint16(c) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc % 16384
}

// The keys of each script lie in one slot, whatever the names; those of different tables are
// spread.
func TestKeysOfAScriptLieInOneSlot(t *testing.T) {
	if s := slot("123456789"); s != 0x31C3 { // the specification's own example
		t.Fatalf("the slot of 123456789 is %x", s)
	}
	for _, prefix := range []string{"vision:", "casa-1:"} {
		b := &Bus{opts: Options{Prefix: prefix}}
		slots := map[uint16]bool{}
		for i := range 200 {
			name := fmt.Sprintf("T-%d.x_%d", i, i*i)
			for what, keys := range map[string][]string{
				"lease": b.leaseKeys(name), "presence": b.presenceKeys(name), "stream": b.streamKeys(name),
				"session": b.streamKeys("session:" + name),
			} {
				for _, k := range keys {
					if slot(k) != slot(keys[0]) {
						t.Fatalf("%s: %q and %q lie in slots %d and %d", what, keys[0], k, slot(keys[0]), slot(k))
					}
				}
			}
			slots[slot(b.leaseKeys(name)[0])] = true
		}
		if len(slots) < 190 {
			t.Errorf("200 tables lie in %d slots", len(slots))
		}
	}
}

// With three redis-servers as a Cluster leases, presence, values, events and notes do as with
// one.
func TestACluster(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("SKIPPED: redis-server is not installed (Debian: redis-server), nothing was tested against a real Redis")
	}
	const n = 3
	var addrs []string
	var clients []*redis.Client
	for range n {
		port, bus := porttest.Port(t), porttest.Port(t)
		cmd := exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "",
			"--cluster-enabled", "yes", "--cluster-port", bus)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		addrs = append(addrs, "127.0.0.1:"+port)
		c := redis.NewClient(&redis.Options{Addr: addrs[len(addrs)-1]})
		t.Cleanup(func() { _ = c.Close() })
		until(t, "a server", func() bool { return c.Ping(t.Context()).Err() == nil })
		clients = append(clients, c)
		if len(clients) > 1 {
			if err := c.Do(t.Context(), "CLUSTER", "MEET", "127.0.0.1", clusterPort(addrs[0]), clusterBus(t, clients[0])).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, c := range clients {
		if err := c.ClusterAddSlotsRange(t.Context(), 16384*i/n, 16384*(i+1)/n-1).Err(); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "the Cluster", func() bool {
		for _, c := range clients {
			if s, err := c.ClusterInfo(t.Context()).Result(); err != nil || !strings.Contains(s, "cluster_state:ok") ||
				!strings.Contains(s, "cluster_known_nodes:3") {
				return false
			}
		}
		return true
	})
	url := "redis://" + addrs[0] + "?addr=" + addrs[1]
	a, c := opened(t, Options{Node: "a", URL: url}), opened(t, Options{Node: "c", URL: url})
	running(t, a)
	for i := range 30 {
		table := fmt.Sprintf("BJ%d", i)
		first := acquired(t, a, table, time.Minute)
		if err := a.Write(t.Context(), table, "snapshot:"+table, []byte(table)); err != nil {
			t.Fatal(err)
		}
		a.PublishFor(table, "rounds", []byte(table))
		a.Note(table, "session:"+table, []byte(table), time.Hour)
		if err := a.Announce(t.Context(), "node", table, []byte(table), time.Minute); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			a.Flush(t.Context())
			if err := a.Release(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			acquired(t, c, table, time.Minute)
			if err := c.Write(t.Context(), table, "snapshot:"+table, []byte("new")); err != nil {
				t.Fatal(err)
			}
			if err := a.Write(t.Context(), table, "snapshot:"+table, []byte("stale")); err == nil {
				t.Error("a stale value was taken")
			}
		}
	}
	a.Flush(t.Context())
	if p, err := c.Present(t.Context(), "node"); err != nil || len(p) != 30 {
		t.Errorf("%d are present, %v", len(p), err)
	}
	for _, stream := range []string{"rounds", "session:BJ7"} {
		want := map[string]int{"rounds": 30, "session:BJ7": 1}[stream]
		if got, err := c.Notes(t.Context(), stream); err != nil || len(got) != want {
			t.Errorf("%s has %d, %v", stream, len(got), err)
		}
	}
}

func clusterPort(addr string) string { _, port, _ := net.SplitHostPort(addr); return port }

// clusterBus is the port at which the servers of a Cluster talk to each other.
func clusterBus(t *testing.T, c *redis.Client) string {
	t.Helper()
	v, err := c.ConfigGet(t.Context(), "cluster-port").Result()
	if err != nil {
		t.Fatal(err)
	}
	return v["cluster-port"]
}

func TestAddresses(t *testing.T) {
	for url, want := range map[string]string{
		"redis://h:1":                                   "*redis.Client",
		"redis://h:1?addr=i:2":                          "*redis.ClusterClient",
		"rediss://u:p@h:1?addr=i:2&addr=j:3":            "*redis.ClusterClient",
		"redis://h:26379?master_name=casa&addr=i:26379": "*redis.Client", // of the master that they name
		"redis://h:1?master_name=casa&x=1":              "",
		"redis://h:1?addr=nonsense":                     "",
		"http://h":                                      "",
	} {
		b, err := Open(Options{URL: url})
		if (err != nil) != (want == "") {
			t.Errorf("%s: %v", url, err)
		}
		if err == nil {
			if got := fmt.Sprintf("%T", b.client); got != want {
				t.Errorf("%s: %s, want %s", url, got, want)
			}
			_ = b.Close()
		}
	}
}
