// Package scalar writes and rewrites scalar arithmetic: a builder with one method for each shape of arith operation, and a driver that replaces
// operations by what rules build for them. The passes that expand and legalise arithmetic share it.
//
// # Why a driver of its own
//
// IR is rewritten in two ways: by ir/conversion, which builds one level from another, and by ir/rewrite, whose patterns simplify what is there until nothing changes.
// Legalisation is neither. It stays within a level, so there is nothing to convert values to; and it is one walk, in order, over what must be gone behind it: a rule may fail, with an
// error that names the operation, and may split its block, to put a loop or a branch between the halves. The greedy driver has patterns that cannot fail and see single operations in
// any order, and folds and erases on the way, which would hide from a test what a rule writes. Rewrite is what remains of it: a loop of thirty lines.
package scalar
