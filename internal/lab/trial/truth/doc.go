// Package truth holds the simulator's truth against the rules engine. Each plays and
// judges the 33 games by code of its own, written from the norms' texts: what the
// script says of a round, and what the rules say of its record, must be the same. The
// simulator itself knows nothing of the rules, so that the comparison stands here.
// VISION_TRUTH=long compares twenty times as many rounds (with -timeout 60m).
package truth
