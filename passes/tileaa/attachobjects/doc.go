// Package attachobjects is the pass tileaa-attach-objects. It names the memory objects that each access may
// touch.
//
//	%q = addptr %arg0, %i ; %r = select %c, %q, %glob
//	load %r {objects = #nv_tileaa.objects<arg 0, global @g>}
//	load (inttoptr %i) {objects = #nv_tileaa.objects<unknown>}
//
// The objects are those of package provenance: what a parameter points to, a variable of the module, what an alloca
// allocates, or unknown. Every alloca gets the number that accesses name it by.
//
// They are attributes because this is the last level at which pointers show them. Below, an access may become a
// TMA copy by a tensor map, or code of one thread. Package alias reads the attributes. The interpreter checks
// each access against them, so a wrong object shows in the first execution.
//
// Two parameters are two objects that may be the same memory. An alloca is memory of its own unless its address
// escapes, which package alias decides.
package attachobjects
