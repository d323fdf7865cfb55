package rulebook_test

import (
	"errors"
	"fmt"
	"log"

	"vision/validate"
	"vision/validate/rulebook"
)

func ExampleLoad() {
	books, err := rulebook.Load(validate.Schema(), rulebook.Shipped())
	if err != nil {
		log.Fatal(err)
	}
	norm, game, err := books.Game("andalucia-2010", "punto_banco")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(game.Name.ES, "·", game.Family, "·", norm.Rule(game))
	_, _, err = books.Game("andalucia-2010", "sic_bo")
	fmt.Println(errors.Is(err, rulebook.ErrUnknownNorm), err != nil)
	_, _, err = books.Game("madrid-2030", "boule")
	fmt.Println(errors.Is(err, rulebook.ErrUnknownNorm))
	// Output:
	// Punto y banca · points · andalucia-2010 I.1.7
	// false true
	// true
}
