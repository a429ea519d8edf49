package forms

import (
	"slices"
)

// Section is a group of instructions of the PTX ISA, under the title that
// the document gives it.
type Section struct {
	Title string
	Forms []Form
}

// Form is an instruction with its main qualifiers: as PTX that assembles,
// and whether the emulator executes it.
type Form struct {
	// PTX is one or more statements. In them these names stand for:
	//
	//	%p %h %r %f %d %g %q    registers of type pred, b16, b32, f32, b64, f64, b128
	//	%out                    the address of global memory
	//	%smem, %bar             those of shared memory and of an mbarrier in it
	//	%map                    the address of a tensor map
	//	a..b                    the registers from a to b
	PTX string
	// Target is the first architecture that has the form.
	Target string
	// Missing is the error of Parse if the emulator does not have the form,
	// or a part of it.
	Missing string
}

// Instructions lists the instructions of the PTX ISA, those that the
// emulator executes and those that it rejects. A test executes the former,
// sees the latter rejected, and shows all of them to the assembler.
func Instructions() []Section {
	return slices.Concat(arithmetic(), float(), data(), memory(), async(), matrix(), tensor(), control(), graphics())
}

// forms are forms of one architecture that the emulator executes.
func forms(target string, ptx ...string) []Form {
	var out []Form
	for _, s := range ptx {
		out = append(out, Form{PTX: s, Target: target})
	}
	return out
}

// missing are forms that it rejects with the same error.
func missing(target, why string, ptx ...string) []Form {
	out := forms(target, ptx...)
	for i := range out {
		out[i].Missing = why
	}
	return out
}

func section(title string, parts ...[]Form) Section {
	return Section{Title: title, Forms: slices.Concat(parts...)}
}
