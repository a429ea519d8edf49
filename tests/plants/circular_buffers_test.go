package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs in what stands beside asynchronous MMAs: descriptors and addresses of stages, coordinates and conditions of
// TMA loads.

// constantOf changes the constant that is an operand of an operation.
func constantOf(op ir.Op, i int, to func(old int64) int64) bool {
	if op.IsNil() {
		return false
	}
	a, ok := ir.ConstantValue(op.Operand(i)).(*ir.IntegerAttr)
	if !ok {
		return false
	}
	op.SetOperand(i, arith.NewInt(ir.BuilderBefore(op), op.Operand(i).Type(), to(a.Value)))
	return true
}

// after returns the first operation of a row that a value is made of.
func behind(v ir.Value, def *ir.OpDef) ir.Op {
	op := v.DefiningOp()
	if op.IsNil() || op.Is(def) {
		return op
	}
	for _, o := range op.Operands() {
		if found := behind(o, def); !found.IsNil() {
			return found
		}
	}
	return ir.Op{}
}

// times halves or doubles what the place in a circular buffer is multiplied by, wherever an operand of a row is made of
// that: a kernel has several versions of its loop, of which the case runs some.
func times(def *ir.OpDef, operand string, to func(old int64) int64) func(ir.Op) bool {
	return made(def, operand, arith.MulI, func(op ir.Op) bool { return constantOf(op, 1, to) })
}

// made damages the first operation of a row that an operand of each operation of another row is made of, where that
// is in a circular buffer.
func made(user *ir.OpDef, operand string, def *ir.OpDef, damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		done := make(map[ir.Op]bool)
		for _, op := range All(fn, user) {
			v := op.OperandNamed(operand)
			if found := behind(v, def); !behind(v, arith.MulI).IsNil() && !found.IsNil() && !done[found] && !damage(found) {
				return false
			} else if !behind(v, arith.MulI).IsNil() {
				done[found] = true
			}
		}
		return len(done) > 0
	}
}

func half(n int64) int64  { return n / 2 }
func twice(n int64) int64 { return 2 * n }

// copiesUntil moves the bound of the iterations in which TMA loads copy something.
func copiesUntil(by int64) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		done := make(map[ir.Op]bool)
		for _, op := range All(fn, tileas.TMALoad) {
			if p := op.OperandNamed("predicate"); op.ParentOp().Is(scf.For) && !p.IsNil() {
				bound := p.DefiningOp().Operand(1).DefiningOp()
				if !done[bound] && !constantOf(bound, 1, func(old int64) int64 { return old - by }) {
					return false
				}
				done[bound] = true
			}
		}
		return len(done) > 0
	}
}

var circularBufferPlants = In(Plant{Kernel: "matmul_bf16", By: Exec, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params", "--warp-roles=none"}},
	Plant{Name: "descriptors step in half stages", Pass: "convert-tileas-to-nvvm", Damage: times(nvvm.WgmmaMma, "a_desc", half)},
	Plant{Name: "descriptors of another buffer", Pass: "convert-tileas-to-nvvm", Damage: made(nvvm.WgmmaMma, "a_desc", nvvm.PtrAdd, func(op ir.Op) bool {
		return constantOf(op, 1, func(old int64) int64 { return old + 1024 })
	})},
	Plant{Name: "descriptors in units of 32 bytes", Kernel: "fmha_full_f16", Pass: "convert-tileas-to-nvvm", Damage: made(nvvm.WgmmaMma, "b_desc", arith.ShRUI, func(op ir.Op) bool {
		return constantOf(op, 1, func(old int64) int64 { return old + 1 })
	})},
	Plant{Name: "copies to half stages", Pass: "convert-tileas-to-nvvm", Damage: times(nvvm.TensorLoad, "dst", half)},
	Plant{Name: "mbarriers of other stages", Pass: "convert-tileas-to-nvvm", Damage: times(nvvm.TensorLoad, "mbarrier", twice)},
	Plant{Name: "copies for an iteration too many", Pass: "tileas-pipeline-loops", Damage: copiesUntil(1)},
	Plant{Name: "copies for an iteration too few", Pass: "tileas-pipeline-loops", Damage: copiesUntil(-1)},
)
