package bytecode_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// numbered is how items name entries of tables.
var numbered = regexp.MustCompile(`^(string|type|constant|debug attribute) \d+: `)

// entries returns what the tables of a file hold, in the order of the file, by kind; of a constant it is the bytes.
func entries(t *testing.T, data []byte) (tables map[string][]string, sections []string) {
	t.Helper()
	f, err := bytecode.Open(ir.NewContext(cudatile.D), data)
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

// TestProducersOrder compares the tables of every file with those of the same file written again. The bytes are never the same: the producer of the corpus numbers
// by rules of its own. All that this changes is the order of sections and of table entries; entries that nothing refers to are dropped, a constant that
// two types share is stored for each, and one of equal elements is stored as one element.
func TestProducersOrder(t *testing.T) {
	t.Parallel()
	counts := make(map[string]int)
	for _, path := range corpusFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		layout, err := bytecode.ReadLayout(ir.NewContext(cudatile.D), data)
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
