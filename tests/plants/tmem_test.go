package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Bugs with operands, accumulators and scales in tensor memory.

// onTMEM is a plant for sm_100, in what the last pass at nv_tileas leaves.
func onTMEM(kernel, launch string, flags ...string) Plant {
	return Plant{Kernel: "testdata/" + kernel + ".mlir", Launch: launch, Flags: append([]string{"--gpu-name=sm_100"}, flags...), Pass: "tileas-insert-barriers", By: Late}
}

// elementsOf returns the first operation of a row of which an operand has elements of so many bits.
func elementsOf(def *ir.OpDef, operand, bits int) func(fn ir.Op) ir.Op {
	return func(fn ir.Op) ir.Op {
		return FirstWhere(fn, def, func(op ir.Op) bool { return ir.BitWidth(ir.ElementType(tile.HeldType(op.Operand(operand)))) == bits })
	}
}

var (
	operandStore = elementsOf(tileas.TMEMStore, 1, 16)
	scaleStore   = elementsOf(tileas.TMEMStore, 1, 8)
)

// operandMMA returns the MMA whose first operand is in tensor memory.
func operandMMA(fn ir.Op) ir.Op {
	return FirstWhere(fn, tileas.TMEMDot, func(op ir.Op) bool { return tileas.InTMEM(op.Operand(0)) })
}

func rescale(fn ir.Op) ir.Op { return FirstWhere(fn, tileas.TMEMScale, ir.InLoop) }

// barrierAfter drops the first barrier between an operation and the next MMA.
func barrierAfter(op ir.Op) bool {
	for ; !op.IsNil() && !op.Is(tileas.TMEMDot); op = op.Next() {
		if op.Is(tileas.Barrier) {
			return erase(op)
		}
	}
	return false
}

// attention is a plant in attention for sm_100, in what a pass leaves, with roles or without (none).
func attention(roles, pass string) Plant {
	p := onTMEM("tmem_attention", "--arg=f32[8192]=-1 --arg=f16[8192]=random --arg=f16[16384]=random --arg=f16[16384]=random")
	p.Flags, p.Pass = append(p.Flags, "--warp-roles="+roles), pass
	return p
}

var tmemPlants = In(attention("none", "tileas-insert-barriers"),
	Plant{Name: "operand not stored", Says: "'nv_tileas.tmem_dot' op reads TMEM that nothing has stored", Damage: on(operandStore, erase)},
	Plant{Name: "no barrier after the store of an operand", Says: "'nv_tileas.tmem_dot' op accesses shared memory that another thread accesses in 'nv_tileas.tmem_scale'",
		Damage: on(operandStore, barrierAfter)},
	Plant{Name: "accumulator loaded while the MMA is in flight", Says: "nv_tileas.", Damage: on(operandMMA, func(dot ir.Op) bool {
		wait := dot.Next()
		for !wait.IsNil() && !wait.Is(tileas.TMEMWait) {
			wait = wait.Next()
		}
		return !wait.IsNil() && erase(wait)
	})},
	Plant{Name: "operand written while the MMA is in flight", Says: "'nv_tileas.tmem_store' op writes TMEM that 'nv_tileas.tmem_dot' is still reading",
		Damage: func(fn ir.Op) bool {
			dot, store := operandMMA(fn), operandStore(fn)
			if dot.IsNil() || store.IsNil() {
				return false
			}
			ir.BuilderAfter(dot).Create(tileas.TMEMStore, store.Operands(), nil)
			return true
		}},
	Plant{Name: "accumulator not rescaled", Says: "differs", Damage: on(rescale, erase)},
	Plant{Name: "accumulator rescaled while the MMA is in flight", Says: "'nv_tileas.tmem_scale' op writes TMEM that 'nv_tileas.tmem_dot' is still writing",
		Damage: func(fn ir.Op) bool {
			dot, mul := operandMMA(fn), rescale(fn)
			if dot.IsNil() || mul.IsNil() {
				return false
			}
			mul.MoveAfter(dot)
			return true
		}},
)

