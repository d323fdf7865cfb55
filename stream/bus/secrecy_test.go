package bus

import (
	"strings"
	"testing"
)

// An address that cannot be used is refused without a word of its password.
func TestRefusedAddressesShowNoPassword(t *testing.T) {
	for _, raw := range []string{"redis://:qz:w#qz@127.0.0.1:6379/0", "redis://:qz%zz@h:1", "redis://:12/qz@h/0",
		"redis://:qz@h/qz", "redis://:qz@h:1/0?addr=a&read_timeout=x", "redis://:qz@h:1?db=qz&master_name=m", "http://:qz@h:1", ""} {
		b := &Bus{opts: Options{URL: raw}}
		if _, err := b.connect(); err == nil || strings.Contains(strings.ReplaceAll(err.Error(), `"qz"`, ""), "qz") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
