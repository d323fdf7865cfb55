package stack

// parameters are what is set by hand, and what each trades.
type parameters struct {
	accept     float64 // least probability of an accepted reading: precision against recall
	propose    float64 // least probability of a proposed face: recall against time
	apart      float64 // radii along a face within which two proposals are one
	farthest   float64 // mm by which it is corrected at once
	real       float64 // least probability that a face is there, for a reading: recall against spurious ones
	dropped    float64 // probability below which it is given up before: time against recall
	clash      float64 // diameters within which two stacks cannot stand
	pure       float64 // share of stacks of one kind
	turn       float64 // probability that a chip lies on one of another kind, in the other stacks
	foreign    float64 // odds of chips of other houses, by those in training: recall against such chips
	interval   float64 // share of the belief that an interval holds
	negligible float64 // probability of a number that is not looked at
	other      float64 // least probability of another content that is reported
	hidden     float64 // share of a side that nearer things hide from which it counts as hidden
	margin     float64 // mm round a zone in which stacks that may hide what is in it are found
	thick      float64 // by what chips standing on one another are thicker than one
	above      float64 // sine of a camera's elevation from which chips count as seen from above; of photographs
	alone      float64 // by what a chip seen from above is likelier alone than in training, as odds
}

var par = parameters{
	accept: 0.9, propose: 0.25, apart: 0.5, farthest: 4, real: 0.5, dropped: 0.02, clash: 0.75,
	pure: 0.6, turn: 0.3, foreign: 0.1, interval: 0.98, negligible: 1e-4, other: 0.005, hidden: 0.4, margin: 50,
	thick: 1.004,
	above: 0.7, alone: 40,
}
