package wheels_test

import "testing"

// TestBoule covers section 3.
func TestBoule(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "boule five", setup: "nacional-1979 boule " + tab, events: "say jefe hagan_juego; bet 1 falta 100; bet 2 numero:5 100; say croupier hechas_apuestas; nvm; ball 5; say croupier number number=5; collect 1 falta 100; pay 2 numero:5 700; clear",
			lines: "1 falta lose 0 0; 2 numero:5 win 700 100", result: `{"number":"5"}`},
	})
}
