package plants

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
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

// forgetsSync leaves out that CTAs wait for each other, in front of accesses that others' come before.
func forgetsSync(fn ir.Op) bool {
	list := All(fn, tileaa.Level.ClusterSync)
	for _, op := range list {
		op.ReplaceWith(op.Operand(0))
	}
	return len(list) > 0
}

// racePlant is a plant that an execution with a look at races finds.
func racePlant(name, kernel string, damage func(ir.Op) bool) Plant {
	p := clusterPlant(name, kernel, deals, damage)
	p.Flags = append(p.Flags, "--races")
	return p
}

// becomes puts a value in the place of the first result of an operation.
func becomes(op ir.Op, v func(op ir.Op) ir.Value) bool {
	if op.IsNil() {
		return false
	}
	op.Result(0).ReplaceAllUsesWith(v(op))
	return true
}

var exchangePlants = []Plant{
	clusterPlant("CTAs read what others have yet to store", "rms_norm", exchanges, func(fn ir.Op) bool { return erased(First(fn, tileas.ClusterBarrier)) }),
	clusterPlant("CTAs end while others read", "rms_norm", exchanges, func(fn ir.Op) bool { return erased(last(fn, tileas.ClusterBarrier)) }),
	clusterPlant("the next exchange overwrites what others read", "layer_norm_fwd", exchanges, func(fn ir.Op) bool {
		// Both exchanges in one buffer, whose first life has ended behind the barrier that is to serve for both.
		list := All(fn, tileas.AllocShared)
		if len(list) != 2 {
			return false
		}
		for _, op := range All(fn, tileas.DeallocShared)[:1] {
			op.Erase()
		}
		return becomes(list[1], func(ir.Op) ir.Value { return list[0].Result(0) })
	}),
	clusterPlant("all parts are those of the first CTA", "rms_norm", exchanges, func(fn ir.Op) bool {
		op := last(fn, tileas.RemoteLoad)
		if op.IsNil() {
			return false
		}
		op.SetOperand(1, arith.NewInt(ir.BuilderBefore(op), op.Operand(1).Type(), 0))
		return true
	}),
	clusterPlant("memory is given back before others have read it", "rms_norm", exchanges, func(fn ir.Op) bool {
		op := First(fn, tileas.DeallocShared)
		if op.IsNil() {
			return false
		}
		op.MoveBefore(last(fn, tileas.RemoteLoad))
		return true
	}),
	clusterPlant("a CTA takes its own sum for that of all", "rms_norm", deals, func(fn ir.Op) bool {
		op := First(fn, tileaa.Level.AllGather)
		return !op.IsNil() && becomes(op, func(op ir.Op) ir.Value {
			b := ir.BuilderBefore(op)
			return b.Create(tileaa.Level.Broadcast, op.Operands(), op.ResultTypes()).Result(0)
		})
	}),
	clusterPlant("the first CTA takes what is behind it for what is in front", "scan_f32", deals, func(fn ir.Op) bool {
		op := last(fn, arith.Select)
		return !op.IsNil() && becomes(op, func(op ir.Op) ir.Value { return op.Operand(2) })
	}),
	racePlant("what a CTA acquires is for itself alone", "matmul_split_k", forgetsSync),
	racePlant("what a CTA releases is its own alone", "layer_norm_bwd_dx", forgetsSync),
	clusterPlant("all have the first CTA's memory", "rms_norm", lowers, func(op ir.Op) bool {
		list := All(op, nvvm.MapShared)
		for _, m := range list {
			m.SetOperand(1, arith.NewInt(ir.BuilderBefore(m), m.Operand(1).Type(), 0))
		}
		return len(list) > 0
	}),
	clusterPlant("what a CTA has itself is read for what the others have", "softmax_rows_f16", lowers, func(op ir.Op) bool {
		list := All(op, nvvm.MapShared)
		for _, m := range list {
			b := ir.BuilderBefore(m)
			m.SetOperand(1, b.Create(nvvm.Sreg["cluster_ctarank"], nil, []ir.Type{m.Operand(1).Type()}).Result(0))
		}
		return len(list) > 0
	}),
}

// TestExchangePlants sees that executions behind each pass find the bugs.
func TestExchangePlants(t *testing.T) {
	t.Parallel()
	for _, p := range exchangePlants {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			p.Try(t)
		})
	}
}
