package finding

// Running is what is asked of a finding before it is raised while its round still runs:
// a line may come late, a card be seen late under hands, dice be called and thrown again.
type Running struct {
	Raised bool // whether it may be; otherwise the finished round raises it
	Awaits Await
	Needs  Need
	Hands  Hands
}

// Await is what may still put a finding right that has come to pass: it stands that long first.
type Await uint8

// What is awaited.
const (
	Acts  Await = iota // what hands do within the table's grace
	Lines              // a line, or what was under hands before: it may come so late
)

// Need is what must have come to pass first. Whether it has, the tracker tells.
type Need uint8

// The needs.
const (
	Nothing          Need = iota
	Decided               // the bets are decided, or this one is
	DecidedOrTooMuch      // the same, or all cards are shown and too much was taken
	Collected             // the bets are decided, and no losing one may still be collected
	BetsClosed            // no chips come any more that would put it right, or make it so
	NoPayment             // the chips laid cannot be a payment
	CardNotToCome         // a card of which was spoken does not come any more
	CardsTooMany          // more cards lie there than are due: of too few some may not be seen yet
	BurntTooMany          // more cards were put aside than are due
	HandRead              // all cards of the two hands that were set
	RaiseLaid             // the raise of which it speaks: what was not laid may still be
	RoundAnnulled         // it is said that the round is null: else it shows in what is done
	CollectedEarly        // the bets are decided, and it was in the order of collecting
)

// Hands are those that must be away, since what lies under them may change it.
type Hands uint8

// The hands.
const (
	Nowhere        Hands = iota
	AtChips              // at the chips of the bet, of the seat's payments, or that a sweep may take
	AtLoser              // at the losing bet, while the round runs; else as AtChips
	AtLosers             // at any losing bet that still lies there
	AtPlace              // where the bet lies
	AtLateChips          // where the bet lies, or the throw may have come first, while it runs
	AtHand               // at the cards of the hand
	AtEarlierCards       // at cards since before the event
	AtCardsOrBank        // at any cards, or at the chips of a bank that is called
)

// Omission is what was not done that had to be.
type Omission uint8

// The omissions.
const (
	OmittedNothing Omission = iota
	OmittedChips            // chips were not moved
	OmittedCard             // no card was drawn
	OmittedCall             // a call was not made
)

// Count is which count of chips a finding hangs on.
type Count uint8

// The counts.
const (
	OfSeat Count = iota // of any chips of the seat
	OfSpot              // the same, of the spot and of the payments above all
	OfBank              // the same, and of the bank, whose amount may be what was called
	OfNone              // of none: that chips came is seen, how many is not
)

// Unwatched is what of a finding is not known where nobody looked for a while.
type Unwatched uint8

// What is not known.
const (
	WhenItCame Unwatched = iota // when its event came, among the others
	LiesThere                   // nothing: it follows from what lies there, whatever came first
	MayBeTaken                  // whether other chips of the seat were taken meanwhile
	SeenBefore                  // the same, but nothing that was taken later
	WhenSaid                    // when anything was said
)
