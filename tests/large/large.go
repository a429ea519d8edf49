// Package large makes modules of any size for benchmarks.
package large

import (
	"fmt"
	"strings"
)

// Text returns a module of entries with 1,000 operations each: integer and floating-point constants and additions,
// and a few stores through pointers.
func Text(entries int) []byte {
	var sb strings.Builder
	sb.WriteString("cuda_tile.module @large {\n")
	for e := range entries {
		fmt.Fprintf(&sb, "entry @k%d(%%p: tile<ptr<i32>>, %%q: tile<ptr<f32>>) {\n", e)
		sb.WriteString("%i0 = constant <i32: 1> : tile<i32>\n%f0 = constant <f32: 1.0> : tile<f32>\n")
		n := 2
		for k := 1; n < 997; k++ {
			fmt.Fprintf(&sb, "%%c%d = constant <i32: %d> : tile<i32>\n", k, k)
			fmt.Fprintf(&sb, "%%i%d = addi %%i%d, %%c%d : tile<i32>\n", k, k-1, k)
			fmt.Fprintf(&sb, "%%d%d = constant <f32: %d.5> : tile<f32>\n", k, k)
			fmt.Fprintf(&sb, "%%f%d = addf %%f%d, %%d%d : tile<f32>\n", k, k-1, k)
			n += 4
			if k%120 == 0 {
				fmt.Fprintf(&sb, "%%t%d = store_ptr_tko weak %%p, %%i%d : tile<ptr<i32>>, tile<i32> -> token\n", k, k)
				fmt.Fprintf(&sb, "%%u%d = store_ptr_tko weak %%q, %%f%d : tile<ptr<f32>>, tile<f32> -> token\n", k, k)
				n += 2
			}
		}
		sb.WriteString("return\n}\n")
	}
	sb.WriteString("}\n")
	return []byte(sb.String())
}
