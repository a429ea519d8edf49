package reference

import (
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu"
)

// emulatorPage lists the instructions of the emulator, as package emu does.
func emulatorPage() string {
	page := newDoc("The PTX emulator")
	page.WriteString("`tile-run` and the tests execute PTX with package `target/engine/emu`. Its [model](../../target/engine/emu/doc.go) describes what it checks and what it leaves out. " +
		"Below are the instructions of the PTX ISA with their main qualifiers, under the titles of its chapters. A test executes each of them, or expects the error that is given here. " +
		"It also gives all of them to the assembler.\n\n")
	page.WriteString("In the examples, `%p`, `%h`, `%r`, `%f`, `%d`, `%g` and `%q` are registers of type pred, b16, b32, f32, b64, f64 and b128. `%r0..%r3` is short for `%r0, %r1, %r2, %r3`. " +
		"`%out` is the address of global memory, `%smem` of shared memory, `%bar` of an mbarrier in it, and `%tmem` of tensor memory. `%map`, `%rows`, `%im2col` and `%im2colw` are addresses of tensor maps. " +
		"The emulator does not ask for the architecture of a module: the targets are the first that have the form in hardware.\n\n")
	for _, s := range emu.Instructions() {
		page.heading(2, s.Title)
		var rejected []string
		for i := 0; i < len(s.Forms); {
			target := s.Forms[i].Target
			var lines []string
			for ; i < len(s.Forms) && s.Forms[i].Target == target; i++ {
				f := s.Forms[i]
				if f.Missing != "" {
					rejected = append(rejected, "`"+f.PTX+"`: "+escape(f.Missing))
				} else {
					lines = append(lines, f.PTX)
				}
			}
			if lines != nil {
				page.printf("From `%s`:\n\n", target)
				page.code("ptx", strings.Join(lines, "\n"))
			}
		}
		page.list("Rejected", rejected)
	}
	return strings.TrimRight(page.String(), "\n") + "\n"
}
