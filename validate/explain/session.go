package explain

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vision/internal/money"
	"vision/validate/finding"
	"vision/validate/round"
	"vision/validate/session"
)

// happenings are what the findings of a session say: {t} the table, {j} the jefe
// de mesa, {o} another table, {r} a role, {c} a card, {w} what it is about, {e} what
// was due, {a} what was seen, {e€} and {a€} the same as money, {s} how many seconds.
var happenings = map[finding.Code]text{
	finding.LimitChangeNotAllowed: {"El mínimo de la mesa {t} pasó de {e€} a {a€}, y la norma no lo permite",
		"The minimum of table {t} went from {e€} to {a€}, which the norm does not allow"},
	finding.LimitChangeRepeated: {"El mínimo de la mesa {t} ha cambiado {a} veces en la sesión; la norma permite {e}",
		"The minimum of table {t} has changed {a} times in the session; the norm allows {e}"},
	finding.LimitChangeEarly: {"El mínimo de la mesa {t} cambió tras {a} jugadas desde el anuncio, y han de ser {e}",
		"The minimum of table {t} changed {a} rounds after it was announced; there have to be {e}"},
	finding.AnnouncementMissing: {"No se anunció en la mesa {t}: {e}", "It was not announced at table {t}: {e}"},
	finding.AnnouncementWrong:   {"Se anunció mal en la mesa {t} ({w}): {a} en lugar de {e}", "Announced wrong at table {t} ({w}): {a} instead of {e}"},
	finding.LimitRatioWrong: {"El máximo de la mesa {t}, {a€}, no guarda con el mínimo la relación {e}",
		"The maximum of table {t}, {a€}, is not {e} times the minimum"},
	finding.LimitMinWrong:          {"El mínimo de la mesa {t} es {a€}; el autorizado es {e€}", "The minimum of table {t} is {a€}; the authorised one is {e€}"},
	finding.LimitSignWrong:         {"El cartel de la mesa {t} no muestra el mínimo, {e€}", "The sign at table {t} does not show the minimum, {e€}"},
	finding.GameChangeWithoutClose: {"El juego de la mesa {t} se cambió sin cerrarla", "The game of table {t} was changed without closing it"},
	finding.GameChangeRepeated: {"La mesa {t} ha cambiado de juego {a} veces en la jornada; la norma permite {e}",
		"Table {t} has changed its game {a} times in the jornada; the norm allows {e}"},
	finding.FloatMissing:         {"La mesa {t} se abrió con otro juego sin contar un anticipo nuevo", "Table {t} was opened with another game without a new float being counted"},
	finding.ClothNumberRepeated:  {"El paño de la mesa {t} lleva el número del anterior, {a}", "The cloth of table {t} has the number of the one before, {a}"},
	finding.FloatShort:           {"El anticipo de la mesa {t} es de {a€} y han de ser {e€}", "The float of table {t} is {a€}; it has to be {e€}"},
	finding.FloatUnbalanced:      {"El recuento de la mesa {t} da {a€}; según libros son {e€}", "The count of table {t} gives {a€}; by the book it is {e€}"},
	finding.ChangeWrong:          {"En la mesa {t} se anunció un cambio de {e€} y se entregaron {a€}", "At table {t} a change of {e€} was told and {a€} were handed over"},
	finding.DeckWrong:            {"Las barajas de la mesa {t} no son las prescritas ({w}): {a} en lugar de {e}", "The packs of table {t} are not as prescribed ({w}): {a} instead of {e}"},
	finding.CutMissing:           {"No se cortó antes de la talla en la mesa {t}", "There was no cut before the talla at table {t}"},
	finding.CutWrong:             {"El jugador cortó {a} naipes en la mesa {t}, y han de ser al menos {e}", "The player cut {a} cards at table {t}; there have to be at least {e}"},
	finding.CutCardMissing:       {"No se puso la carta de detención en la mesa {t}", "No cut card was put in at table {t}"},
	finding.CutCardWrong:         {"Bajo la carta de detención de la mesa {t} quedan {a} naipes, y han de ser {e}", "Below the cut card of table {t} there are {a} cards; there have to be {e}"},
	finding.ForeignCard:          {"Un naipe que no es de la baraja en la mesa {t}: {c}", "A card that is not of the pack at table {t}: {c}"},
	finding.DuplicateCard:        {"El {c} salió {a} veces en la mesa {t}, y las barajas lo tienen {e}", "The {c} was seen {a} times at table {t}; the packs hold {e}"},
	finding.CardMissing:          {"Falta el {c} en las barajas de la mesa {t}: {a} de {e}", "The {c} is missing from the packs of table {t}: {a} of {e}"},
	finding.CardCountWrong:       {"La talla de la mesa {t} suma {a} naipes y han de ser {e}", "The talla of table {t} comes to {a} cards; there have to be {e}"},
	finding.ControlMissing:       {"Un jugador pidió el control de las cartas en la mesa {t} y no se hizo", "A player asked for the control of the cards at table {t}, and it was not made"},
	finding.DiceWrong:            {"Los dados de la mesa {t} no son los prescritos ({w}): {a}", "The dice of table {t} are not as prescribed ({w}): {a}"},
	finding.LastRoundsWrong:      {"Tras anunciar las últimas jugadas se jugaron {a} en la mesa {t}, y han de ser {e}", "After the last rounds were announced {a} were played at table {t}; there have to be {e}"},
	finding.OtherProcedure:       {"En la mesa {t} lo anunció {a} y corresponde a {e}", "At table {t} {a} announced it; it is for {e} to do"},
	finding.SessionChargedEarly:  {"La sesión se cobró antes de tiempo en la mesa {t} ({w}): {a} de {e}", "The session was charged too early at table {t} ({w}): {a} of {e}"},
	finding.WheelNotCovered:      {"El cilindro de la mesa {t} quedó sin cubrir", "The wheel of table {t} was left uncovered"},
	finding.ShoeNotSecured:       {"El sabot de la mesa {t} no quedó guardado ({a})", "The shoe of table {t} was not put away ({a})"},
	finding.MeterStartLow:        {"El contador de la mesa {t} muestra {a€} y ha de ser al menos {e€}", "The meter of table {t} shows {a€}; it has to be at least {e€}"},
	finding.MeterWrong:           {"El contador de la mesa {t} muestra {a€} y corresponden {e€}", "The meter of table {t} shows {a€}; due are {e€}"},
	finding.NotObservable:        {"No se puede comprobar en la mesa {t}: constan {a} y corresponden {e}", "It cannot be verified at table {t}: {a} were seen, {e} were due"},
	finding.RecordingRequired:    {"La mesa {o} no se grabó durante {s} s: sin grabación de cada mesa {j} no puede supervisarlas juntas", "Table {o} was not recorded for {s} s: without a recording of each table {j} may not supervise them together"},
	finding.NotContiguous:        {"Las mesas de {j} no fueron contiguas durante {s} s", "The tables of {j} did not adjoin each other for {s} s"},
	finding.MixedGamesNotAllowed: {"{j} supervisó juntos durante {s} s juegos que la norma no deja unir", "{j} supervised games together for {s} s that the norm does not let be joined"},
	finding.NotHomogeneous:       {"{j} supervisó juntas durante {s} s variantes distintas de un juego", "{j} supervised different variants of one game together for {s} s"},
	finding.TooManyTables:        {"{j} tuvo {a} mesas durante {s} s y la norma le permite {e}", "{j} had {a} tables for {s} s; the norm allows {e}"},
	finding.NoJefe:               {"La mesa {t} estuvo abierta {s} s sin jefe de mesa", "Table {t} was open for {s} s without a jefe de mesa"},
	finding.StaffMissing:         {"Faltó personal en la mesa {t} durante {s} s: {r} {a}, mínimo {e}", "Staff was missing at table {t} for {s} s: {r} {a}, at least {e}"},
}

// HappeningCodes are the codes of sessions, sorted.
func HappeningCodes() []finding.Code { return slices.Sorted(maps.Keys(happenings)) }

// Happening says what a finding of a table's session found; the article stands beside it.
func Happening(lang, table string, f *session.Finding) string {
	say, ok := happenings[f.Code]
	if !ok {
		return string(f.Code)
	}
	lasted := int64(0)
	if f.From != nil && f.To != nil {
		lasted = *f.To - *f.From
	}
	return strings.NewReplacer("{t}", table, "{j}", f.Jefe, "{o}", f.Table, "{r}", f.Role, "{c}", f.Card, "{w}", f.What,
		"{e€}", sum(f.Expected), "{a€}", sum(f.Observed), "{e}", plainValue(f.Expected), "{a}", plainValue(f.Observed),
		"{s}", fmt.Sprint(lasted)).Replace(say.in(lang))
}

// sum is an amount as money, anything else as it is.
func sum(v any) string {
	if n, ok := v.(int64); ok {
		return money.Cents(n).String()
	}
	return plainValue(v)
}

func plainValue(v any) string {
	if raw, ok := v.(json.RawMessage); ok && string(raw) == string(round.Null) || v == nil {
		return "–"
	}
	return fmt.Sprint(v)
}
