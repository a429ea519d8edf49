package sass_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/sass"
)

func text(t testing.TB) string {
	data, err := os.ReadFile("testdata/k.sass")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRead: lines of the PTX, names, stall counts, and what the assembler brought along.
func TestRead(t *testing.T) {
	list, err := sass.Read(text(t), "k")
	if err != nil {
		t.Fatal(err)
	}
	rare := 0
	for i := range list {
		in := &list[i]
		if in.Line == 0 || in.Op == "" || in.Stall == 0 {
			t.Errorf("no line, name or stall count: %+v", *in)
		}
		if in.Apart {
			rare++
		}
		if in.Address != uint64(16*i) {
			t.Errorf("address %#x of instruction %d", in.Address, i)
		}
	}
	if rare != 1 {
		t.Errorf("%d instructions are those of the rare path, and there is one", rare)
	}
	i := slices.IndexFunc(list, func(in sass.Instruction) bool { return in.Name() == "FMUL" })
	if i < 0 || list[i].Line != 12 {
		t.Errorf("no FMUL for line 12: %+v", list)
	}
	if _, err := sass.Read(text(t), "other"); err == nil || err.Error() != "no machine code of entry other" {
		t.Errorf("an entry that is not there: %v", err)
	}
}

// TestTrim: what fills the section after the code is not part of it.
func TestTrim(t *testing.T) {
	before, after, _ := strings.Cut(text(t), "$__internal_0")
	_, fill, _ := strings.Cut(after, ".L_x_0:")
	list, err := sass.Read(before+fill, "k")
	if err != nil {
		t.Fatal(err)
	}
	if last := list[len(list)-1]; last.Op != "EXIT" {
		t.Errorf("the last instruction is %+v", last)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(text(f))
	f.Fuzz(func(t *testing.T, s string) {
		if list, err := sass.Read(s, "k"); (err == nil) == (len(list) == 0) {
			t.Errorf("%d instructions: %v", len(list), err)
		}
	})
}
