package finding

// The float of a table, changes, and meters of prizes.
const (
	FloatMissing    Code = "float_missing"
	FloatShort      Code = "float_short"
	FloatUnbalanced Code = "float_unbalanced" // count against book
	RackVariance    Code = "rack_variance"    // what was collected and paid, against the bank's rack
	ChangeWrong     Code = "change_wrong"
	MeterStartLow   Code = "meter_start_low"
	MeterWrong      Code = "meter_wrong"
)

var floatKinds = []Kind{
	{Code: RackVariance, Title: Text{"Descuadre de la bandeja", "Rack does not balance"},
		Round: InRound{Severity: Major, Amounts: true, ToHouse: true,
			Both: Text{"La bandeja varía en {o}; por lo cobrado y pagado debía variar en {e}", "The rack changed by {o}; by what was collected and paid it had to change by {e}"}}},
	{Code: FloatMissing, Title: Text{"Anticipo sin contar", "Float not counted"},
		Session: InSession{Severity: Minor, Said: Text{"La mesa {t} se abrió con otro juego sin contar un anticipo nuevo", "Table {t} was opened with another game without a new float being counted"}}},
	{Code: FloatShort, Title: Text{"Anticipo insuficiente", "Float too small"},
		Session: InSession{Severity: Major, Said: Text{"El anticipo de la mesa {t} es de {a€} y han de ser {e€}", "The float of table {t} is {a€}; it has to be {e€}"}}},
	{Code: FloatUnbalanced, Title: Text{"Descuadre del anticipo", "Float does not balance"},
		Session: InSession{Severity: Major, Said: Text{"El recuento de la mesa {t} da {a€}; según libros son {e€}", "The count of table {t} gives {a€}; by the book it is {e€}"}}},
	{Code: ChangeWrong, Title: Text{"Cambio incorrecto", "Wrong change"},
		Session: InSession{Severity: Major, Said: Text{"En la mesa {t} se anunció un cambio de {e€} y se entregaron {a€}", "At table {t} a change of {e€} was told and {a€} were handed over"}}},
	{Code: MeterStartLow, Title: Text{"Contador por debajo del mínimo", "Meter below its minimum"},
		Session: InSession{Severity: Major, Said: Text{"El contador de la mesa {t} muestra {a€} y ha de ser al menos {e€}", "The meter of table {t} shows {a€}; it has to be at least {e€}"}}},
	{Code: MeterWrong, Title: Text{"Contador incorrecto", "Wrong meter"},
		Session: InSession{Severity: Major, Said: Text{"El contador de la mesa {t} muestra {a€} y corresponden {e€}", "The meter of table {t} shows {a€}; due are {e€}"}}},
}
