// Package sm is the table of GPU architectures. It says what each SM (streaming multiprocessor) is called, how large it
// is, and which instructions it understands, from which PTX ISA version and target suffix on.
//
//	arch.Has(sm.WgmmaSync)               // false for sm_80
//	arch.Requirement(sm.Tcgen05Commit)   // the weakest suffix and the lowest version that have it
//	arch.Target(used...)                 // .target and .version of a module
//
// Differences between architectures are rows of data, never comparisons of compute capabilities. A pass asks [Arch.Has]
// or [Arch.Requirement] for the [Feature] it wants to use. The driver asks [Arch.Target] for the weakest `.target` and
// the lowest `.version` that have everything a module used.
//
// A target has up to three spellings. The plain one (sm_100) promises forward compatibility. The family one (sm_100f)
// adds instructions that the architectures of one family share. The specific one (sm_100a) adds those of this
// architecture alone. Each spelling includes the weaker ones.
//
// Names, versions and features follow the PTX ISA manual (target and instruction-set sections). Limits follow the
// compute capability tables of the CUDA programming guide. Tests hold both to the assembler. They assemble a snippet of
// every feature for every spelling and version at which the answer changes, and probe the limits that ptxas enforces.
package sm
