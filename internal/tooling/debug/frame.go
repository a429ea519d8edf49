package debug

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/tooling/debug/expr"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A Frame is a function of a stopped tile block, with the names that its author uses. It is an expr.Env.
type Frame struct {
	kernel *Kernel
	state  *interp.State
	at     *place
	index  int // of at.frames
	count  uint64
}

// Frames is how many functions a tile block is in, as a user sees it.
func (b *Block) Frames() int { return b.Depth }

// Frame returns a function of a tile block: 0 is the innermost one.
func (s *Stop) Frame(block, frame int) *Frame {
	b := s.Blocks[block]
	return &Frame{s.Kernel, b.State, b.at, len(b.at.frames) - b.Depth + frame, s.Count}
}

// Place returns where the function stands, and its name; "" if that is not known.
func (f *Frame) Place() ir.Frame { return f.at.frames[f.index] }

// Op is the next operation, or the one that has failed.
func (f *Frame) Op() ir.Op { return f.at.op }

// available reports whether a value has been computed where the block stands: it is defined before, in the same block
// or in one around it.
func (f *Frame) available(v ir.Value) bool {
	b, def := v.Block(), v.DefiningOp()
	for op := f.at.op; !op.IsNil(); op = op.ParentOp() {
		if op.Block() == b {
			return def.IsNil() || op != def && def.IsBeforeInBlock(op)
		}
	}
	return false
}

// A Variable is a name, and what it stands for.
type Variable struct {
	Name  string
	Array expr.Array
}

// Variables are those of the function that have a value, in the order of their names.
func (f *Frame) Variables() []Variable {
	latest := make(map[string]ir.Value)
	for _, n := range f.kernel.names.In(f.at.frames[f.index+1:]) {
		if !f.available(n.Value) {
			continue
		}
		if old, ok := latest[n.Name]; !ok || f.kernel.names.Order(n.Value) > f.kernel.names.Order(old) {
			latest[n.Name] = n.Value
		}
	}
	var out []Variable
	for name, v := range latest {
		if t, ok := f.state.Tile(v); ok {
			out = append(out, Variable{name, tileArray(t)})
		}
	}
	slices.SortFunc(out, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Values are all values that the tile block has, by their names in Tile IR, the latest first.
func (f *Frame) Values() []Variable {
	type numbered struct {
		Variable
		order int
	}
	var list []numbered
	for name, v := range f.kernel.values {
		if !f.available(v) {
			continue
		}
		if t, ok := f.state.Tile(v); ok {
			list = append(list, numbered{Variable{name, tileArray(t)}, f.kernel.names.Order(v)})
		}
	}
	slices.SortFunc(list, func(a, b numbered) int { return b.order - a.order })
	out := make([]Variable, len(list))
	for i, n := range list {
		out[i] = n.Variable
	}
	return out
}

// Lookup implements expr.Env: a variable of the function, an argument, the tile block, or a value by its name in Tile
// IR.
func (f *Frame) Lookup(name string) (expr.Array, bool) {
	if v, ok := f.kernel.values[name]; ok && strings.HasPrefix(name, "%") {
		if !f.available(v) {
			return expr.Array{}, false
		}
		t, ok := f.state.Tile(v)
		return tileArray(t), ok
	}
	for _, list := range [][]Variable{f.Variables(), f.Arguments(), f.where()} {
		for _, v := range list {
			if v.Name == name {
				return v.Array, true
			}
		}
	}
	return expr.Array{}, false
}

// Names implements expr.Env.
func (f *Frame) Names() (names []string) {
	for _, list := range [][]Variable{f.Variables(), f.Arguments(), f.where()} {
		for _, v := range list {
			names = append(names, v.Name)
		}
	}
	return names
}

// where says which tile block of which grid it is, and how many stops lie behind it.
func (f *Frame) where() []Variable {
	b, g := f.state.Block(), f.kernel.grid
	return []Variable{
		{"block", expr.Tuple(int64(b[0]), int64(b[1]), int64(b[2]))}, {"grid", expr.Tuple(int64(g[0]), int64(g[1]), int64(g[2]))}, {"step", expr.Integer(int64(f.count))},
	}
}

// Where is where as a user reads it.
func (f *Frame) Where() []Variable { return f.where() }

// Results are those of the operation before, in the same block of the program, which has just been executed.
func (f *Frame) Results() (out []Variable) {
	op := f.at.op.Prev()
	if op.IsNil() {
		return nil
	}
	for _, v := range op.Results() {
		if t, ok := f.state.Tile(v); ok {
			out = append(out, Variable{f.kernel.ssa(v), tileArray(t)})
		}
	}
	return out
}

// Operands are those of the next operation.
func (f *Frame) Operands() (out []Variable) {
	for _, v := range f.at.op.Operands() {
		if t, ok := f.state.Tile(v); ok {
			out = append(out, Variable{f.kernel.ssa(v), tileArray(t)})
		}
	}
	return out
}

// elements describes elements of a type.
func elements(elem ir.Type) (a expr.Array, decode func(bits uint64) expr.Elem) {
	a = expr.Array{Type: strings.TrimPrefix(ir.TypeString(elem), "!cuda_tile."), Kind: expr.Int, Bits: 64}
	if f, ok := elem.(*ir.FloatType); ok {
		a.Kind = expr.Float
		if ir.BitWidth(elem) <= 32 {
			a.Bits = 32
		}
		return a, func(bits uint64) expr.Elem { return expr.Elem{F: f.Format.Decode(bits)} }
	}
	w := values.WidthOf(elem)
	if _, pointer := values.Pointee(elem); pointer {
		a.Hex = true
		return a, func(bits uint64) expr.Elem { return expr.Elem{I: int64(bits)} }
	}
	if w == 1 {
		a.Kind = expr.Bool
		return a, func(bits uint64) expr.Elem { return expr.Elem{I: int64(bits & 1)} }
	}
	return a, func(bits uint64) expr.Elem { return expr.Elem{I: w.Signed(bits)} }
}

// tileArray is a tile as expressions see it.
func tileArray(t interp.Tile) expr.Array {
	if t.Value.IsNil() {
		return expr.Array{}
	}
	a, decode := elements(values.ElemOf(t.Value))
	a.Shape = values.ShapeOf(t.Value)
	a.Strides = expr.RowMajor(a.Shape)
	a.Get = func(i int64) expr.Elem {
		// Where the body of a reduction runs on many elements at a time, a tile has others than its type says.
		if i >= int64(len(t.Bits)) || t.Undef != nil && t.Undef[i] {
			return expr.Elem{Undef: true}
		}
		return decode(t.Bits[i])
	}
	return a
}
