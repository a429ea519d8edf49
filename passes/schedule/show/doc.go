// Package show prints dependence graphs and schedules of loops: as text, as a Graphviz graph, and as a drawing.
//
//	cycle | issue            | tensor    | lsu
//	------+------------------+-----------+------------------
//	    0 | copy_async#3 s0  |           | copy_async#3 s0
//	   66 | dot#20 s3        | dot#20 s3 |
//
// A table shows the steady state: a row is a time, a column a unit of the machine. A cell names the operation that
// occupies the unit and its stage: for how many iterations before the newest one it works.
//
// Everything is derived from the attribute, the dependence graph and the tables of the machine. So a schedule that was
// edited by hand shows what it would do. Rows that are alike are one row: the output grows with the operations of the
// loop, not with the numbers in the attribute.
//
// Loops of specialized warps have no schedule. For them simulation.go simulates how the roles wait for
// each other, which is an estimate.
package show
