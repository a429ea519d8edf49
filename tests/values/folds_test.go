package values

import (
	"context"
	"fmt"
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

// A foldBench is a kernel of operations on constants, each of which is folded and then executed.
type foldBench struct {
	t      *testing.T
	module ir.Op
	b      *ir.Builder
	known  map[scalarKey]ir.Value
	folded map[ir.Op][]uint64 // what folding makes of the first result of an operation
	same   map[ir.Op]ir.Op    // whose result it is the same as, instead
}

type scalarKey struct {
	elem ir.Type
	bits uint64
}

func newFoldBench(t *testing.T, c *ir.Context) *foldBench {
	module := cudatile.NewModule(c, nil, "m")
	entry := cudatile.NewEntry(ir.BuilderAtStart(module.Body()), "k", nil, nil)
	return &foldBench{t: t, module: module, b: ir.BuilderAtStart(entry.Body()), folded: make(map[ir.Op][]uint64),
		known: make(map[scalarKey]ir.Value), same: make(map[ir.Op]ir.Op)}
}

// constant makes a constant of a tile type from the patterns of its elements, or of the one that all are.
func (f *foldBench) constant(t *cudatile.TileType, bits ...uint64) ir.Value {
	n := ir.DenseElemBytes(t.Elem)
	var data []byte
	for _, x := range bits {
		for i := range n {
			data = append(data, byte(x>>(8*i)))
		}
	}
	return cudatile.NewConstant(f.b, f.b.Context().Dense(t, data))
}

// fold asks the row what an operation on constants is, and notes the answer; false when there is none.
func (f *foldBench) fold(op ir.Op) ([]uint64, bool) {
	f.t.Helper()
	def := op.Def()
	if def.Fold == nil {
		return nil, false
	}
	operands := make([]ir.Attribute, op.NumOperands())
	for i := range operands {
		operands[i] = ir.ConstantValue(op.Operand(i))
	}
	results := def.Fold(op, operands)
	if results == nil {
		return nil, false
	}
	a := results[0].Attr
	if a == nil {
		a = ir.ConstantValue(results[0].Value)
	}
	t := op.Result(0).Type().(*cudatile.TileType)
	dense, ok := a.(*ir.DenseElementsAttr)
	if len(results) != op.NumResults() || !ok || dense.Type() != t {
		f.t.Fatalf("%s: folding yields %v, expected a constant of the result's type", op.Name(), results)
	}
	bits := make([]uint64, t.NumElements())
	for i := range bits {
		bits[i] = dense.Bits(t.Elem, i)
	}
	f.folded[op] = bits
	return bits, true
}

// run executes the kernel, and compares what its operations yield with what folding makes of them.
func (f *foldBench) run() {
	f.t.Helper()
	f.b.Create(cudatile.Return, nil, nil)
	if err := ir.Verify(f.module); err != nil {
		f.t.Fatal(err)
	}
	seen := 0
	values := make(map[ir.Op][]uint64)
	e := interp.New(f.module)
	e.Trace = func(ev interp.Event) {
		want, ok := f.folded[ev.Op]
		if operand, same := f.same[ev.Op]; same {
			want, ok = values[operand], true
		}
		values[ev.Op] = ev.Tiles[0].Bits
		if !ok {
			return
		}
		seen++
		got := ev.Tiles[0]
		if !slices.Equal(want, got.Bits) || slices.Contains(got.Undef, true) {
			f.t.Errorf("%s: folded to %#x, but the interpreter yields %#x, unspecified %v", describe(ev.Op), want, got.Bits, got.Undef)
		}
	}
	if err := e.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}}); err != nil {
		f.t.Fatal(err)
	}
	if n := len(f.folded) + len(f.same); seen != n {
		f.t.Errorf("%d operations were folded, but %d were executed", n, seen)
	}
}

// describe spells an operation on constants.
func describe(op ir.Op) string {
	s := op.Def().Name
	for _, v := range op.Operands() {
		if a, ok := ir.ConstantValue(v).(*ir.DenseElementsAttr); ok {
			s += fmt.Sprintf(" %s:%x", ir.TypeString(v.Type()), a.Data)
		}
	}
	for _, a := range op.InherentAttrs() {
		s += fmt.Sprintf(" %s=%v", a.Name, a.Value)
	}
	return s + " -> " + ir.TypeString(op.Result(0).Type())
}

// TestFoldsAgree folds every pure operation on every element type and with every attribute that it may have, on edge
// values, and compares with the interpreter, bit for bit. What is not folded must have a reason: one of the row
// (unfolded), or of the values (stays).
func TestFoldsAgree(t *testing.T) {
	t.Parallel()
	shapes := make(map[*ir.OpDef]bool)
	for _, s := range shapeFolds {
		shapes[s.def] = true
	}
	for _, def := range ops.Dialect.Ops() {
		why := unfolded[def]
		switch {
		case !isPureRow(def):
			if why != "" || shapes[def] {
				t.Errorf("%s is not pure, but the tables have it", def.FullName())
			}
		case why != "":
			if shapes[def] {
				t.Errorf("%s has a reason not to be folded, and is folded", def.FullName())
			}
		case shapes[def]: // TestShapeFoldsAgree
		case def.Fold == nil:
			t.Errorf("%s is pure, but has no fold and no reason", def.FullName())
		default:
			t.Run(def.Name, func(t *testing.T) {
				t.Parallel()
				elementFolds(t, def)
			})
		}
	}
}

