package values

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// valueless says of the rows for which values/reference.jsonl.gz has no values why not, and which tests execute them.
var valueless = map[*ir.OpDef]string{
	cudatile.Module: "structure: every test", cudatile.Entry: "structure: every test", cudatile.Constant: "the operands of every test here",
	cudatile.For: "control flow: interp.TestControlFlow", cudatile.Loop: "control flow: interp.TestControlFlow",
	cudatile.If: "control flow: interp.TestControlFlow", cudatile.Break: "control flow: interp.TestControlFlow",
	cudatile.Continue: "control flow: interp.TestControlFlow", cudatile.Return: "control flow: interp.TestControlFlow",
	cudatile.Yield:  "control flow: interp.TestControlFlow, and the bodies of reduce and scan here",
	cudatile.Assert: "stops: interp.TestErrors", cudatile.Assume: "stops: interp.TestErrors",
	cudatile.Print: "prints: interp.TestPrint", cudatile.PreviewCall: "has no description: interp.TestMissing",
	cudatile.OldPow:           "never verified: the reader makes fpowf of it",
	cudatile.GetNumTileBlocks: "depends on the launch: interp.TestCorpusCases", cudatile.GetTileBlockID: "depends on the launch: interp.TestCorpusCases",
	cudatile.Global: "memory: interp.TestGlobals", cudatile.GetGlobal: "memory: interp.TestGlobals",
	cudatile.LoadPtr: "memory: interp.TestMemory", cudatile.StorePtr: "memory: interp.TestMemory", cudatile.Alloca: "memory: interp.TestMemory",
	cudatile.AtomicCAS: "memory: interp.TestMemory", cudatile.AtomicRMW: "memory: interp.TestMemory",
	cudatile.AtomicRedView: "memory: interp.TestMemory",
	cudatile.Offset:        "pointers: interp.TestMemory", cudatile.IntToPtr: "pointers: interp.TestMemory",
	cudatile.PtrToInt: "pointers: interp.TestMemory", cudatile.PtrToPtr: "pointers: interp.TestMemory",
	cudatile.MakeToken: "order: interp.TestRaces", cudatile.JoinTokens: "order: interp.TestRaces",
	cudatile.MemoryFenceAlias: "order: interp.TestMemory",
	cudatile.GdcWait:          "order: interp.TestMemory", cudatile.GdcLaunchDependents: "order: interp.TestMemory",
	cudatile.MakeTensorView: "views: interp.TestMemory", cudatile.MakePartitionView: "views: interp.TestMemory",
	cudatile.MakeStridedView: "views: interp.TestMemory", cudatile.MakeGatherScatterView: "views: interp.TestMemory",
	cudatile.LoadView: "views: interp.TestMemory", cudatile.StoreView: "views: interp.TestMemory",
	cudatile.GetTensorShape: "views: interp.TestMemory", cudatile.GetIndexSpaceShape: "views: interp.TestMemory",
	cudatile.MultimemLoadReduceView: "several devices: interp.TestMultimemLoad", cudatile.MultimemReduceView: "several devices: interp.TestMultimemWrites",
	cudatile.MultimemStoreView: "several devices: interp.TestMultimemWrites",
}

// TestValues executes every operation that computes elements, of every element type and with every attribute that it
// may have, and compares with values that exact arithmetic in another language has found.
func TestValues(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	for _, def := range ops.Dialect.Ops() {
		known[def.Name] = true
		lines := linesOf(t, def)
		switch why := valueless[def]; {
		case why != "" && len(lines) > 0:
			t.Errorf("%s has values, and a reason to have none", def.FullName())
		case why != "":
		case len(lines) == 0:
			t.Errorf("%s has no values, and no reason", def.FullName())
		case lines[0].Text == "":
			t.Run(def.Name, func(t *testing.T) {
				t.Parallel()
				valuesOf(t, def, lines)
			})
		}
	}
	lines, _ := valueLines()
	for name := range lines {
		if !known[name] {
			t.Errorf("there are values for '%s', which is no operation", name)
		}
	}
}

// valuesOf executes all forms of an element-wise operation.
func valuesOf(t *testing.T, def *ir.OpDef, lines []*valueLine) {
	c := tileir.NewContext()
	byKey := make(map[string][]*valueLine)
	for _, l := range lines {
		byKey[l.key()] = append(byKey[l.key()], l)
	}
	used := make(map[string]bool)
	for _, types := range signaturesOf(c, def, append(elementTypes(c), c.Int(4))) {
		for _, attrs := range attributes(c, def) {
			if !newFoldBench(t, c).legal(def, types, attrs) {
				continue
			}
			key := valueKey(c, def, types, attrs)
			used[key] = true
			if len(byKey[key]) == 0 {
				t.Errorf("there are no values for '%s'", key)
			}
			for _, l := range byKey[key] {
				v := &valueBench{foldBench: newFoldBench(t, c), line: l, def: def, types: types, attrs: attrs}
				v.elements()
			}
			if t.Failed() {
				return
			}
		}
	}
	for key := range byKey {
		if !used[key] {
			t.Errorf("there are values for '%s', which is not legal", key)
		}
	}
}

