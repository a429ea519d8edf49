// Package stripmine is the pass tileaa-strip-mine: operations on tiles that do not fit the registers become loops over parts that do.
//
// # Model
//
// The operations of a block that are connected by tensors form a chain. A chain is cut along one class of dimensions at a time: dimensions are in one class when operations cut them together
// (capability strip.Rows, which every row states for itself; the pass names no operation). What must be executed, stores and reductions along the class, are the sinks of a chain; all
// else is made again, part by part, in the loop of the sink that needs it, loads included. Sinks share a loop, a phase, as long as none needs what is complete only behind it: so the softmax of a row
// takes three loops when the row is cut, and one when there are rows to cut instead. Bodies of loops are blocks again, so that nests, and reshapes of several dimensions, come from the same step.
//
// A loop of the program that carries tensors and only reads memory is an operation of a chain like others: its axes are the classes of its body (loop.go), and a part of it is the whole loop on a part of what it carries.
//
// Integers that are computed from ranges and constants are free: made where they are needed, in any part, and in no class.
//
// # Order of memory
//
// A load may be repeated later only if no access in between must come after it by the order of tokens. Two accesses of one phase change places for different parts; they may when they do not conflict, or
// are of the same elements (alias.SameLocation) and different parts of these are different elements: in a strided memory object, or through pointers that are seen to be distinct. Where that does not hold, the load happens once, in front, into memory of the tile block
// (an alloca) from which the parts are read. Where the two are of different objects, such as two parameters, and their ranges of addresses can be computed in front, there are two versions, and a test that tells
// whether the ranges are apart (version.go). Text order is not memory order: accesses that conflict and that no token orders have no meaning (package tokens).
//
// # Choice
//
// A chain is cut when its live tensors exceed a budget of registers, by classes that need one phase first, outer ones before the one along which elements are neighbours in memory, of which a part keeps whole
// sectors. A chain that would need several phases, and so loads more than once, stays whole as long as the registers of a larger block hold it.
//
// Chains with products of matrices have another budget: factors lie in shared memory, and as many warps as a chain needs are its threads. They are cut along rows, columns or both when no number of warps holds them
// (products.go), and along their depth, which is a sum that goes from part to part, when factors do not fit the shared memory twice (depth.go). A loop of the program that does nothing but to run the parts becomes one with
// them (flatten.go).
package stripmine
