package wheels_test

import "testing"

// TestFortuna covers section 4.
func TestFortuna(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "fortuna of Andalucía has no call of the result", setup: "andalucia-2010 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 pos:24 100; nvm; ball 24; pay 1 pos:24 100; clear"},
		{name: "fortuna of Andalucía checks it if made", setup: "andalucia-2010 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 pos:24 100; nvm; ball 24; say croupier combination combination=15; pay 1 pos:24 100; clear", findings: "announcement_wrong 24/15 @4"},
		{name: "fortuna of Andalucía repeats the cycle", setup: "andalucia-2010 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 pos:24 100; nvm; incident on_peg; ball 24; nvm; ball 24; pay 1 pos:24 100; clear", findings: "announcement_missing @8"},
		{name: "fortuna of the Balears announces", setup: "balears-2005 ruleta_fortuna " + tab, events: "say croupier hagan_juego; bet 1 figura:2 100; nvm; ball figura:2; pay 1 figura:2 4500; clear", findings: "announcement_missing @5", result: `{"combination":"figura:2"}`},
	})
}
