package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Dialect is the nv_tileas dialect.
var Dialect = &ir.Dialect{
	Name:        "nv_tileas",
	Doc:         "Scheduled tile level: layouts, shared memory, launch shape.",
	Depends:     []*ir.Dialect{arith.Dialect, scf.Dialect},
	FormerAttrs: map[string]string{"nv_tileas.travel": AttrTransfer, "nv_tileas.refused": AttrRejected},
}

func init() {
	Dialect.ParseAttr, Dialect.AttrAlias, Dialect.VerifyAttr = parseAttr, attrAlias, verifyAttr
}

// verifyAttr checks the decisions that passes write on operations.
func verifyAttr(op ir.Op, name string, a ir.Attribute) error {
	switch name {
	case AttrTransfer:
		s, _ := a.(*ir.StringAttr)
		if s == nil || !slices.Contains(transfers, s.Value) {
			return op.Errorf("attribute '%s' must be one of %q", name, transfers)
		}
	case AttrSchedule:
		s, _ := a.(*ScheduleAttr)
		if s == nil {
			return op.Errorf("attribute '%s' must be a schedule", name)
		}
		return s.verify(op)
	}
	return nil
}

// Level holds the rows that the dialect shares with nv_tileaa.
var Level = defineLevel()

// KernelOf returns the kernel that an operation is in, or is.
func KernelOf(op ir.Op) ir.Op {
	for !op.Is(Level.Func) {
		op = op.ParentOp()
	}
	return op
}

func defineLevel() *tile.Level {
	l := tile.Define(Dialect, ir.Field{Name: AttrMMA, Arity: ir.Optional, Kind: mmaKind, Doc: "MMA instruction and warp tiling"})
	shared := Dialect.ParseType
	Dialect.ParseType = func(p ir.AsmParser, mnemonic string) ir.Type {
		if t := parseType(p, mnemonic); t != nil || p.Failed() {
			return t
		}
		return shared(p, mnemonic)
	}
	return l
}

// AttrOwner on a local_store says that only the thread that acts for an element stores it: copies in other threads
// need not be equal.
const AttrOwner = "owner"

// AttrSharedBytes is how much shared memory a func needs; absent until shared memory is allocated.
const AttrSharedBytes = "nv_tileas.shared_bytes"

// The operations beyond the shared rows.
var (
	// ConvertLayout redistributes a tensor among the threads.
	ConvertLayout = Dialect.Op(ir.OpDef{
		Name: "convert_layout", Summary: "Redistributes a tensor among the threads, by the layout of the result type.",
		Operands: []ir.Field{{Name: "source", Type: tile.Tensor}}, Results: []ir.Field{{Name: "result", Type: tile.Tensor}},
		Traits: ir.Pure, Syntax: "$source attr-dict `:` type($source) `->` type($result)",
		Verify: func(op ir.Op) error {
			src, dst := op.Operand(0).Type().(*ir.TensorType), op.Result(0).Type().(*ir.TensorType)
			if !slices.Equal(src.Shape, dst.Shape) || src.Elem != dst.Elem {
				return op.Errorf("must change nothing but the layout, but got '%s' to '%s'", ir.TypeString(src), ir.TypeString(dst))
			}
			return nil
		},
	})
	// LocalStore and LocalLoad move a tensor to and from a buffer; threads see each other's elements after a barrier.
	LocalStore = Dialect.Op(ir.OpDef{
		Name: "local_store", Summary: "Stores a tensor to a buffer.",
		Operands: []ir.Field{{Name: "value", Type: tile.Tensor}, {Name: "buffer", Type: tiles}},
		Attrs:    []ir.Field{{Name: AttrOwner, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax:   "$value `,` $buffer (`owner` $owner^)? attr-dict `:` type($value) `,` type($buffer)", Verify: verifyLocal,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Write, Value: op.Operand(1), Resource: SharedMemory})
		})},
	})
	LocalLoad = Dialect.Op(ir.OpDef{
		Name: "local_load", Summary: "Loads a tensor, or a subtile of one, from a buffer.",
		Doc: "Without `from` it loads the entire tile. `from` gives the coordinates of the first element of a subtile " +
			"of the result's shape; they are multiples of that shape. The subtile need not be contiguous, as that of " +
			"a buffer_slice must be: it can be a K step of a swizzled operand. The operand `plus` is added to the " +
			"coordinate along dimension `along` at run time. If no subtile begins there, the behaviour is undefined.",
		Operands: []ir.Field{{Name: "buffer", Type: tiles}, {Name: "plus", Type: i32, Arity: ir.Optional}}, Results: []ir.Field{{Name: "result", Type: tile.Tensor}},
		Attrs:  []ir.Field{{Name: AttrFrom, Arity: ir.Optional, Kind: ir.I64ArrayKind}, {Name: AttrAlong, Arity: ir.Optional, Kind: ir.I32Kind}},
		Syntax: "$buffer (`from` $from^)? (`+` $plus^ `along` $along)? attr-dict `:` type($buffer) `->` type($result)", Verify: verifyLocalLoad,
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Read, Value: op.Operand(0), Resource: SharedMemory})
		})},
	})
)

func verifyLocalLoad(op ir.Op) error {
	if err := verifyRunTime(op); err != nil {
		return err
	}
	return verifyLocal(op)
}

func verifyLocal(op ir.Op) error {
	var b *BufferType
	var t *ir.TensorType
	if op.NumResults() == 1 {
		b, t = op.Operand(0).Type().(*BufferType), op.Result(0).Type().(*ir.TensorType)
	} else {
		t, b = op.Operand(0).Type().(*ir.TensorType), op.Operand(1).Type().(*BufferType)
	}
	if b.Stages > 1 || b.Space != SharedSpace {
		return op.Errorf("accesses one stage in shared memory, but the buffer is '%s'", ir.TypeString(b))
	}
	if from, ok := op.Attr(AttrFrom).(*ir.DenseArrayAttr); ok && b.Elem == t.Elem {
		return verifyPart(op, b, t, from.Values)
	}
	if !slices.Equal(b.Shape, t.Shape) || b.Elem != t.Elem {
		return op.Errorf("tensor and buffer must have the same shape and element type, but got '%s' and '%s'", ir.TypeString(t), ir.TypeString(b))
	}
	return nil
}