// A valueBench executes an operation on the operands of a line.
type valueBench struct {
	*foldBench
	line  *valueLine
	def   *ir.OpDef
	types []ir.Type
	attrs []ir.NamedAttr
}

// elements executes the operation on tiles of many operands, and on those alone that are to be an error.
func (v *valueBench) elements() {
	v.t.Helper()
	const lanes = 512
	var fine []int
	for i, e := range v.line.want {
		if e.none && e.kind == '!' {
			v.failing(i)
		} else {
			fine = append(fine, i)
		}
	}
	cases := make(map[ir.Op][]int)
	for chunk := range slices.Chunk(fine, lanes) {
		cases[v.operation(chunk)] = chunk
	}
	v.b.Create(cudatile.Return, nil, nil)
	err := observe(v.module, func(op ir.Op, got interp.Tile) {
		chunk, ok := cases[op]
		if !ok {
			return
		}
		delete(cases, op)
		for k, i := range chunk {
			v.compare(i, got.Bits[k], got.Undef != nil && got.Undef[k])
		}
	})
	if err != nil {
		v.t.Errorf("%s: %v", v.line.key(), err)
	} else if len(cases) > 0 {
		v.t.Errorf("%s: %d operations were not executed", v.line.key(), len(cases))
	}
}

// failing executes the operation on operands for which it is undefined.
func (v *valueBench) failing(i int) {
	v.t.Helper()
	alone := *v
	alone.foldBench = newFoldBench(v.t, v.b.Context())
	alone.operation([]int{i})
	alone.b.Create(cudatile.Return, nil, nil)
	err := observe(alone.module, func(ir.Op, interp.Tile) {})
	if err == nil || !strings.Contains(err.Error(), v.def.Name) {
		v.t.Errorf("%s: got error %v, expected one of '%s'", v.describe(i), err, v.def.Name)
	}
}

// operation makes the operation on some of the operands, the last of which fills up the tiles.
func (v *valueBench) operation(chunk []int) ir.Op {
	n := 1 << bits.Len(uint(len(chunk)-1))
	operands := make([]ir.Value, len(v.types)-1)
	for k := range operands {
		list := make([]uint64, n)
		for j := range list {
			list[j] = v.line.inputs[k][chunk[min(j, len(chunk)-1)]]
		}
		operands[k] = v.tileOf(cudatile.Tile(v.b.Context(), []int64{int64(n)}, v.types[k]), list)
	}
	result := cudatile.Tile(v.b.Context(), []int64{int64(n)}, v.types[len(v.types)-1])
	return v.b.Create(v.def, operands, []ir.Type{result}, v.attrs...)
}

// tileOf makes a tile of the patterns. There are no constants of i4.
func (f *foldBench) tileOf(t *cudatile.TileType, list []uint64) ir.Value {
	c := f.b.Context()
	if t.Elem != c.Int(4) {
		return f.constant(t, list...)
	}
	return f.b.Create(cudatile.TruncI, vs(f.constant(t.With(c.Int(8)), list...)), []ir.Type{t},
		ir.NamedAttr{Name: "overflow", Value: cudatile.OverflowNone.Attr(c)}).Result(0)
}

// observe runs a kernel and calls see for each tile that is a first result.
func observe(module ir.Op, see func(op ir.Op, got interp.Tile)) error {
	if err := ir.Verify(module); err != nil {
		return err
	}
	e := interp.New(module)
	e.LooseOverflow = true // the values say what wraps to what, whatever an operation promises
	e.Trace = func(ev interp.Event) {
		if len(ev.Tiles) > 0 {
			see(ev.Op, ev.Tiles[0])
		}
	}
	return e.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}})
}

// compare checks an element of the result.
func (v *valueBench) compare(i int, got uint64, unspecified bool) {
	v.t.Helper()
	want := v.line.want[i]
	ok := !unspecified && got == want.bits
	switch want.kind {
	case '?':
		ok = unspecified
	case '~':
		ok = !unspecified && (got == want.bits || got == want.bits+1)
	}
	if !ok {
		v.t.Errorf("%s: got %#x, unspecified %v", v.describe(i), got, unspecified)
	}
}

func (v *valueBench) describe(i int) string {
	s := v.line.key() + ":"
	for _, in := range v.line.inputs {
		s += fmt.Sprintf(" %#x", in[i])
	}
	want := v.line.want[i]
	if want.none {
		return s + " -> " + string(want.kind)
	}
	s += fmt.Sprintf(" -> %#x", want.bits)
	if want.kind != 0 {
		s += string(want.kind)
	}
	return s
}
