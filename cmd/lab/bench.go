package main

// BenchCmd measures; docs/performance.md and docs/accuracy.md hold the figures.
type BenchCmd struct {
	Node  BenchNodeCmd  `cmd:"" help:"Processor and memory of a whole node with four simulated tables and viewers."`
	Soak  BenchSoakCmd  `cmd:"" help:"Run a whole node for long and say what grows: memory, open files, threads, goroutines."`
	Peers BenchPeersCmd `cmd:"" help:"Pass video on side by side with MediaMTX: processor, memory, delay, what a kill loses."`
	E2e   BenchE2eCmd   `cmd:"" name:"e2e" help:"Play simulated tables through the whole pipeline, in their own time, and compare with the truth."`
}
