package plants

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// distribute gives the first tensor that operations of a row make, and that pleases, the layout of another number of
// warps, or of other threads.
func distribute(def *ir.OpDef, warps int, feeds *ir.OpDef) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := FirstWhere(fn, def, func(o ir.Op) bool {
			if feeds == nil {
				return true
			}
			for u := range o.Result(0).Uses() {
				if u.Owner().Is(feeds) {
					return true
				}
			}
			return false
		})
		if op.IsNil() {
			return false
		}
		t, ok := op.Result(0).Type().(*ir.TensorType)
		if !ok {
			return false
		}
		shape := make([]int, len(t.Shape))
		order := make([]int, len(t.Shape))
		for i, n := range t.Shape {
			shape[i], order[i] = int(n), i
		}
		l, err := linear.Coalesced(shape, 32, 32, 32, warps, order)
		if err != nil {
			return false
		}
		op.Result(0).SetType(tileas.WithLayout(t, l))
		return true
	}
}

// without removes an attribute of the first operation of a row.
func without(def *ir.OpDef, attr string) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := FirstWhere(fn, def, func(o ir.Op) bool { return o.Attr(attr) != nil })
		if op.IsNil() {
			return false
		}
		op.SetAttr(attr, nil)
		return true
	}
}

// create adds an operation at the beginning of the first kernel of a row inside op.
func create(kernel *ir.OpDef, make func(b *ir.Builder)) func(ir.Op) bool {
	return func(op ir.Op) bool {
		fn := op
		if !op.Is(kernel) {
			fn = First(op, kernel)
		}
		if fn.IsNil() {
			return false
		}
		make(ir.BuilderAtStart(fn.Body()))
		return true
	}
}

func constant(b *ir.Builder, bits int) ir.Value {
	t := b.Context().Int(bits)
	return b.Create(arith.Constant, nil, []ir.Type{t}, ir.NamedAttr{Name: arith.AttrValue, Value: b.Context().IntAttr(t, 1)}).Result(0)
}

func i32(op ir.Op, n int64) ir.Attribute { return op.Context().IntAttr(op.Context().Int(32), n) }

// runs changes what the first load of rows says of its pointers.
func runs(change func(n []int64) []int64) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := FirstWhere(fn, tileaa.Level.Load, func(o ir.Op) bool {
			list, ok := o.Attr(tile.AttrRuns).(*ir.DenseArrayAttr)
			return ok && len(list.Values) == 2
		})
		if op.IsNil() {
			return false
		}
		op.SetAttr(tile.AttrRuns, op.Context().DenseI64(change(op.Attr(tile.AttrRuns).(*ir.DenseArrayAttr).Values)...))
		return true
	}
}

