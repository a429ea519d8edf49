// Package vector does arithmetic of f32 on all lanes of a warp at once, where the processor has instructions for it.
//
//	add := vector.Binary("add", false) // nil: none here
//	add(d, a, b)                       // 32 sums, each rounded to nearest even
//
// The instructions of amd64 are AVX2 and FMA3, which the package asks the processor for. Results have the bits of
// package fp; a test compares them. Package vectorgen writes the assembly. The package shares no code with the vectors
// of the interpreter, as the emulator shares none with what it judges.
package vector

// Kernels compute the lanes of a result, which may be those of an operand.
type (
	Two   = func(d, a, b *[32]uint64)
	Three = func(d, a, b, c *[32]uint64)
)

// A form is an instruction with or without .ftz.
type form struct {
	name string
	ftz  bool
}

// What the processor has instructions for. A file of the architecture fills these.
var (
	binaries map[form]Two
	fmas     map[bool]Three
)

// Binary returns the kernel of add, sub or mul, or nil.
func Binary(name string, ftz bool) Two { return binaries[form{name, ftz}] }

// FMA returns the kernel of fma, or nil.
func FMA(ftz bool) Three { return fmas[ftz] }
