// Package insertbarriers is the pass tileas-insert-barriers: it inserts a barrier before each access that must see, or must not disturb, what other threads of
// the tile block did since the last barrier.
//
// Shared memory: an access conflicts with an earlier one when their byte ranges meet and one of them writes. Ranges are those that
// tileas-allocate-shared assigned, so the reuse of memory by another buffer is covered.
//
// Global memory: only tokens order accesses of a tile block (Tile IR, memory model). An access whose token comes from another access conflicts with that when one
// of them writes, because the elements may be held by other threads.
//
// The analysis walks the structured control flow forwards with the set of accesses since the last barrier; a loop body is walked until that set
// no longer grows. All control flow is uniform, so a barrier may stand anywhere.
package insertbarriers
