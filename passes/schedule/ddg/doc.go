// Package ddg builds the data dependence graph of a loop at nv_tileas: what a modulo scheduler needs to know, and nothing of how it decides.
//
// # Nodes
//
// The nodes are the operations of the body, each with the time that it takes (package cost) and a role:
//
//	Ahead    starts an asynchronous copy, or loads to registers, and depends on nothing that the loop computes: it can run for a later iteration
//	Floating is pure, harmless at any time and cheap: addresses, counters, views of buffers
//	Glue     stands for the mechanism of waiting (commit_group, wait_group, fences behind those, waits of products for slots alone), which an expansion makes anew
//	Compute  is all else: what the loop is for
//
// # Edges
//
// An edge says that an operation must wait for another one, perhaps of an earlier iteration: because it uses the value (through loop-carried values the distance grows), because a token orders the two, because a
// buffer that is read must have been filled, or because both have effects that nothing orders but the text. Global memory needs no edge of its own: Tile IR orders
// accesses by tokens alone, and tokens are values.
//
// Anti-dependences on buffers are not edges. A buffer that is filled by one copy and only read otherwise gets as many slots as the schedule needs; that is a lifetime (modulo.Value),
// limited by the shared memory there is.
//
// # Asynchronous products
//
// A product that runs beside the threads reads its operands until the wait that leaves it finished ([Product]). One that adds to the sum of another waits for that as long as a synchronous one would, so that a chain
// through iterations is a recurrence of the tensor cores' work alone; whoever else takes a sum takes it from a wait. Waits for sums are operations like any other. Of those that only
// wait for slots, one stands for all ([Graph.Drain]): in which turn it is says how long products may stay under way.
//
// # What is refused
//
// [Build] refuses loops with loops inside, with early exits, and with loop-carried values that only change places; it says so in words that a remark can show.
package ddg
