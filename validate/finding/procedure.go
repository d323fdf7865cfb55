package finding

// Procedure.
const (
	PayoutOrderWrong    Code = "payout_order_wrong"
	PaidBeforeCollect   Code = "paid_before_collect"
	IrregularityIgnored Code = "irregularity_ignored" // the norm prescribes a consequence and the table did something else
	OtherProcedure      Code = "other_procedure"
	NotObservable       Code = "not_observable" // nobody can know: an unseen card, a gap in the recording
)

var procedureKinds = []Kind{
	{Code: PayoutOrderWrong, Title: Text{"Orden de pago incorrecto", "Wrong order of payment"},
		Round: InRound{Severity: Minor, Running: Running{Raised: true}}},
	{Code: PaidBeforeCollect, Title: Text{"Paga antes de retirar las perdedoras", "Paid before the losing bets were taken"},
		Round: InRound{Severity: Minor, Running: Running{Raised: true, Hands: AtLosers}}},
	{Code: IrregularityIgnored, Title: Text{"Irregularidad no atendida", "Irregularity ignored"},
		Round: InRound{Severity: Major,
			Running: Running{Raised: true, Needs: RoundAnnulled, Hands: AtEarlierCards},
			Pot:     true}},
	{Code: OtherProcedure, Title: Text{"Procedimiento incorrecto", "Wrong procedure"},
		Round:   InRound{Severity: Minor, Running: Running{Raised: true, Needs: CollectedEarly}, Pot: true},
		Session: InSession{Severity: Minor, Said: Text{"En la mesa {t} lo anunció {a} y corresponde a {e}", "At table {t} {a} announced it; it is for {e} to do"}}},
	{Code: NotObservable, Title: Text{"No se puede comprobar", "Cannot be checked"},
		Round:   InRound{Severity: Minor},
		Session: InSession{Severity: Minor, Said: Text{"No se puede comprobar en la mesa {t}: constan {a} y corresponden {e}", "It cannot be verified at table {t}: {a} were seen, {e} were due"}}},
}
