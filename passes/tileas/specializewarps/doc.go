// Package specializewarps is the pass tileas-specialize-warps: it parts a kernel into a role that computes and one that loads, where bulk tensor copies bring what its products read.
//
// # What it makes
//
//	%ring = alloc_shared : S slots    %full, %empty = alloc_shared : S mbarriers    mbarrier_init ...
//	warp_specialize {
//	  role "compute" warps(W) { the program without its copies }
//	  role "load" warps(1)    { its loops with nothing but the copies, and what their coordinates are made of }
//	}
//
// A copy in a loop fills the slots of a ring one after the other. The load role waits at `empty` for the slot to be free, announces the bytes at `full` and starts the copies; the compute role waits at `full`, reads the slot, and
// arrives at `empty`, once for each warp, when it is done with it. So its loop has neither copies nor a barrier of the tile block, and copies run ahead as far as slots go, over the end of a loop too: place and parity go on
// where the loop runs again in another one, as in a persistent kernel, whose next tile is loaded beside the epilogue of this one.
//
// Products that sum in tensor memory a third role of one warp starts, where threads take a sum only when it is done (chains.go, products.go): it waits at `full`, and the products tell `empty` themselves. Sums are slots of a ring
// too, of tensor memory, with an mbarrier each for "the sum is there" and "threads have loaded it".
//
// # When a slot is free
//
// A product that runs beside the threads has read its slot when a wait has seen it done. Where only the next product of its chain takes the sum, that wait is one for the product before, so that one is always under
// way: iteration m then frees the slot of iteration m - 1, by its arrival number m. The first of all frees the last slot of the ring, which nothing has filled, instead of being left out: the fill number n waits for the
// arrival number n - S + 1, so its first round over the ring finds S - 1 slots free. Elsewhere iteration m frees its own slot, and fill n waits for arrival n - S.
// Of products of two CTAs several are under way, and as many slots late (pairs.go).
//
// Where a product's sum is taken by the next iteration alone, and by a first product of its own besides (attention), the product is started there and not here (late.go), or is under way when its iteration ends (carry.go); its
// slots are freed where it is seen done.
//
// What a tile's bulk tensor copies to global memory read is waited for in front of the next tile's, and not behind them (stores.go).
//
// # Where it stands
//
// In front of the scheduler, since it decides what is left to schedule: a loop that has no copies has nothing to run ahead. It comes behind tileas-defer-waits, which says what waits for what, and behind
// tileas-materialize-copies, which says what is copied. Behind the scheduler it would have to take apart what tileas-pipeline-loops has put together.
//
// # What is left as it is
//
// Kernels one of whose products in loops reads what threads copy or store, whose copies have coordinates that follow from what the program computes or stores, or tensor maps that the
// tile block makes of what it has loaded; a remark says which.
package specializewarps
