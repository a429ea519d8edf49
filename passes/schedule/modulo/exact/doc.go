// Package exact finds modulo schedules of the least II by a pseudo-boolean solver. It is the oracle for the heuristic
// scheduler, and a scheduler of its own for bodies of a few dozen operations.
//
// For one II the problem becomes constraints. Only edges within a strongly connected component decide whether there is
// a schedule: a component can always start some multiple of II later, which leaves the rows unchanged. Within a
// component the longest paths bound the distance of two operations on both sides. So each operation has a short window
// relative to one of them.
//
// The order encoding has a variable for each operation and cycle of its window, "starts no later than". An edge is
// then one clause of two literals per cycle. "Is on row r" follows from those variables, and units are cardinality
// constraints over rows. Multiples of II between components are added to the model afterwards.
//
// A first encoding without components had windows as long as the longest path through the body. The solver did not
// answer for a third of the random bodies of 25 operations. Nearly all of its choices were between schedules that
// differ by multiples of II only.
//
// That the II is the least rests on the solver. [modulo.Verify] checks the schedules, and in tests a brute-force
// search checks the bound on small bodies.
package exact