var scaledPlants = In(onTMEM("scaled_mma_loop", "--arg=f32[4096]=0 --arg=f8e4m3[65536]=random --arg=f8e4m3[16384]=random --arg=f8e8m0[2048]=2 --arg=f8e8m0[512]=0.5", "--warp-roles=none"),
	Plant{Name: "scales not stored", Says: "'nv_tileas.tmem_dot' op reads TMEM that nothing has stored", Damage: on(scaleStore, erase)},
	Plant{Name: "scales of all iterations in one stage", Says: "'nv_tileas.tmem_store' op writes TMEM that 'nv_tileas.tmem_dot' is still reading", Damage: func(fn ir.Op) bool {
		n := 0
		for _, op := range All(fn, tileas.BufferStage) {
			if op.Result(0).Type().(*tileas.BufferType).Space == tileas.TMEMSpace {
				op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Context().Int(32), 0))
				n++
			}
		}
		return n > 0
	}},
	Plant{Name: "no barrier after the store of scales", Says: "'nv_tileas.tmem_dot' op accesses shared memory that another thread accesses in 'nv_tileas.tmem_store'",
		Damage: on(scaleStore, barrierAfter)},
	Plant{Name: "scales of the iteration before", Says: "'nv_tileas.tmem_dot' op reads TMEM that nothing has stored", Damage: func(fn ir.Op) bool {
		dot := First(fn, tileas.TMEMDot)
		stage := tileas.TMEMScales(dot)[0].DefiningOp()
		if !stage.Is(tileas.BufferStage) {
			return false
		}
		b := ir.BuilderBefore(dot)
		dot.SetOperand(5, b.Create(tileas.BufferStage, []ir.Value{stage.Operand(0), otherParity(b, stage.Operand(1))}, []ir.Type{stage.Result(0).Type()}).Result(0))
		return true
	}},
)

// packedStore returns the n-th store of an operand of two elements to a byte; that of A comes first.
func packedStore(n int) func(fn ir.Op) ir.Op {
	return func(fn ir.Op) ir.Op {
		left := n
		return FirstWhere(fn, tileas.LocalStore, func(op ir.Op) bool {
			if ir.ElementType(op.Operand(0).Type()) != op.Context().Int(8) {
				return false
			}
			left--
			return left < 0
		})
	}
}

// combined stores something else for each byte.
func combined(by *ir.OpDef, number int64) func(ir.Op) bool {
	return func(op ir.Op) bool {
		b, v := ir.BuilderBefore(op), op.Operand(0)
		k := arith.NewConstant(b, v.Type(), arith.OfType(arith.FromBits(ir.ElementType(v.Type()), uint64(number)), v.Type()))
		op.SetOperand(0, b.Create(by, []ir.Value{v, k}, []ir.Type{v.Type()}).Result(0))
		return true
	}
}

// Operands are 0x32 and 0x43 everywhere, scales 1.
var packedPlants = In(onTMEM("packed_mma", "--arg=f32[4096]=0 --arg=i8[4096]=50 --arg=i8[1024]=67 --arg=i8[512]=56 --arg=i8[128]=56"),
	Plant{Name: "A not stored", Says: "nv_tileas.", Damage: on(packedStore(0), erase)},
	Plant{Name: "B not stored", Says: "nv_tileas.", Damage: on(packedStore(1), erase)},
	Plant{Name: "lower halves of A", Says: "differs", Damage: on(packedStore(0), combined(arith.AndI, 0xf))},
	Plant{Name: "upper halves of B", Says: "differs", Damage: on(packedStore(1), combined(arith.ShRUI, 4))},
)

// The consumer warps start the MMAs themselves; mmaWarpPlants has a warp for that.
var tmemProducerPlants = In(Plant{Kernel: "testdata/tmem_product.mlir", Launch: "--arg=f16[73728]=random --arg=f16[36864]=random --arg=f16[8192]=0",
	Passes: []string{"--lower-to=synchronised", "--before=tileas-specialize-warps:tileas-specialize-warps{roles=always no-mma-warp=true}"},
	Flags:  []string{"--gpu-name=sm_100", "--warp-roles=always"}, Pass: "tileas-insert-barriers", By: Late},
	Plant{Name: "nobody frees a stage", Damage: inRole(0, tileas.MbarrierArrive, 0, erase)},
	Plant{Name: "consumers do not wait for a load", Damage: inRole(0, tileas.MbarrierWait, 0, erase)},
	Plant{Name: "the producer does not wait for a free stage", Damage: inRole(1, tileas.MbarrierWait, 0, erase)},
	Plant{Name: "no bytes are announced", Damage: inRole(1, tileas.MbarrierExpect, 0, erase)},
	Plant{Name: "a stage is freed while the MMA reads it", Damage: inRole(0, tileas.TMEMWait, 0, erase)},
	Plant{Name: "one load is left out", Damage: inRole(1, tileas.TMALoad, 0, erase)},
)
