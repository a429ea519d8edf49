// Package legalizeatomics is the pass tileas-legalize-atomics. It executes an atomic operation once per element,
// and broadcasts the result to all threads that hold the element.
//
//	%old, %t = atomic_rmw "add", %p, %one : i32        %o, %t = atomic_rmw "add", %ps, %v      one owner
//	                                                   %buf = alloc_shared ; local_store %o, %buf {owner}
//	                                                   %old = unsplat (local_load %buf)        every thread
//
// In a layout with copies, several threads hold an element. One of them, the owner, executes the operation, so no
// other thread knows the result. If the result is used, the owner stores it to shared memory and all threads load
// it. A scalar is such a case: every thread holds it.
package legalizeatomics
