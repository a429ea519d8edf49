package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.CpAsync:       (*emitter).cpAsync,
		nvvm.CpAsyncCommit: bare(ptx.OpCpAsyncCommitGroup),
		nvvm.CpAsyncArrive: func(e *emitter, o ir.Op) error {
			return e.guarded(o, sm.CpAsyncMbarrier, ptx.OpCpAsyncMbarrierArrive, mods(ptx.Noinc, ptx.Shared, ptx.B64), e.address(o.Operand(0), 0))
		},
		nvvm.CpAsyncWait: func(e *emitter, o ir.Op) error {
			n, _ := o.IntAttr(nvvm.AttrCount)
			if n < 0 {
				return o.Errorf("cannot leave %d groups pending", n)
			}
			e.emit(ptx.OpCpAsyncWaitGroup, nil, ptx.Int(n))
			return nil
		},
		nvvm.GridDepWait:   bare(ptx.OpGridDepWait, sm.GridDepControl),
		nvvm.GridDepLaunch: bare(ptx.OpGridDepLaunch, sm.GridDepControl),
		nvvm.Trap:          bare(ptx.OpTrap),
	})
}

// bare is the rule of an operation that is an instruction without operands.
func bare(op ptx.Op, needs ...sm.Feature) rule {
	return func(e *emitter, o ir.Op) error {
		for _, f := range needs {
			if err := e.need(o, f); err != nil {
				return err
			}
		}
		e.emit(op, nil)
		return nil
	}
}

// cpAsync copies a chunk from global to shared memory without a register. The thread itself sees what was written
// after a wait for its group, and other threads after another barrier (PTX ISA, "cp.async.wait_group"). Level
// tileas has inserted both.
func (e *emitter) cpAsync(o ir.Op) error {
	if spaceOf(o.Operand(1)) != nvvm.Global {
		return o.Errorf("has no PTX instruction that copies from %s memory", spaceOf(o.Operand(1)))
	}
	size, _ := o.IntAttr(nvvm.AttrSize)
	// .cg bypasses L1 and exists for 16 bytes only; .ca takes 4 and 8 as well (PTX ISA, cp.async).
	cache := ptx.CA
	if o.StringAttr(nvvm.AttrCache) == "cg" {
		cache = ptx.CG
	}
	to, _ := o.IntAttr(nvvm.AttrOffset)
	from, _ := o.IntAttr(nvvm.AttrSourceOffset)
	args := []ptx.Operand{e.address(o.Operand(0), to), e.address(o.Operand(1), from), ptx.Int(size)}
	// The optional operand is how many bytes are read; the rest of the destination is filled with zeros.
	if n := o.OperandNamed("bytes"); !n.IsNil() {
		args = append(args, e.use(n))
	}
	var pred ptx.Reg
	if p := o.OperandNamed("predicate"); !p.IsNil() {
		pred = e.reg(p)
	}
	e.emitIf(pred, ptx.OpCpAsync, mods(cache, ptx.Shared, ptx.Global), args...)
	return nil
}
