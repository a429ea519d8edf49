package core

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// A Lowering is the conversion of one kernel. The embedded state has the registers of each value, and the builder of
// the code that is being written.
type Lowering struct {
	conversion.State
	*Kernel
	*Scope
	variables
	start  ir.Block              // the first block after the entry block
	stages map[ir.Value]ir.Value // the number of the stage in its circular buffer, by the buffer
	// TMEM is the address of the tensor memory that the kernel has reserved; a zero Value before that.
	TMEM ir.Value

	atReturn []func() error // see AtReturn
	locals   map[any]any    // see Local
}

// New returns the lowering of one kernel, whose code is to be written into dst.
func New(src, dst ir.Op, arch *sm.Arch, maps contract.TensorMaps) *Lowering {
	return &Lowering{Kernel: newKernel(src, dst, arch, maps), locals: make(map[any]any)}
}

// Begin starts the code of the kernel. The entry block has what the scope of all warps hoists, and then branches to
// the code.
func (l *Lowering) Begin(warps int) {
	entry := l.Blocks.AddBlock()
	l.Scope = NewScope(entry, warps)
	// The code begins in a block of its own, so that the entry block can grow at its end while the code is written.
	code := l.Blocks.AddBlock()
	l.State = conversion.NewState(ir.BuilderAtEnd(code), l.types)
	l.start = code
}

// Arguments gives the entry block the parameters of the kernel.
func (l *Lowering) Arguments() { l.AddArgs(l.Blocks.First(), l.Source.Body().Args()) }

// End closes the entry block. It comes last, since until then the code may still hoist something into it.
func (l *Lowering) End() { cf.CreateBr(l.Entry, l.start) }

// AtReturn has f write code before each return of the kernel. What was asked for first comes first.
func (l *Lowering) AtReturn(f func() error) { l.atReturn = append(l.atReturn, f) }

// Cleanup writes what rooms asked for by AtReturn.
func (l *Lowering) Cleanup() error {
	for _, f := range l.atReturn {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// HasCleanup reports whether the kernel does something before it returns.
func (l *Lowering) HasCleanup() bool { return len(l.atReturn) > 0 }

// Elem returns the register type of a tensor's elements, or of a scalar.
func (l *Lowering) Elem(t ir.Type) ir.Type {
	s, _ := l.scalarType(ir.ElementType(t))
	return s
}

// Layout returns the layout of a tensor value; the layout of a scalar is that of a tile without dimensions, one
// register everywhere.
func (l *Lowering) Layout(v ir.Value) (linear.Layout, error) {
	if lay, ok := tileas.LayoutOf(v.Type()); ok {
		return lay, nil
	}
	if _, ok := v.Type().(*ir.TensorType); ok {
		return linear.Layout{}, ir.Errorf(l.Loc, "a tensor has no layout")
	}
	return l.ScalarLayout()
}

// ScalarLayout returns the layout of a scalar.
func (l *Lowering) ScalarLayout() (linear.Layout, error) {
	// No bit of the thread's number moves a coordinate, as there is none: all are copies, of which Owner picks the
	// first.
	bases := linear.Bases{}
	for range 5 {
		bases[linear.Lane] = append(bases[linear.Lane], []int{})
	}
	for n := 1; n < l.Warps; n *= 2 {
		bases[linear.Warp] = append(bases[linear.Warp], []int{})
	}
	return linear.New(nil, bases)
}

// RegisterOf returns register r of a value; a scalar has the same in every register.
func (l *Lowering) RegisterOf(v ir.Value, r int) ir.Value {
	regs := l.Values(v)
	if len(regs) == 1 {
		return regs[0]
	}
	return regs[r]
}

// Count returns how many registers a value of the type has.
func (l *Lowering) Count(t ir.Type) int { return len(l.ConvertType(t)) }

// Make makes an operation with one result.
func (l *Lowering) Make(def *ir.OpDef, t ir.Type, operands ...ir.Value) ir.Value {
	return l.Create(def, operands, []ir.Type{t}).Result(0)
}

// Once computes a value in the entry block of the scope, unless it has been.
func (l *Lowering) Once(key any, make func(b *ir.Builder) ir.Value) ir.Value {
	l.Entry.Loc = l.Loc
	return l.Scope.once(key, make)
}

// Early computes an i32 in the entry block of the scope.
func (l *Lowering) Early(def *ir.OpDef, a, b ir.Value) ir.Value {
	l.Entry.Loc = l.Loc
	return l.Entry.Create(def, []ir.Value{a, b}, []ir.Type{l.I32()}).Result(0)
}
