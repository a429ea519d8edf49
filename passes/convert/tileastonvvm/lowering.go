package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/target/sm"
)

// lowering is the state of one kernel's conversion. The embedded builder appends to the current block.
type lowering struct {
	*ir.Builder
	ctx    *ir.Context
	warps  int
	source ir.Op            // the kernel that is lowered
	ranges *intrange.Ranges // of its integers; nil until asked for
	region ir.Region
	// prologue appends to the first block, whose values are available everywhere: constants and functions of the thread's number.
	prologue *ir.Builder
	// cache holds what the prologue computes, by a comparable description.
	cache map[any]ir.Value

	// globals puts variables in front of the kernel; tables and strings count those for constants.
	globals *ir.Builder
	kernel  string
	tables  int
	strings int

	arch *sm.Arch
	// space is where pointers point to: global memory, or anywhere in a kernel that allocates memory of its own.
	space nvvm.Space

	// order is what the accesses being made carry: ordering and scope.
	order []ir.NamedAttr

	values  map[ir.Value][]ir.Value // the registers of a value
	buffers map[ir.Value]int64      // offset of a buffer in shared memory, in bytes
	loops   []loopFrame
	heap    []globalMemory
}

type rule func(l *lowering, op ir.Op) error

// rules says how each operation is lowered; element-wise operations of arith need no entry.
var rules = map[*ir.OpDef]rule{}

func init() {
	lv := tileas.Level
	for def, r := range map[*ir.OpDef]rule{
		arith.Constant: (*lowering).constant,
		scf.If:         (*lowering).ifOp, scf.For: (*lowering).forOp, scf.Loop: (*lowering).loopOp,
		scf.Continue: (*lowering).continueOp, scf.Break: (*lowering).breakOp,
		scf.Yield: (*lowering).nothing,
		lv.Return: (*lowering).returnOp, lv.ProgramID: (*lowering).programID, lv.NumPrograms: (*lowering).programID,
		lv.Splat: (*lowering).splat, lv.Unsplat: (*lowering).unsplat, lv.Reshape: (*lowering).same, lv.Permute: (*lowering).same,
		lv.Broadcast: (*lowering).broadcast, lv.Range: (*lowering).makeRange, lv.AddPtr: (*lowering).addPtr,
		lv.Reduce: (*lowering).reduce, lv.Dot: (*lowering).dot,
		lv.MakeToken: (*lowering).nothing, lv.JoinTokens: (*lowering).nothing,
		lv.TiledLoad: (*lowering).tiledLoad, lv.TiledStore: (*lowering).tiledStore,
		lv.Load: (*lowering).load, lv.Store: (*lowering).store,
		lv.Extract: (*lowering).extract, lv.Insert: (*lowering).insertPart, lv.Cat: (*lowering).cat,
		lv.Pack: (*lowering).packBytes, lv.Unpack: (*lowering).unpackBytes,
		lv.PtrToPtr: (*lowering).same, lv.PtrToInt: (*lowering).addresses, lv.IntToPtr: (*lowering).addresses,
		lv.GetGlobal: (*lowering).getGlobal,
		lv.AtomicRMW: (*lowering).atomic, lv.AtomicCAS: (*lowering).atomic, lv.TiledAtomic: (*lowering).tiledAtomic,
		lv.Scan: (*lowering).scan, lv.GridWait: (*lowering).gridControl, lv.GridLaunch: (*lowering).gridControl,
		lv.Assert: (*lowering).assert, lv.Print: (*lowering).print, lv.Alloca: (*lowering).alloca,
		lv.FenceAlias:        func(l *lowering, _ ir.Op) error { l.Create(nvvm.FenceAlias, nil, nil); return nil },
		tileas.ConvertLayout: (*lowering).convertLayout, tileas.AllocShared: (*lowering).allocShared,
		tileas.LocalStore: (*lowering).localStore, tileas.LocalLoad: (*lowering).localLoad,
		tileas.Barrier: func(l *lowering, _ ir.Op) error { l.Create(nvvm.Barrier, nil, nil); return nil },
	} {
		rules[def] = r
	}
}

