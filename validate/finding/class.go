package finding

// Class of mistakes of which a table makes about as many.
type Class string

// The classes.
const (
	ClassMoney     Class = "money"
	ClassCard      Class = "card"
	ClassProcedure Class = "procedure"
	ClassCall      Class = "call"
)

// Classes are all of them.
var Classes = []Class{ClassMoney, ClassCard, ClassProcedure, ClassCall}

// Class of a kind of finding.
func (k *Kind) Class() Class {
	switch k.About {
	case Money, Float:
		return ClassMoney
	case Cards:
		return ClassCard
	case Calls:
		return ClassCall
	}
	return ClassProcedure
}
