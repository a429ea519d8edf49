// Package assignlayouts is the pass tileas-assign-layouts: it gives every distributed tensor a layout and inserts
// convert_layout where an operation needs its operand elsewhere.
//
// # Method
//
// The pass first chooses, without touching the IR (but for the attribute of dots), and then applies what was chosen, without choosing.
//
// Values that an operation has in one layout anyway (its transfer says which: element-wise operations, control flow) form a class (union-find), which has one
// layout, the home of its values. Cheap values, as splats and ranges and what is broadcast from them, belong to no class: they are made again in whatever layout a use wants.
//
// A class gets a first home from what speaks loudest in it: the layout that the IR came with, a matrix instruction (its accumulator), else the access to global memory that
// moves most bytes (coalesced, with the vector width that the attached facts allow), else what follows from a neighbour through a transfer, forwards before backwards, else a
// row-major default. Then costs decide: for each class the layouts that the operations around it speak for are tried in turn, and the one under which these operations cost the
// least all together becomes its home. A change by one class moves the costs of others, so there is a second round; the search is local and bounded, not optimal.
//
// Dots of which one feeds another, or whose result is reduced, are tried in other arrangements of warps; the cost of the whole plan decides.
//
// Last, each operation gets its signature: of those that follow from the home of one of its tensors, and for an access also from the coalesced layout, the one with the least
// cost. Where it differs from a home there is a conversion.
//
// Costs (package layouts) weigh conversions by their class, accesses by the lines of memory that they touch, work by registers, all by the depth of loops. What
// an operation does with layouts it says itself (package transfer); the pass knows none by name but the dot, whose layouts are its instruction's.
package assignlayouts
