package interp

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Narrow tiles give the results of whole ones, which a traced tile block has.
func TestNarrow(t *testing.T) {
	t.Parallel()
	for _, shape := range [][2]int{{8, 256}, {2048, 4}, {4, 2048}, {1, 64}, {64, 1}} {
		tile := func(rows, columns int, elem string) string { return fmt.Sprintf("tile<%dx%dx%s>", rows, columns, elem) }
		m, n := shape[0], shape[1]
		of := func(elem string) string { return tile(m, n, elem) }
		prologue := fmt.Sprintf("%%i = iota : tile<%dxi32>\n%%f = itof %%i signed : tile<%dxi32> -> tile<%dxf32>\n%%x = reshape %%f : tile<%dxf32> -> %s\n", m*n, m*n, m*n, m*n, of("f32")) +
			fmt.Sprintf("%%j = iota : tile<%dxi32>\n%%g = itof %%j signed : tile<%dxi32> -> tile<%dxf32>\n%%row = reshape %%g : tile<%dxf32> -> %s\n", m, m, m, m, tile(m, 1, "f32")) +
			fmt.Sprintf("%%b = broadcast %%row : %s -> %s\n%%c = constant <f32: 2.5> : %s\n", tile(m, 1, "f32"), of("f32"), of("f32"))
		f32, i1, i32 := of("f32"), of("i1"), of("i32")
		// Elements of 2^32 and more are unspecified in i32, but not their products with the zeros of the first row.
		unspecified := fmt.Sprintf("%%h = constant <f32: 4294967296.0> : %s\n%%o = constant <f32: 0.0> : %s\n%%n = constant <f32: %d.0> : %s\n%%y = mulf %%x, %%h : %s\n", f32, f32, n, f32, f32) +
			fmt.Sprintf("%%k = ftoi %%y signed : %s -> %s\n%%u = itof %%k signed : %s -> %s\n%%v = mulf %%u, %%b : %s\n%%q = cmpf equal ordered %%b, %%o : %s -> %s\n", f32, i32, i32, f32, f32, f32, i1)
		for name, body := range map[string]string{
			"binary":               "%s = subf %x, %b : " + f32,
			"ternary":              "%s = fma %x, %c, %b : " + f32,
			"chain":                "%n = negf %b : " + f32 + "\n%p = mulf %n, %c : " + f32 + "\n%s = addf %p, %x : " + f32,
			"compared":             "%q = cmpf less_than ordered %b, %x : " + f32 + " -> " + i1 + "\n%s = select %q, %c, %b : " + i1 + ", " + f32,
			"condition":            "%q = cmpf less_than ordered %b, %c : " + f32 + " -> " + i1 + "\n%s = select %q, %x, %b : " + i1 + ", " + f32,
			"all":                  "%s = mulf %b, %c : " + f32, // whose user is none that takes it
			"both":                 "%p = mulf %b, %c : " + f32 + "\n%q = addf %p, %x : " + f32 + "\n%s = reshape %p : " + f32 + " -> " + f32,
			"unspecified factor":   unspecified + "%s = select %q, %v, %c : " + i1 + ", " + f32,
			"unspecified products": unspecified + "%w = fma %u, %b, %v : " + f32 + "\n%p = cmpf less_than ordered %x, %n : " + f32 + " -> " + i1 + "\n%s = select %p, %w, %c : " + i1 + ", " + f32,
		} {
			t.Run(fmt.Sprintf("%s %dx%d", name, m, n), func(t *testing.T) {
				t.Parallel()
				run := func(traced bool) []uint64 {
					text := prologue + body + fmt.Sprintf("\n%%r = reshape %%s : %s -> tile<%dxf32>\n", f32, m*n)
					e := parse(t, storing(text, "f32", m*n))
					if traced {
						e.Trace = func(core.Event) {}
					}
					out := bufferOf(launch.F32, make([]uint64, m*n)...)
					if err := runKernel(t, e, out); err != nil {
						t.Fatalf("traced %t: %v", traced, err)
					}
					return elements(out)
				}
				if got, want := run(false), run(true); !slices.Equal(got, want) {
					t.Errorf("the results differ:\n%s\n%s", hex(got), hex(want))
				}
			})
		}
	}
}
