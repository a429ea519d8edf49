package pipelining

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A counting is how the loop of a kernel counts: the k-th iteration has the counter lower + k*step.
type counting struct {
	name        string
	typ, sign   string
	lower, step int64
	constant    bool // lower and step are constants of the kernel; else they are parameters
}

// Bounds that are parameters keep passes from seeing what they are.
var countings = []counting{
	{"from 0 by 1", "i32", "", 0, 1, true},
	{"from 3 by 2", "i32", "", 3, 2, true},
	{"from -5 by 3, parameters", "i32", "", -5, 3, false},
	{"unsigned, across the sign", "i32", "unsigned ", 1<<31 - 4, 3, false},
	{"to the largest number", "i32", "", 1<<31 - 1 - 60, 1, false},
	{"i64 from 7 by 1", "i64", "", 7, 1, false},
	{"unsigned i64 from 2 by 4", "i64", "unsigned ", 2, 4, true},
}

// upper is a bound with which the loop has so many iterations: every second one such that the last counter plus the
// step is beyond it.
func (c counting) upper(trips int) int64 {
	n := c.lower + c.step*int64(trips)
	if trips > 0 && trips%2 == 1 {
		n -= c.step - 1
	}
	return n
}

// A counted is a kernel with one loop, testdata/counted/NAME.mlir. Its parameters are an output, three inputs, and three
// scalars of the type of the counter: lower, upper, step.
type counted struct {
	name    string
	inputs  [3]string // element types
	out     string    // element type
	results int       // elements of the output
	// overlaps says that iterations compute at once where they may: there is a unit that waits for others.
	overlaps bool
	// phases is how many copies may start apart, each with what reads it done before the next one is read; 0: none.
	phases int
}

var countedKernels = []counted{
	{name: "gemm", inputs: [3]string{"f16", "f16", "f16"}, out: "f32", results: 32 * 32},
	{name: "gemm_through_registers", inputs: [3]string{"f16", "i8", "f16"}, out: "f32", results: 32 * 32},
	{name: "gemm_converted", inputs: [3]string{"f32", "f32", "f32"}, out: "f32", results: 32 * 32},
	{name: "attention", inputs: [3]string{"f16", "f16", "f16"}, out: "f32", results: 32*32 + 64, overlaps: true, phases: 2},
	{name: "mma_chain", inputs: [3]string{"f16", "f16", "f16"}, out: "f32", results: 32 * 32, overlaps: true, phases: 3},
	{name: "streaming_reduction", inputs: [3]string{"i32", "i32", "i32"}, out: "i32", results: 512},
	{name: "gemm_gathered_rows", inputs: [3]string{"f16", "f16", "i32"}, out: "f32", results: 32 * 32},
	{name: "streaming_gather", inputs: [3]string{"i32", "i32", "i32"}, out: "i32", results: 512},
}

// text is the kernel as Tile IR. The file has the counter of i32 with all bounds as parameters.
func (k counted) text(t *testing.T, c counting) string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", "counted", k.name+".mlir"))
	if err != nil {
		t.Fatal(err)
	}
	typ, lower, step, constants := "tile<"+c.typ+">", "%lo", "%by", ""
	if c.constant {
		lower, step = "%l", "%s"
		constants = fmt.Sprintf("%%l = constant <%s: %d> : %s\n%%s = constant <%s: %d> : %s\n", c.typ, c.lower, typ, c.typ, c.step, typ)
	}
	text := string(file)
	for _, edit := range [][2]string{
		{"%lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>", fmt.Sprintf("%%lo: %[1]s, %%hi: %[1]s, %%by: %[1]s", typ)},
		{"%a = assume", constants + "%a = assume"},
		{"for %i in (%lo to %hi, step %by) : tile<i32>", fmt.Sprintf("for %s%%i in (%s to %%hi, step %s) : %s", c.sign, lower, step, typ)},
		{"%d = subi %i, %lo : tile<i32>", fmt.Sprintf("%%d = subi %%i, %s : %s", lower, typ)},
		{"%x = muli %d, %one : tile<i32>", counterSteps(c.typ)},
	} {
		if strings.Count(text, edit[0]) != 1 {
			t.Fatalf("%s has '%s' not once", k.name, edit[0])
		}
		text = strings.Replace(text, edit[0], edit[1], 1)
	}
	return text
}

// counterSteps is the number of steps %d as an i32.
func counterSteps(typ string) string {
	if typ == "i64" {
		return "%x = trunci %d : tile<i64> -> tile<i32>"
	}
	return "%x = muli %d, %one : tile<i32>"
}
