package bytecode_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// numbered is how items name entries of tables.
var numbered = regexp.MustCompile(`^(string|type|constant|debug attribute) \d+: `)

// entries returns what the tables of a file hold, in the order of the file, by kind; of a constant it is the bytes.
func entries(t *testing.T, data []byte) (tables map[string][]string, sections []string) {
	t.Helper()
	f, err := bytecode.Open(ir.NewContext(ops.Dialect), data)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Sections {
		sections = append(sections, s.ID.String())
	}
	items, err := f.Items()
	if err != nil {
		t.Fatal(err)
	}
	tables = make(map[string][]string)
	for _, it := range items {
		m := numbered.FindStringSubmatch(it.Text)
		if m == nil {
			continue
		}
		text := strings.TrimPrefix(it.Text, m[0])
		if m[1] == "constant" {
			_, size := binary.Uvarint(data[it.Start:])
			text = string(data[it.Start+size : it.End])
		}
		tables[m[1]] = append(tables[m[1]], text)
	}
	return tables, sections
}

// TestProducersOrder compares the tables of every file with those of the same file written again. The bytes are never
// the same: the producer of the corpus numbers by rules of its own. All that this changes is the order of sections
// and of table entries; entries that nothing refers to are dropped, a constant that two types share is stored for
// each, and one of equal elements is stored as one element.
func TestProducersOrder(t *testing.T) {
	t.Parallel()
	counts := make(map[string]int)
	for _, path := range corpusFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		layout, err := bytecode.ReadLayout(ir.NewContext(ops.Dialect), data)
		if err != nil {
			t.Fatal(err)
		}
		written := encode(t, read(t, data), layout.Version)
		theirs, theirSections := entries(t, data)
		ours, ourSections := entries(t, written)
		if bytes.Equal(data, written) {
			counts["the same bytes"]++
		}
		if !slices.Equal(theirSections, ourSections) {
			counts["sections: "+strings.Join(theirSections, " ")+" became "+strings.Join(ourSections, " ")]++
		}
		for _, kind := range []string{"string", "type", "constant", "debug attribute"} {
			counts[kind+"s: "+compareTables(theirs[kind], ours[kind])]++
			for _, e := range ours[kind] {
				if !slices.ContainsFunc(theirs[kind], func(old string) bool { return old == e || kind == "constant" && repeats(old, e) }) {
					t.Errorf("%s: %s %q came from nowhere", filepath.Base(path), kind, e)
				}
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%3d files, %s", counts[k], k)
	}
}

// repeats reports whether a constant is the elements of another, again and again.
func repeats(long, short string) bool {
	return len(long)%len(short) == 0 && long == strings.Repeat(short, len(long)/len(short))
}

// compareTables says how a table differs from the producer's.
func compareTables(theirs, ours []string) string {
	if slices.Equal(theirs, ours) {
		return "the same"
	}
	left := slices.Clone(theirs)
	added := 0
	for _, e := range ours {
		if i := slices.Index(left, e); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			added++
		}
	}
	how := "reordered"
	if added > 0 {
		how += ", some stored again or as one element"
	}
	if len(left) > 0 {
		how += ", without unused ones"
	}
	return how
}

// TestPublicOrder writes a small file whose bytes follow from the rules of the public writer: heads of functions,
// globals, bodies, in this order, number what they need when they first need it, parts before wholes; sections come
// in its order, and gaps are filled with cb.
func TestPublicOrder(t *testing.T) {
	t.Parallel()
	lines := []string{
		"7f 54 69 6c 65 49 52 00  0d 03 00 00",
		"06 07  01  01 04 00 04 00 00",                 // global: name 1, type 4, constant 0, alignment 4, public, variable
		"82 18 08  01  00 02 02 00 0e",                 // function: name 0, type 2, kernel without hints, no location, 14 bytes
		"10 01 01  03 01 00 00 01  10 06 02  5c 00 00", // constant, addi, constant, return
		"cb cb cb cb", // the section ends aligned
		"84 2c 08  cb cb cb cb cb  03 cb cb cb cb cb cb cb",
		"00 00 00 00 00 00 00 00  05 00 00 00 00 00 00 00  0a 00 00 00 00 00 00 00",
		"04 00 00 80 3f  04 01 00 00 00  01 01",
		"85 40 04  cb  07 cb cb cb  00 00 00 00  01 00 00 00  04 00 00 00  08 00 00 00  09 00 00 00  14 00 00 00  15 00 00 00",
		"03  0d 00 00  10 01 01 00",                                      // i32, tile<i32>, (tile<i32>) -> ()
		"07  0d 03 01 01 00 00 00 00 00 00 00",                           // f32, tile<1xf32>
		"00  0d 05 01 02 00 00 00 00 00 00 00",                           // i1, tile<2xi1>
		"81 0e 04  cb  02 cb cb cb  00 00 00 00  01 00 00 00  6b 67  00", // k, g; end
	}
	want, err := hex.DecodeString(strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	op := parse(t, `global @g alignment = 4 <f32: 1.0> : tile<1xf32>
entry @k(%a: tile<i32>) {
  %0 = constant <i32: 1> : tile<i32>
  %1 = addi %a, %0 : tile<i32>
  %2 = constant <i1: [true, false]> : tile<2xi1>
  return
}
`)
	if got := encode(t, op, cudatile.V13_3); !bytes.Equal(got, want) {
		t.Errorf("got\n% x\nwant\n% x", got, want)
	}
}

// referenceVar names the folder of the reference's own tests.
const referenceVar = "TILEWRIGHT_CUDA_TILE_TESTS"

// TestPublicWriter compares with files that the public writer wrote, which are among the tests of NVIDIA/cuda-tile.
func TestPublicWriter(t *testing.T) {
	t.Parallel()
	dir := os.Getenv(referenceVar)
	if dir == "" {
		t.Skipf("set %s to the folder 'test' of a checkout of github.com/NVIDIA/cuda-tile to compare with what its writer wrote", referenceVar)
	}
	for _, name := range []string{"negi-op-13.1", "print-op-13.1"} {
		f := rewrite(t, filepath.Join(dir, "Bytecode", "versioning", "Inputs", "13.1", name+".tileirbc"))
		if !bytes.Equal(f.written, f.data) {
			t.Errorf("%s: got\n% x\nwant\n% x", name, f.written, f.data)
		}
	}
}
