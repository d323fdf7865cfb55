package finding

// Supervision: the tables of one jefe de mesa, and the staff.
const (
	RecordingRequired    Code = "recording_required"
	NotContiguous        Code = "not_contiguous"
	MixedGamesNotAllowed Code = "mixed_games_not_allowed"
	NotHomogeneous       Code = "not_homogeneous"
	TooManyTables        Code = "too_many_tables"
	NoJefe               Code = "no_jefe"
	StaffMissing         Code = "staff_missing"
	StaffExcess          Code = "staff_excess"
	MinimumNotOffered    Code = "minimum_not_offered" // no open table of a game at its authorised minimum
)

var supervisionKinds = []Kind{
	{Code: RecordingRequired, Title: Text{"Grabación obligatoria", "Recording required"},
		Room:    InRoom{Severity: Critical, Said: Text{"La mesa {t} no se graba: sin grabación de cada mesa {j} no puede supervisar {these}", "Table {t} is not recorded: without a recording of each table {j} may not supervise {these}"}},
		Session: InSession{Severity: Major, Said: Text{"La mesa {o} no se grabó durante {s} s: sin grabación de cada mesa {j} no puede supervisarlas juntas", "Table {o} was not recorded for {s} s: without a recording of each table {j} may not supervise them together"}}},
	{Code: NotContiguous, Title: Text{"Mesas no contiguas", "Tables are not contiguous"},
		Room:    InRoom{Severity: Critical, Said: Text{"Las mesas de {j}{(these)} no son contiguas, y la norma lo exige", "The tables of {j}{(these)} do not adjoin each other, as the norm demands"}},
		Session: InSession{Severity: Major, Said: Text{"Las mesas de {j} no fueron contiguas durante {s} s", "The tables of {j} did not adjoin each other for {s} s"}}},
	{Code: MixedGamesNotAllowed, Title: Text{"Juegos distintos bajo un mismo jefe de mesa", "Different games under one jefe de mesa"},
		Room:    InRoom{Severity: Critical, Said: Text{"{j} no puede supervisar juntas {these}: la norma no deja unir esos juegos{(games)}", "{j} may not supervise {these} together: the norm does not let these games be joined{(games)}"}},
		Session: InSession{Severity: Major, Said: Text{"{j} supervisó juntos durante {s} s juegos que la norma no deja unir", "{j} supervised games together for {s} s that the norm does not let be joined"}}},
	{Code: NotHomogeneous, Title: Text{"Mesas de clases distintas bajo un mismo jefe de mesa", "Tables of different classes under one jefe de mesa"},
		Room:    InRoom{Severity: Critical, Said: Text{"{j} no puede supervisar juntas {these}: son variantes distintas de un juego", "{j} may not supervise {these} together: they are different variants of one game"}},
		Session: InSession{Severity: Major, Said: Text{"{j} supervisó juntas durante {s} s variantes distintas de un juego", "{j} supervised different variants of one game together for {s} s"}}},
	{Code: TooManyTables, Title: Text{"Demasiadas mesas para un jefe de mesa", "Too many tables for one jefe de mesa"},
		Room:    InRoom{Severity: Critical, Said: Text{"{j} tiene {a} mesas{(these)} y la norma le permite {l}", "{j} has {a} tables{(these)}; the norm allows {l}"}},
		Session: InSession{Severity: Major, Said: Text{"{j} tuvo {a} mesas durante {s} s y la norma le permite {e}", "{j} had {a} tables for {s} s; the norm allows {e}"}}},
	{Code: NoJefe, Title: Text{"Mesa sin jefe de mesa", "Table without a jefe de mesa"},
		Room:    InRoom{Severity: Major, Said: Text{"La mesa {t} está abierta sin jefe de mesa", "Table {t} is open without a jefe de mesa"}},
		Session: InSession{Severity: Major, Said: Text{"La mesa {t} estuvo abierta {s} s sin jefe de mesa", "Table {t} was open for {s} s without a jefe de mesa"}}},
	{Code: StaffMissing, Title: Text{"Falta personal en la mesa", "Staff missing at the table"},
		Room:    InRoom{Severity: Major, Said: Text{"Falta personal en la mesa {t}: {r} {a}, mínimo {l}", "Staff is missing at table {t}: {r} {a}, at least {l}"}, Whole: Text{"Falta personal en la sala: {r} {a}, mínimo {l}", "Staff is missing in the room: {r} {a}, at least {l}"}},
		Session: InSession{Severity: Major, Said: Text{"Faltó personal en la mesa {t} durante {s} s: {r} {a}, mínimo {e}", "Staff was missing at table {t} for {s} s: {r} {a}, at least {e}"}}},
	{Code: StaffExcess, Title: Text{"Exceso de personal", "More staff than the norm admits"},
		Room: InRoom{Severity: Minor, Said: Text{"Sobra personal en la sala: {r} {a}, máximo {l}", "Too many staff in the room: {r} {a}, at most {l}"}}},
	{Code: MinimumNotOffered, Title: Text{"Sin mesa en el mínimo autorizado", "No table at the authorised minimum"},
		Room: InRoom{Severity: Major, Said: Text{"Ninguna mesa abierta de {g} ofrece el mínimo autorizado, {l€}: el más bajo es {a€}", "No open table of {g} offers the authorised minimum, {l€}: the lowest is {a€}"}}},
}
