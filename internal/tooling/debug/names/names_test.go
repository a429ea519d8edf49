package names

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
)

func load(t *testing.T, name string) (entry ir.Op, table *Table) {
	t.Helper()
	path := filepath.Join("testdata", name+".mlir")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	module, err := tileir.Read(tileir.NewContext(), path, data)
	if err != nil {
		t.Fatal(err)
	}
	module.Walk(func(op ir.Op) ir.WalkResult {
		if interp.IsEntry(op) {
			entry = op
		}
		return ir.Advance
	})
	return entry, Of(entry, func(file string) []byte {
		text, _ := os.ReadFile(filepath.Join("testdata", file))
		return text
	})
}

// TestNames compares the names of the values of programs that cuTile has compiled with what their lines say.
func TestNames(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"names": "a=%blockId_x b=%blockId_y_8 c=%11 c=%5 c=%arg7 c=%cst_0_i32_15 i=%loopIdx t=%2 w=%6 w=%8 w=%for w=%iterArg0 z=%10 z=%4 z=%5 z=%8 z=%arg8",
		"attention": "acc=%15 acc=%cst_0_f32_43 acc=%for acc=%iterArg0 i=%blockId_x j=%loopIdx keys=%tile_56 new=%7 p=%9 queries=%tile scores=%6 shrink=%11 " +
			"top=%cst_f32 top=%for top=%iterArg1 total=%12 total=%cst_0_f32 total=%for total=%iterArg2 values=%tile_62",
	} {
		entry, table := load(t, file)
		name := asm.ValueNames(entry)
		var got []string
		for _, n := range table.In(nil) {
			got = append(got, n.Name+"="+name(n.Value))
		}
		sort.Strings(got)
		if text := strings.Join(slices.Compact(got), " "); text != want {
			t.Errorf("%s: got\n%s\nexpected\n%s", file, text, want)
		}
	}
}
