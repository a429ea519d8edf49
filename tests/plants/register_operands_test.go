package plants

import (
	"slices"
	"strings"
)

// Bugs in operands of wgmma that go through registers: bytes along the columns of B, and f32 rounded to tf32.

var registerPlants = slices.Concat(
	In(Plant{Kernel: "testdata/register_operands.mlir", Launch: "--arg=i32[4096]=77 --arg=i8[36864]=random --arg=i8[36864]=random --arg=i32:9",
		Flags: []string{"--gpu-name=sm_90", "--tensor-maps=none"}, By: Code},
		Plant{Name: "registers written while an MMA reads them", Edit: replaceAfter("scf.for", "dot_wait {pending = 0 : i32}\n", "dot_wait {pending = 1 : i32}\n")},
		Plant{Name: "no wait before what writes registers", Edit: replaceAfter("scf.for", "nv_tileas.dot_wait {pending = 0 : i32}\n", "\n")},
		Plant{Name: "an MMA that is not transposed", Says: "takes operand #1 from registers, but its instruction only operand #0", Edit: replaceAfter("scf.for", ", transposed>", ">")},
		Plant{Name: "rows that are not dealt out", Says: "but #nv_tileas.mma<wgmma", Edit: replaceAfter("scf.for", "interleave = [2, 1], transposed", "transposed")},
	),
	In(Plant{Kernel: "testdata/register_operands_tf32.mlir", Launch: "--arg=f32[4096]=77 --arg=f32[36864]=random --arg=f32[36864]=random --arg=i32:9",
		Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"}, By: Code},
		// Types of values must agree, or the text cannot be read.
		Plant{Name: "a copy that does not round", Says: "must point to the element type 'tf32' of the map", Edit: func(text string) string { return strings.ReplaceAll(text, ", rounded>", ">") }},
		Plant{Name: "rounds what is tf32", Says: "a map rounds to tf32", Edit: func(text string) string {
			return strings.ReplaceAll(text, "xtf32, order = [1, 0], swizzle = 128, rounded>", "xf32, order = [1, 0], swizzle = 128, rounded>")
		}},
	),
)
