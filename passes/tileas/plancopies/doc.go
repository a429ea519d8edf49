// Package plancopies is the pass tileas-plan-copies: it decides how each tile that matrix products take travels from global memory, and writes that on the load: nv_tileas.travel = "cp.async" or
// "registers", the latter with the reason (nv_tileas.refused). Nothing else is changed; tileas-materialize-copies carries the plan out, and who disagrees with it edits the text in between.
//
// What a copy needs, package copies knows. The sum of the buffers is bounded as well: they live from the copy to the last read, longer than those of conversions, and a kernel that fitted must
// fit still.
package plancopies
