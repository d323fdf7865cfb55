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
	{Code: PayoutOrderWrong, About: Procedure},
	{Code: PaidBeforeCollect, About: Procedure},
	{Code: IrregularityIgnored, About: Procedure},
	{Code: OtherProcedure, About: Procedure},
	{Code: NotObservable, About: Procedure},
}