var levelPlants = []Plant{
	// From level to level.
	{Name: "tile operation left", Kernel: "vadd_f32", Pass: "convert-cuda-tile-to-tileaa", By: "tileaa", Says: "is of level 'cuda_tile'",
		Damage: create(tileaa.Level.Func, func(b *ir.Builder) { b.Create(cudatile.MakeToken, nil, []ir.Type{cudatile.Token(b.Context())}) })},
	{Name: "assumption left", Kernel: "vadd_f32", Pass: "convert-tileaa-to-tileas", By: "tileas", Says: "is of level 'tileaa'",
		Damage: create(tileas.Level.Func, func(b *ir.Builder) { b.Create(tileaa.Level.MakeToken, nil, []ir.Type{tileaa.Level.Token(b.Context())}) })},
	{Name: "barrier left", Kernel: "vadd_f32", Pass: "convert-tileas-to-nvvm", By: "nvvm", Says: "'nv_tileas.barrier' op is of level 'tileas'",
		Damage: create(nvvm.Func, func(b *ir.Builder) { b.Create(tileas.Barrier, nil, nil) })},
	{Name: "dead operation", Kernel: "vadd_f32", Pass: "canonicalize", By: "canonical", Run: 2, Says: "nothing uses its results",
		Damage: create(tileaa.Level.Func, func(b *ir.Builder) { constant(b, 32) })},

	// Level tileaa.
	{Name: "facts forgotten", Kernel: "matmul_f16", Pass: "tileaa-attach-facts", By: "facts-attached", Instead: Nothing},
	{Name: "one fact forgotten", Kernel: "matmul_f16", Pass: "tileaa-attach-facts", By: "facts-attached", Says: "has no 'stride_div'",
		Damage: without(tileaa.Level.TiledLoad, tile.AttrStrideDiv)},
	{Name: "fact lost later", Kernel: "matmul_f16", Pass: "cse", By: "facts-attached", Run: 2, Damage: without(tileaa.Level.TiledStore, tile.AttrBaseDiv)},
	{Name: "runs along the other dimension", Kernel: "moe_fused_gemm", Pass: "tileaa-attach-facts", By: Exec, Says: "does not follow",
		Damage: runs(func(n []int64) []int64 { return []int64{n[1], n[0]} })},
	{Name: "runs of twice the length", Kernel: "moe_fused_gemm", Pass: "tileaa-attach-facts", By: Verifier, Says: "must be a power of two of at most 16 bytes",
		Damage: runs(func(n []int64) []int64 { return []int64{1, 2 * n[1]} })},
	{Name: "address hoisted twice", Kernel: "moe_fused_gemm", Pass: "tileaa-hoist-addresses", By: Exec, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, tileaa.Level.AddPtr, func(o ir.Op) bool {
			def := o.Operand(0).DefiningOp()
			return !def.IsNil() && def.Is(tileaa.Level.AddPtr)
		})
		if op.IsNil() {
			return false
		}
		front := op.Operand(0).DefiningOp()
		again := ir.BuilderBefore(op).Create(tileaa.Level.AddPtr, []ir.Value{front.Result(0), front.Operand(1)}, front.ResultTypes())
		op.SetOperand(0, again.Result(0))
		return true
	}},
	{Name: "objects of a part", Kernel: "softmax_rows_f16", Pass: "tileaa-strip-mine", By: "objects-attached", Damage: without(tileaa.Level.TiledLoad, tile.AttrObjects)},
	{Name: "facts of a part", Kernel: "softmax_rows_f16", Pass: "tileaa-strip-mine", By: "facts-attached", Damage: without(tileaa.Level.TiledLoad, tile.AttrOffsetDiv)},
	{Name: "offset of another part", Kernel: "softmax_rows_f16", Pass: "tileaa-strip-mine", By: Exec, Damage: func(fn ir.Op) bool {
		op := First(fn, tileaa.Level.TiledStore)
		if op.IsNil() {
			return false
		}
		lo, hi := op.OperandRange(op.Def().OperandField("offsets"))
		op.SetOperand(hi-1, op.Operand(lo))
		return true
	}},

	{Name: "gather without its mask", Kernel: "moe_fused_gemm", Pass: "tileas-materialize-copies", By: Exec, Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, tileas.GatherAsync, func(o ir.Op) bool { return !o.OperandNamed("mask").IsNil() })
		if op.IsNil() {
			return false
		}
		sizes := slices.Clone(op.Attr(ir.OperandSegmentSizes).(*ir.DenseArrayAttr).Values)
		sizes[2] = 0
		op.SetOperands(slices.Delete(op.Operands(), 2, 3))
		op.SetAttr(ir.OperandSegmentSizes, op.Context().DenseArray(op.Context().Int(32), sizes...))
		return true
	}},

	// Level tileas: layouts.
	{Name: "number of warps", Kernel: "matmul_f16", Pass: "tileas-assign-layouts", By: "layouts-assigned", Says: "over another number of warps",
		Damage: distribute(tileas.Level.TiledLoad, 2, nil)},
	{Name: "layout forgotten", Kernel: "matmul_f16", Pass: "tileas-assign-layouts", By: "layouts-assigned", Instead: Nothing, Says: "is a tensor without a layout"},
	{Name: "layout of a reduction", Kernel: "softmax_rows_f16", Pass: "tileas-legalize-reduce", By: "layouts-assigned",
		Damage: distribute(tileas.Level.Reduce, 4, nil)},
	{Name: "layout after a conversion", Kernel: "matmul_f16", Pass: "tileas-materialize-convert-layout", By: "instructions-chosen",
		Says: "'nv_tileas.dot' op has an operand #", Damage: distribute(tileas.LocalLoad, 4, tileas.Level.Dot)},
	{Name: "conversion that was needed", Kernel: "matmul_f16", Pass: "tileas-remove-layout-conversions", By: "instructions-chosen", Damage: func(fn ir.Op) bool {
		op := FirstWhere(fn, tileas.ConvertLayout, func(o ir.Op) bool {
			for u := range o.Result(0).Uses() {
				return u.Owner().Is(tileas.Level.Dot)
			}
			return false
		})
		if op.IsNil() {
			return false
		}
		op.ReplaceWith(op.Operand(0))
		return true
	}},
	{Name: "instruction of no target", Kernel: "matmul_f16", Pass: "tileas-assign-layouts", By: "instructions-chosen", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.Level.Dot)
		if op.IsNil() {
			return false
		}
		a := tileas.MMAOf(op)
		op.SetAttr(tileas.AttrMMA, tileas.MMA(op.Context(), a.Family, a.M, 2*a.N, a.K, a.WarpsM, a.WarpsN))
		return true
	}},
	{Name: "instruction forgotten", Kernel: "matmul_f16", Pass: "tileas-assign-layouts", By: "instructions-chosen", Damage: without(tileas.Level.Dot, tileas.AttrMMA)},
	{Name: "arrangement of warps", Kernel: "matmul_f16", Pass: "licm", Run: 3, By: "instructions-chosen", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.Level.Dot)
		if op.IsNil() {
			return false
		}
		a := tileas.MMAOf(op)
		op.SetAttr(tileas.AttrMMA, tileas.MMA(op.Context(), a.Family, a.M, a.N, a.K, 2*a.WarpsM, a.WarpsN))
		return true
	}},

	// Level tileas: what crosses warps.
	{Name: "reduction across warps", Kernel: "softmax_rows_f16", Pass: "tileas-legalize-reduce", By: "warp-reduces", Instead: Nothing},
	{Name: "conversion across warps", Kernel: "matmul_f16", Pass: "tileas-materialize-convert-layout", By: "local-conversions", Instead: Nothing},
	{Name: "atomic in every thread", Kernel: "ticket_last_block", Pass: "tileas-legalize-atomics", By: "atomics-once", Instead: Nothing},

	// Level tileas: shared memory.
	{Name: "buffers in one place", Kernel: "matmul_f16", Pass: "tileas-allocate-shared", By: "shared-allocated", Says: "shares some with a buffer that lives at the same time",
		Damage: func(fn ir.Op) bool {
			bufs := All(fn, tileas.AllocShared)
			for _, b := range bufs {
				b.SetAttr(tileas.AttrOffset, i32(b, 0))
			}
			return len(bufs) > 1
		}},
	{Name: "offset forgotten", Kernel: "matmul_f16", Pass: "tileas-allocate-shared", By: "shared-allocated", Damage: without(tileas.AllocShared, tileas.AttrOffset)},
	{Name: "too little shared memory", Kernel: "matmul_f16", Pass: "tileas-allocate-shared", By: "shared-allocated", Damage: func(fn ir.Op) bool {
		n, ok := fn.IntAttr(tileas.AttrSharedBytes)
		fn.SetAttr(tileas.AttrSharedBytes, i32(fn, n-128))
		return ok && n > 0
	}},
	{Name: "offset of no row of banks", Kernel: "matmul_f16", Pass: "tileas-allocate-shared", By: "shared-allocated", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.AllocShared)
		if op.IsNil() {
			return false
		}
		op.SetAttr(tileas.AttrOffset, i32(op, 64))
		return true
	}},
	{Name: "place lost later", Kernel: "matmul_f16", Pass: "tileas-insert-barriers", By: "shared-allocated", Damage: without(tileas.Level.Func, tileas.AttrSharedBytes)},
	{Name: "barriers forgotten", Kernel: "matmul_f16", Pass: "tileas-insert-barriers", By: "synchronised", Instead: Nothing},
	{Name: "one barrier dropped", Kernel: "matmul_f16", Pass: "tileas-insert-barriers", By: "synchronised", Says: "conflicts with an access of other threads",
		Damage: func(fn ir.Op) bool {
			all := All(fn, tileas.Barrier)
			if len(all) == 0 {
				return false
			}
			all[len(all)-1].Erase()
			return true
		}},
	{Name: "barrier too late", Kernel: "softmax_rows_f16", Pass: "tileas-insert-barriers", By: "synchronised", Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.Barrier)
		if op.IsNil() {
			return false
		}
		op.MoveAfter(op.Next())
		return true
	}},

	// Level nvvm.
	{Name: "function left", Kernel: "softmax_rows_f16", Pass: "nvvm-expand-math", By: "math-expanded", Instead: Nothing, Says: "'arith.exp' op is an elementary function"},
	{Name: "function made later", Kernel: "vadd_f32", Pass: "cse", Run: 3, By: "math-expanded", Damage: create(nvvm.Func, func(b *ir.Builder) {
		f32 := b.Context().F32()
		x := b.Create(arith.Bitcast, []ir.Value{constant(b, 32)}, []ir.Type{f32}).Result(0)
		b.Create(arith.Sin, []ir.Value{x}, []ir.Type{f32})
	})},
	{Name: "bytes left", Kernel: "int_arith_i8", Pass: "nvvm-legalize-arith", By: "legal-arith", Instead: Nothing, Says: "has no instruction on sm_90 for 'i8'"},
	{Name: "division made later", Kernel: "vadd_f32", Pass: "licm", Run: 4, By: "legal-arith", Damage: create(nvvm.Func, func(b *ir.Builder) {
		x := constant(b, 32)
		b.Create(arith.FloorDiv, []ir.Value{x, x}, []ir.Type{x.Type()})
	})},
}
