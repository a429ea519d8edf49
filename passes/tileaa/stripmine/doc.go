// Package stripmine is the pass tileaa-strip-mine. It splits operations on tiles that do not fit the registers
// into loops over subtiles that do.
//
//	%a = tiled_load ... : tensor<16x4096xf32>          for %i in 0 to 16:
//	%b = exp %a                                           %a = tiled_load ... : tensor<1x4096xf32>    row %i
//	tiled_store %b                                        %b = exp %a ; tiled_store %b
//
// # Model
//
// The operations of a block that tensors connect form a chain. A chain is split along one class of dimensions at
// a time. Two dimensions are in one class if some operation can only split them together. Each operation states
// that in its row (capability strip.Rows); the pass names no operation.
//
// The sinks of a chain are what must be executed: stores, and reductions along the class. Everything else, loads
// included, is rematerialized for each subtile, in the loop of the sink that needs it. Sinks share a loop, called
// a phase, unless one needs what is complete only after the loop of another. So the softmax of a row takes three
// loops if the row is split, and one loop if rows are dealt out instead. Bodies of loops are blocks again. So
// loop nests, and reshapes of several dimensions, need no code of their own.
//
// A loop of the program that carries tensors and only reads memory is an operation of a chain too. Its axes are
// the classes of its body (loop.go). A subtile of it is the same loop on subtiles of what it carries.
//
// Integer tensors computed from ranges and constants are free: they are rematerialized for any subtile, and
// belong to no class.
//
// # Order of memory
//
// A load may be repeated only if no access between the load and its repetition must come after the load, by
// tokens.
//
// Two accesses of one phase are interleaved: subtile 1 of the first runs after subtile 0 of the second. That is
// correct if they do not conflict. It is also correct if they access the same elements (alias.SameLocation) and
// different subtiles are different elements. The latter holds in a strided memory object, and through pointers
// that are provably distinct (distinct.go).
//
// Otherwise the load runs once, before the loop, and stores its tile to memory of the CTA (an alloca), from which
// subtiles are read. If the two accesses are to different objects, such as two parameters, there may be two
// versions instead. A test before the loop compares their ranges of addresses (version.go).
//
// Text order is not memory order: conflicting accesses that no token orders have no meaning (package tokens).
//
// # Choice
//
// A chain is split if its live tensors exceed a budget of registers. Classes that need only one phase come first,
// then outer dimensions before inner ones. The dimension along which elements are adjacent in memory is split
// last, and a subtile keeps entire sectors of it. A chain that needs several phases loads its inputs several
// times. It is not split while the registers of eight warps hold it: a norm of a row reads the row once.
//
// Chains with MMAs have another budget: their operands are in shared memory, and they get as many warps as they
// need. They are split along rows, columns or both if no number of warps holds them (mma.go). They are split
// along K, with the accumulator passed from part to part, if their operands do not fit shared memory twice
// (splitk.go). A loop of the program that contains nothing but the loop over K becomes one loop with it
// (flatten.go). If no class can be split, single MMAs are, and operands that others take or make are extracted part by
// part (alone.go).
//
// Splitting a loop or tile into parts of bounded size is strip mining (Wolfe, "More Iteration Space Tiling", SC
// 1989).
//
// # Limits
//
// Not split are tiles that are used by an operation without strip.Rows, and tiles that are carried by a loop that
// writes memory or ends early. A remark names the operation that prevents it. docs/lowering/large-tiles.md has
// the list.
package stripmine
