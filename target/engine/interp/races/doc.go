// Package races finds accesses of global memory that nothing orders.
//
//	tile block 0: store weak %p; store release %flag
//	tile block 1: load acquire %flag until set; load weak %p    ordered: no race
//	tile block 2: load weak %p                                  a race
//
// Within a tile block only tokens order accesses (Tile IR specification, memory model). The program order does not, nor
// do data, control or addresses. A token is the set of accesses ordered before it, as bits ([State]).
//
// Between tile blocks, what one did before a release happens before what another does after it acquired the value.
// [Blocks] keeps a vector clock for each tile block and the latest accesses of each byte, as FastTrack does (Flanagan
// and Freund, PLDI 2009).
//
// Bytes that were accessed alike share one record, since kernels access tiles. A tile of 128 rows is 128 runs, however
// long its rows are, and [State.Tile] notes all of them together. Gathers, scatters and atomics take [State.Access],
// element by element, which also finds which element of a tile it is that races.
package races
