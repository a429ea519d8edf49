// Package modulo implements iterative modulo scheduling: it places the operations of a loop body on cycles, so that an
// iteration can start every II cycles while earlier ones still run.
//
//	load (1 cycle on unit L) -> mul (4 cycles latency) -> add, add -> add of the next iteration (latency 2)
//	II = 2: load at 0, mul at 1, add at 5; its stages are 0, 0, 2
//
// # The problem
//
// A [Problem] knows no IR and no machine. Operations use units, and edges say how many cycles an operation must wait
// for another one, how many iterations earlier. If operation i starts at cycle c(i) in iteration 0, it starts at c(i)
// + n*II in iteration n. A schedule satisfies
//
//	c(j) + II*distance >= c(i) + latency        for every edge i -> j
//	a unit has at most one use on each row, c mod II
//
// # The bounds
//
// II is at least ResMII, the work of the busiest unit, and at least RecMII, the largest latency per distance of a
// cycle of edges. Both are exact here. RecMII is the maximum ratio cycle (Lawler, "Combinatorial Optimization", 1976,
// section 3.13; the iteration is Dinkelbach's). Each step finds a cycle that the current ratio leaves positive. So the
// bounding cycle is known, and a remark can name it.
//
// # The search
//
// [At] is Rau's algorithm ("Iterative Modulo Scheduling", HP Labs 1995, figures 2 to 4). Operations are placed by
// height, each at its first free cycle. If there is none, it is placed anyway and evicts those that conflict; they are
// placed again, within a budget. Backwards, each is placed at its last free cycle ([Problem]).
//
// Rau always takes the earliest cycle, so values that are defined early and used late have long lifetimes. [Tighten]
// then moves operations within their slack to shorten lifetimes, as in stage scheduling (Eichenberger and Davidson,
// MICRO 1995), but also between rows.
//
// # Verification
//
// [Verify] shares no code with the schedulers, and uses no modular arithmetic: it lays out iterations in a table of
// cycles. Package exact finds the least II by a solver.
package modulo
