package main

// BenchCmd measures; docs/performance.md and docs/accuracy.md hold the figures.
type BenchCmd struct {
	Node BenchNodeCmd `cmd:"" help:"Processor and memory of a whole node with four simulated tables and viewers."`
}
