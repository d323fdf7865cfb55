package console

import "vision/stream/account"

// Account is one person who may log in.
type Account = account.Account

// Right is something an account may do.
type Right = account.Right

// The rights by the short names that routes use.
const (
	Nobody      = account.Nobody
	Own         = account.Own
	See         = account.See
	Acknowledge = account.Acknowledge
	Export      = account.Export
	Announce    = account.Announce
	Supervise   = account.Supervise
	Assign      = account.Assign
	Tune        = account.Tune
	Audit       = account.Audit
	Release     = account.Release
	Technical   = account.Technical
	Install     = account.Install
	Administer  = account.Administer
)
