package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// phrases are what the cloths of a game say beside their fields; the key is the game's
// code or what it begins with.
var phrases = map[string][]string{
	"blackjack": {"BLACKJACK PAGA 3 A 2", "EL CROUPIER PIDE CON 16 Y SE PLANTA CON 17", "EL SEGURO PAGA 2 A 1", "SEGURO 2 A 1",
		"SE DOBLA CON 9, 10 Y 11", "BLACKJACK", "21"},
	"punto_banco": {"PUNTO PAGA 1 A 1", "BANCA PAGA 1 A 1 MENOS 5 %", "EMPATE PAGA 8 A 1", "PUNTO PIDE CON 5 O MENOS", "PUNTO Y BANCA", "8 A 1"},
	"baccara":     {"BACCARÁ", "BANCO", "PUNTO SE PLANTA CON 6 Y 7", "8 Y 9 NATURAL", "5 % DE LA BANCA"},
	"dados": {"DOBLE SEIS 30 A 1", "CUALQUIER SIETE 4 A 1", "ONCE 15 A 1", "2 DOBLE · 12 DOBLE", "CRAPS", "7 FUERA", "PAGA 9 A 5", "PAGA 7 A 6",
		"PAGA 3 A 2"},
	"ruleta": {"PLENO 35 A 1", "CABALLO 17 A 1", "TRANSVERSAL 11 A 1", "CUADRO 8 A 1", "SEISENA 5 A 1", "NO VA MÁS", "RULETA"},
	"boule":  {"PLENO 7 A 1", "SUERTES SENCILLAS 1 A 1", "NO VA MÁS", "LA BOULE"},
	"sic_bo": {"PAGA 180 A 1", "PAGA 30 A 1", "PAGA 10 A 1", "PAGA 60 A 1", "PAGA 6 A 1", "TRES DADOS", "TAI SAI"},
	"banca":  {"ASES PAGA 61 A 1", "GRANDE 14 15 16", "PEQUEÑO 5 6 7", "PAGA 1 A 1", "TRES DADOS"},
	"treinta": {"TREINTA Y CUARENTA", "30 · 40", "COLOR", "INVERSO", "SEGURO 1 %", "31 IGUALES",
		"ROJO Y NEGRO 1 A 1"},
	"monte":  {"MONTE", "VIS A VIS", "CAMÓ", "ANTICAMÓ", "SALTO", "PAGA 2 A 1"},
	"casino": {"REVANCHA", "EMPATE 10 A 1", "CARTA MAYOR GANA", "PAGA 2 A 1"},
	"poker": {"ESCALERA REAL 100 A 1", "ESCALERA DE COLOR 50 A 1", "PÓQUER 20 A 1", "FULL 7 A 1", "COLOR 5 A 1", "ESCALERA 4 A 1", "TRÍO 3 A 1",
		"DOBLE PAREJA 2 A 1", "EL CROUPIER JUEGA CON AS REY O MEJOR", "ANTE", "LA APUESTA IGUALA EL ANTE", "PÓQUER"},
	"circulo": {"BOTE", "COMUNES", "LA CASA NO JUEGA", "CIEGA", "HOLD'EM", "OMAHA", "SE JUEGA LO QUE HAY SOBRE EL TAPETE"},
}

// says are the texts that may be printed on the stage's cloth.
func (s *stage) says(house string) []string {
	out := []string{house, house, fmt.Sprintf("MÍNIMO %d €", s.min/100), fmt.Sprintf("MÁXIMO %d €", s.max/100),
		fmt.Sprintf("APUESTA DE %d A %d €", s.min/100, s.max/100)}
	for _, key := range slices.Sorted(maps.Keys(phrases)) {
		poker := key == "poker" && (strings.Contains(s.game, "poker") || strings.Contains(s.game, "holdem"))
		if strings.HasPrefix(s.game, key) || poker || key == "circulo" && strings.HasSuffix(s.game, "_circulo") {
			out = append(out, phrases[key]...)
		}
	}
	return out
}
