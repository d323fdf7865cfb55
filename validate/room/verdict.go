package room

import "vision/validate/finding"

// VerdictSchema is the version of the verdict that is written.
const VerdictSchema = "supervision-verdict/1"

// Verdict is what the norm says about one record.
type Verdict struct {
	Schema   string    `json:"schema"`
	ID       string    `json:"id"`
	Norm     string    `json:"norm"`
	Findings []Finding `json:"findings"` // assignments, then tables, then the room; never nil
}

// Finding is one breach. Limit and Actual are numbers of tables or persons, or amounts.
type Finding struct {
	Code   finding.Code `json:"code"`
	Jefe   string       `json:"jefe,omitempty"`
	Table  string       `json:"table,omitempty"`
	Role   string       `json:"role,omitempty"`
	Game   string       `json:"game,omitempty"`  // of a minimum that is not offered
	Limit  *int         `json:"limit,omitempty"` // tables, persons, or the authorised minimum in cents
	Actual *int         `json:"actual,omitempty"`
	Rule   string       `json:"rule"` // norm and article, never empty
}
