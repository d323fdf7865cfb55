package rack

import "time"

// These are the thresholds of the reader. They are read everywhere in the package and written nowhere.
var (
	perChip       = 8                // bins of a strip in a chip's thickness: time against where its end lies
	angles        = 15               // points across a strip
	widest        = 0.85             // radians to either side of a chip's top that are looked at: beyond it is too steep
	leastPx       = 1.3              // of the picture in a chip's thickness, below which nothing is read
	noise         = 6.0              // grey levels by which what has not changed differs: sensor and coding
	rough         = 18.0             // the same, of the rim beside a tube, on which hands throw shadows
	aside         = 0.25             // px by which a picture may be shifted against another
	alike         = 2.2              // mean square of differences over noise, from which on a bin has rather changed
	shade         = 0.4              // of the logarithm of light on the empty tube, by shadows: its standard deviation
	unforeseen    = 0.002            // share of colours that neither chips nor the empty tube have shown before
	carried       = 8.0              // log likelihood that earlier rests may weigh against an end
	mostOfBin     = 4.0              // log likelihood that one bin adds at most: no bin decides alone
	otherChip     = 1.0              // the cost of a bin in which one chip stands in another's place
	endSigma      = 0.5              // mm by which an end is found wrong
	sizeSigma     = 0.012            // share by which lengths are measured wrong
	temper        = 0.5              // of log likelihoods: bins of one picture err together
	sure          = 4.6              // log likelihood ratio to the next number from which a change is reported: 1 in 100
	ofNumber      = 3.0              // the same within which a number stays possible
	leastTold     = -30.0            // log likelihood ratio down to which a change is reported
	anomalyLength = 0.6              // chips in length of what fits neither, from which on it is something else
	fewest        = 3                // chips of a tube, below which none is reported as moved or of another kind
	mostMoved     = 0.7              // share of bins of chips that stay, which look otherwise at most
	otherKind     = 0.35             // share of a chip that shows colours which none before it has: one of another kind
	rimDiffer     = 0.35             // share of a rim that looks otherwise, from which on something lies over the tube
	learn         = 0.3              // share of a new look in what is learned
	unlike        = 25.0             // grey levels by which chips and the empty tube differ at least, over six measures
	jump          = 8.0              // grey levels by which an angle changes at least where chips end
	atOnce        = 0.7              // share of angles that change there at once
	texture       = 4.0              // grey levels by which chips vary along the axis at least
	still         = 2.0              // chips in length that look as before, below which chips do, too
	other         = 3.0              // times alike, from which on other chips stand below those that stay, or none
	relearn       = 45 * time.Second // for which a tube looks alike and is not read, before it is learned anew
	mostLight     = 1.45             // by which the light may have changed
	mostApart     = 0.15             // share by which a tube may be lit unlike the others: more is something over it
	openEnd       = 0.5              // chips in length at the open end that are always empty
)
