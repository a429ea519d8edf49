package plants

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileaa/partitioncluster"
)

// Bugs in what CTAs of a cluster tell each other.

const exchanges = "tileas-materialize-exchanges"

// last returns the last operation of a row in the text.
func last(op ir.Op, def *ir.OpDef) ir.Op {
	list := All(op, def)
	if len(list) == 0 {
		return ir.Op{}
	}
	return list[len(list)-1]
}

func erased(op ir.Op) bool {
	if op.IsNil() {
		return false
	}
	op.Erase()
	return true
}

// forgetsSync leaves out that CTAs wait for each other, before accesses that others' come before.
func forgetsSync(fn ir.Op) bool {
	list := All(fn, tileaa.Level.ClusterSync)
	for _, op := range list {
		op.ReplaceWith(op.Operand(0))
	}
	return len(list) > 0
}

// becomes puts a value in the place of the first result of an operation.
func becomes(op ir.Op, v func(op ir.Op) ir.Value) bool {
	if op.IsNil() {
		return false
	}
	op.Result(0).ReplaceAllUsesWith(v(op))
	return true
}

var exchangePlants = In(Plant{By: Exec, Flags: []string{"--gpu-name=sm_90"},
	Options: map[string]func() any{"tileaa-partition-cluster": func() any { return &partitioncluster.Options{CTAs: 2} }}},
	Plant{Name: "CTAs read what others have yet to store", Kernel: "rms_norm", Pass: exchanges, Damage: func(fn ir.Op) bool { return erased(First(fn, tileas.ClusterBarrier)) }},
	Plant{Name: "CTAs end while others read", Kernel: "rms_norm", Pass: exchanges, Damage: func(fn ir.Op) bool { return erased(last(fn, tileas.ClusterBarrier)) }},
	Plant{Name: "the next exchange overwrites what others read", Kernel: "layer_norm_fwd", Pass: exchanges, Damage: func(fn ir.Op) bool {
		// Both exchanges in one buffer, whose first life has ended after the barrier that is to serve for both.
		list := All(fn, tileas.AllocShared)
		if len(list) != 2 {
			return false
		}
		for _, op := range All(fn, tileas.DeallocShared)[:1] {
			op.Erase()
		}
		return becomes(list[1], func(ir.Op) ir.Value { return list[0].Result(0) })
	}},
	Plant{Name: "all parts are those of the first CTA", Kernel: "rms_norm", Pass: exchanges, Damage: func(fn ir.Op) bool {
		op := last(fn, tileas.RemoteLoad)
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 0))
		return true
	}},
	Plant{Name: "memory is given back before others have read it", Kernel: "rms_norm", Pass: exchanges, Damage: func(fn ir.Op) bool {
		op := First(fn, tileas.DeallocShared)
		if op.IsNil() {
			return false
		}
		op.MoveBefore(last(fn, tileas.RemoteLoad))
		return true
	}},
	Plant{Name: "a CTA takes its own sum for that of all", Kernel: "rms_norm", Pass: partitions, Damage: func(fn ir.Op) bool {
		op := First(fn, tileaa.Level.AllGather)
		return !op.IsNil() && becomes(op, func(op ir.Op) ir.Value {
			b := ir.BuilderBefore(op)
			return b.Create(tileaa.Level.Broadcast, op.Operands(), op.ResultTypes()).Result(0)
		})
	}},
	Plant{Name: "the first CTA takes what is after it for what is in front", Kernel: "scan_f32", Pass: partitions, Damage: func(fn ir.Op) bool {
		op := last(fn, arith.Select)
		return !op.IsNil() && becomes(op, func(op ir.Op) ir.Value { return op.Operand(2) })
	}},
	Plant{Name: "what a CTA acquires is for itself alone", Kernel: "matmul_split_k", Pass: partitions, Damage: forgetsSync, Flags: []string{"--races"}},
	Plant{Name: "what a CTA releases is its own alone", Kernel: "layer_norm_bwd_dx", Pass: partitions, Damage: forgetsSync, Flags: []string{"--races"}},
	Plant{Name: "all have the first CTA's memory", Kernel: "rms_norm", Pass: lowers, Damage: func(op ir.Op) bool {
		list := All(op, nvvm.MapShared)
		for _, m := range list {
			m.SetOperand(1, arith.NewInt(ir.BuilderBefore(m), m.Operand(1).Type(), 0))
		}
		return len(list) > 0
	}},
	Plant{Name: "what a CTA has itself is read for what the others have", Kernel: "softmax_rows_f16", Pass: lowers, Damage: func(op ir.Op) bool {
		list := All(op, nvvm.MapShared)
		for _, m := range list {
			b := ir.BuilderBefore(m)
			m.SetOperand(1, b.Create(nvvm.Sreg["cluster_ctarank"], nil, []ir.Type{m.Operand(1).Type()}).Result(0))
		}
		return len(list) > 0
	}},
)