// isPureRow reports whether the operations of a row depend on nothing but their operands, and do nothing else.
func isPureRow(def *ir.OpDef) bool {
	if def.Traits.Has(ir.Terminator) || len(def.Regions) > 0 || impure[def] {
		return false
	}
	ordered := func(f ir.Field) bool { return strings.HasSuffix(f.Name, "token") }
	return def.Traits.Has(ir.Pure) || !slices.ContainsFunc(def.Operands, ordered) && !slices.ContainsFunc(def.Results, ordered)
}

// elementFolds tries all that an element-wise operation can be.
func elementFolds(t *testing.T, def *ir.OpDef) {
	c := tileir.NewContext()
	legal, folds := 0, make(map[ir.Type]bool)
	for _, types := range signatures(c, def) {
		result := types[len(types)-1]
		for _, attrs := range attributes(c, def) {
			f := newFoldBench(t, c)
			if !f.legal(def, types, attrs) {
				continue
			}
			legal++
			folds[result] = f.elements(def, types, attrs) || folds[result]
			f.run()
			if t.Failed() {
				return
			}
		}
	}
	for elem, any := range folds {
		if !any {
			t.Errorf("nothing was folded to a %s", ir.TypeString(elem))
		}
	}
	if legal == 0 {
		t.Error("no form of the operation is legal")
	}
}

// legal reports whether the verifier takes the operation with the given types and attributes.
func (f *foldBench) legal(def *ir.OpDef, types []ir.Type, attrs []ir.NamedAttr) bool {
	op := f.scalars(def, types, attrs, make([]uint64, len(types)-1))
	ok := hooksTake(op)
	op.Erase()
	return ok
}

// hooksTake reports whether the hooks of its row take an operation.
func hooksTake(op ir.Op) bool {
	def := op.Def()
	return (def.VerifyTypes == nil || def.VerifyTypes(op) == nil) && (def.Verify == nil || def.Verify(op) == nil)
}

// scalars makes an operation of scalars. The types are those of the operands and of the result.
func (f *foldBench) scalars(def *ir.OpDef, types []ir.Type, attrs []ir.NamedAttr, in []uint64) ir.Op {
	operands := make([]ir.Value, len(in))
	for i, x := range in {
		operands[i] = f.scalar(types[i], x)
	}
	return f.b.Create(def, operands, []ir.Type{cudatile.Scalar(f.b.Context(), types[len(types)-1])}, attrs...)
}

func (f *foldBench) scalar(elem ir.Type, bits uint64) ir.Value {
	key := scalarKey{elem, bits}
	if v, ok := f.known[key]; ok {
		return v
	}
	v := f.constant(cudatile.Scalar(f.b.Context(), elem), bits)
	f.known[key] = v
	return v
}

// elements folds an operation on all combinations of edge values, one by one, and then those that fold together in
// one tile. It reports whether any folds.
func (f *foldBench) elements(def *ir.OpDef, types []ir.Type, attrs []ir.NamedAttr) bool {
	const lanes = 64
	n := len(types) - 1
	var foldable [][]uint64
	total := 0
	for in := range combinations(types[:n]) {
		total++
		op := f.scalars(def, types, attrs, in)
		_, ok := f.fold(op)
		switch stay := stays(op, in); {
		case ok && stay == always:
			f.t.Errorf("%s is folded, but has no result that is certain", describe(op))
		case !ok && stay == never:
			f.t.Errorf("%s is not folded", describe(op))
		case ok:
			foldable = append(foldable, in)
			continue
		}
		op.Erase() // it may be undefined
	}
	if len(foldable) == 0 {
		return false
	}
	if elementary[def] && types[0] != f.b.Context().F64() && len(foldable)*10 < total*8 {
		f.t.Errorf("only %d of %d are folded", len(foldable), total)
	}
	for first := 0; first < len(foldable); first += lanes {
		operands := make([]ir.Value, n)
		for i := range operands {
			bits := make([]uint64, lanes)
			for k := range bits {
				bits[k] = foldable[min(first+k, len(foldable)-1)][i]
			}
			operands[i] = f.constant(cudatile.Tile(f.b.Context(), []int64{lanes}, types[i]), bits...)
		}
		op := f.b.Create(def, operands, []ir.Type{cudatile.Tile(f.b.Context(), []int64{lanes}, types[n])}, attrs...)
		if _, ok := f.fold(op); !ok {
			if width := ir.BitWidth(types[n]); width == 1 || width >= 8 { // smaller elements only fold to equal ones
				f.t.Errorf("%s is not folded", describe(op))
			}
			op.Erase()
		}
	}
	return true
}
