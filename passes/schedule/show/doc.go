// Package show writes dependence graphs and schedules of loops for people: as text, as a Graphviz graph, and as a drawing.
//
// A schedule is shown as a table of its steady state: rows are units of time, columns the units of the machine, and a cell says which operation keeps the unit busy and in which stage it is, that is for
// how many iterations before the newest one it works. Everything comes from the attribute, the dependence graph and the tables of the machine, so that a schedule edited by hand shows what it would do.
//
// What is written grows with the operations of the loop, not with the numbers in the attribute: rows that are alike are one row.
package show
