// Package sm is the table of GPU architectures: what each SM (streaming multiprocessor) is called, how large it is,
// and from which PTX ISA version and target suffix on it understands each family of instructions.
//
// Differences between architectures are rows of data, never ladders over compute capabilities: a pass asks
// [Arch.Has] or [Arch.Requirement] for the [Feature] it wants to use, and the driver asks [Arch.Target] for the
// weakest `.target` and the lowest `.version` that carry everything a module used.
//
// A target has up to three spellings. The plain one (sm_100) promises forward compatibility; the family one (sm_100f)
// adds instructions that the architectures of one family share; the specific one (sm_100a) adds those of this
// architecture alone. Each spelling includes the weaker ones.
//
// Names, versions and features follow the PTX ISA manual (target and instruction-set sections), limits the compute
// capability tables of the CUDA programming guide. Both are held to the assembler: the tests assemble a snippet of every
// feature for every spelling and version at which the answer changes, and probe the limits that ptxas enforces.
package sm
