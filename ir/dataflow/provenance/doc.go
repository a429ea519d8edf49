// Package provenance tells which memory objects an address may point into, from the operations that made it.
//
// # Model
//
// A memory object is a variable of the module, what one allocation makes, or what one parameter of a kernel points to.
// The fact of a value is the set of objects whose address it may hold or be computed from. Elsewhere in the set stands
// for memory of which nothing is known. It is the "based on" relation of LLVM's language reference (section "Pointer
// Aliasing Rules"). Moving a pointer by an offset does not make it one into another object, whatever the offset was
// computed from. A program that gets from one object to another by arithmetic has no meaning.
//
// Integers hold addresses too (ptr_to_int). A sum of one address and a number is based on that address. Other
// arithmetic on addresses, and operations without the capability Infer, may yield any address that has escaped. So the
// objects of their operands escape there. An address that was loaded, or made of an integer that is based on nothing,
// points elsewhere.
//
// # Which objects may overlap
//
// Two parameters may point to the same memory, to a variable of the module, and elsewhere: the host chooses. Distinct
// variables never overlap, and distinct allocations never overlap each other nor what existed before the kernel ran.
// An allocation and elsewhere overlap only if its address escaped. Executions of one allocation in a loop are one
// object.
//
// # Source
//
// Tile IR specification, section "Memory Model": no parameter is promised to be alone. LLVM language reference. For
// integers the provenance rules of PNVI-ae (WG14 N2577), without its guesses: what is not followed is Elsewhere.
package provenance
