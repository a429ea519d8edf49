// Package exact finds modulo schedules of the least II by a pseudo-boolean solver. It is the oracle that the heuristic scheduler is measured with, and a scheduler
// of its own for bodies of a few dozen operations.
//
// For one II the question is put as constraints. Edges between different recurrences (strongly connected components of the edges) never matter for whether there is
// a schedule: a component can always start some whole turns of II later, which leaves the units as they are. Inside a component the distance between
// two operations is bounded on both sides by the longest ways between them, so relative to one of its operations each has a short window. The order encoding has a variable
// for each operation and cycle of the window, "starts no later than", so that an edge is one clause of two literals for each cycle; "is on row r" follows
// from those, and the units are cardinality constraints over rows. Whole turns between components are added to the model afterwards.
//
// A first encoding without components had windows as long as the longest way through the body, and the solver did not come back from a third of the random bodies of
// 25 operations: nearly all of its choices were between schedules that are the same but for whole turns.
//
// That the II is the least one rests on the solver; [modulo.Verify] judges schedules, and a brute-force search judges the bound on small bodies in tests.
package exact
