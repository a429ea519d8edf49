// Package attachobjects is the pass tileaa-attach-objects: every access of memory names the memory objects that it may touch, and every alloca has the number that accesses
// name it by.
//
// The objects are those of package provenance: what a parameter points to, a variable of the module, what an alloca makes, or unknown. They are written down here because this
// is the level where pointers still tell: below, an access may become a copy by a descriptor, or code of one thread. Package alias reads them, and the
// interpreter holds each access to them, so an object that is wrong shows in the first execution.
//
//	%q = addptr %arg0, %i ; %r = select %c, %q, %glob
//	load %r {objects = #nv_tileaa.objects<arg 0, global @g>}
//	load (inttoptr %i) {objects = #nv_tileaa.objects<unknown>}
//
// Two parameters are two objects that may be the same memory; an alloca is memory of its own unless its address
// escapes, of which package alias decides.
package attachobjects
