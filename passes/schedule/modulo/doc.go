// Package modulo is iterative modulo scheduling: it places the operations of a loop body on cycles so that a new iteration can start every II
// cycles (the initiation interval) while earlier ones still run.
//
// # The problem
//
// A [Problem] knows nothing of IR or of a machine: operations that keep units busy, and edges that say which operation must wait how many
// cycles for which other one, how many iterations back. If operation i of iteration 0 starts at cycle c(i), then in iteration n it starts at c(i) + n*II,
// and a schedule is one that satisfies
//
//	c(j) + II*distance >= c(i) + latency        for every edge i -> j
//	the uses of a unit on one row, c mod II, are no more than its copies
//
// # The bounds
//
// No II is below ResMII, the cycles of work on the busiest unit, nor below RecMII, the largest latency per distance of a cycle of edges. Both are
// exact here. RecMII is the maximum ratio cycle; it is found by improving a ratio with the positive cycles that it leaves (Lawler, "Combinatorial Optimization", 1976, section 3.13;
// the iteration is Dinkelbach's), so that the cycle that bounds the loop can be shown to whoever asks why it is not faster.
//
// # The search
//
// [Iterative] is Rau's algorithm ("Iterative Modulo Scheduling", HP Labs 1995, figures 2 to 4): operations in the order of their height, each at the first cycle of
// II from its earliest one on that has the units free; where there is none it takes a place by force and evicts those in the way, which are placed again, within a budget.
// Rau takes the earliest free cycle always, so values that are made early and used late live long. [Tighten] then moves operations inside their slack to
// where the registers and buffers are needed for the shortest time, in the spirit of stage scheduling (Eichenberger and Davidson, MICRO 1995), and
// unlike there also between rows.
//
// [Verify] is the judge. It shares no code with the schedulers and no modular arithmetic: it lays out iterations one after the other in a table of
// cycles and looks.
package modulo
