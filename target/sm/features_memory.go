package sm

// Loads, stores and atomics.
var (
	LdV8         = define("ld.v8", "256-bit global loads and stores", on(blackwell, Plain, V(8, 8)))
	LdB128       = define("ld.b128", "global load of a 128-bit scalar", on(all, Plain, V(8, 3)))
	LdEvictL1    = define("ld.evict", "L1 eviction priority on a load", on(all, Plain, V(7, 4)))
	LdPrefetchL2 = define("ld.l2.prefetch", "L2 prefetch size on a load", on(all, Plain, V(7, 4)))
	LdEvictL2    = define("ld.l2.evict", "L2 eviction priority on a 256-bit load", on(blackwell, Plain, V(8, 8)))
	CachePolicy  = define("cache_policy", "createpolicy and L2::cache_hint", on(all, Plain, V(7, 4)))
	DiscardL2    = define("discard.l2", "discard of an L2 line", on(all, Plain, V(7, 4)))
	AtomF16      = define("atom.f16", "atomic addition of f16x2", on(all, Plain, onward))
	AtomBF16     = define("atom.bf16", "atomic addition of bf16", on(sinceHopper, Plain, onward))
	AtomF64      = define("atom.f64", "atomic addition of f64", on(all, Plain, onward))
	AtomV4F32    = define("atom.v4.f32", "vector atomic addition of f32", on(sinceHopper, Plain, V(8, 1)))
	AtomB128     = define("atom.b128", "128-bit atomic exchange", on(sinceHopper, Plain, V(8, 3)))
	Multimem     = define("multimem", "multimem.ld_reduce and multimem.red on f32", on(sinceHopper, Plain, V(8, 1)))
	MultimemFP8  = define("multimem.fp8", "multimem.ld_reduce on e4m3", on(tensorMemory, Family, onward), on(family120, Specific, onward))
	MultimemCp   = define("multimem.cp", "bulk copy to a multicast address", on(sinceHopper, Plain, V(9, 1)))
)
