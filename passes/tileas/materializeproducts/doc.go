// Package materializeproducts is the pass tileas-materialize-products: products by an instruction that runs beside the threads become a dot_async, which takes its factors from where the machine takes them, and a dot_wait that
// leaves it finished. Nothing overlaps yet; what may, the scheduler decides.
//
// A factor that a copy has brought is read where it lies. One that threads have in registers stays there if the instruction takes it so (the layout of A is then that of its fragments), and is stored to a buffer of its own
// otherwise. What threads store and copies in groups bring the machine sees behind a fence_async of the threads and a barrier, which tileas-insert-barriers adds.
package materializeproducts