// block lowers the operations of a block of the source into the current block.
func (l *lowering) block(b ir.Block) error {
	for op := range b.Ops() {
		if err := l.op(op); err != nil {
			return err
		}
	}
	return nil
}

func (l *lowering) op(op ir.Op) error {
	l.Loc = op.Loc()
	l.prologue.Loc = op.Loc()
	if r, ok := rules[op.Def()]; ok {
		l.order = l.orderOf(op)
		err := r(l, op)
		l.order = nil
		return err
	}
	if _, ok := arith.Elementwise.Of(op); ok {
		return l.elementwise(op)
	}
	return op.Errorf("is not lowered to nvvm yet")
}

func (l *lowering) nothing(ir.Op) error { return nil }

// scalarType returns what a scalar, or an element, is to one thread.
func (l *lowering) scalarType(t ir.Type) (ir.Type, bool) {
	switch t := t.(type) {
	case *tile.PtrType:
		return nvvm.Ptr(l.ctx, l.space), true
	case *ir.IntegerType, *ir.FloatType:
		return t, true
	}
	return nil, false
}

// elem returns the register type of a tensor's elements, or of a scalar.
func (l *lowering) elem(t ir.Type) ir.Type {
	s, _ := l.scalarType(ir.ElementType(t))
	return s
}

// layout returns the layout of a tensor value; the layout of a scalar is that of a tile without dimensions, one register everywhere.
func (l *lowering) layout(v ir.Value) (linear.Layout, error) {
	if lay, ok := tileas.LayoutOf(v.Type()); ok {
		return lay, nil
	}
	if _, ok := v.Type().(*ir.TensorType); ok {
		return linear.Layout{}, ir.Errorf(l.Loc, "a tensor has no layout")
	}
	return l.scalarLayout()
}

func (l *lowering) scalarLayout() (linear.Layout, error) {
	bases := linear.Bases{}
	for range 5 {
		bases[linear.Lane] = append(bases[linear.Lane], []int{})
	}
	for n := 1; n < l.warps; n *= 2 {
		bases[linear.Warp] = append(bases[linear.Warp], []int{})
	}
	return linear.New(nil, bases)
}

// one returns the register of a scalar.
func (l *lowering) one(v ir.Value) ir.Value { return l.values[v][0] }

// registerOf returns register r of a value; a scalar has the same in every register.
func (l *lowering) registerOf(v ir.Value, r int) ir.Value {
	regs := l.values[v]
	if len(regs) == 1 {
		return regs[0]
	}
	return regs[r]
}

// count returns how many registers the tensor (or scalar) type has.
func count(t ir.Type) int {
	if lay, ok := tileas.LayoutOf(t); ok {
		return lay.Size(linear.Register)
	}
	return 1
}

// create makes an operation with one result.
func (l *lowering) create(def *ir.OpDef, t ir.Type, operands ...ir.Value) ir.Value {
	return l.Create(def, operands, []ir.Type{t}).Result(0)
}

type constKey struct{ a ir.Attribute }

// constAttr returns a scalar constant; equal ones are made once.
func (l *lowering) constAttr(a ir.Attribute) ir.Value {
	return l.once(constKey{a}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.Constant, nil, []ir.Type{a.(ir.TypedAttribute).Type()}, ir.NamedAttr{Name: arith.AttrValue, Value: a}).Result(0)
	})
}

// once computes a value in the prologue, unless it has been.
func (l *lowering) once(key any, make func(b *ir.Builder) ir.Value) ir.Value {
	if v, ok := l.cache[key]; ok {
		return v
	}
	v := make(l.prologue)
	l.cache[key] = v
	return v
}

func (l *lowering) i32() ir.Type { return l.ctx.Int(32) }
func (l *lowering) i64() ir.Type { return l.ctx.Int(64) }

func (l *lowering) const32(v int64) ir.Value { return l.constAttr(l.ctx.IntAttr(l.i32(), v)) }
func (l *lowering) const64(v int64) ir.Value { return l.constAttr(l.ctx.IntAttr(l.i64(), v)) }

// constOf returns the value of an integer constant of the source.
func constOf(v ir.Value) (int64, bool) {
	a, ok := ir.ConstantValue(v).(*ir.IntegerAttr)
	if !ok {
		return 0, false
	}
	return a.Value, true
}
