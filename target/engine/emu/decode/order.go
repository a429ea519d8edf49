package decode

import "github.com/tilewright/tilewright/target/engine/emu/machine"

// Order is what the check of synchronisation has to know of the instruction at hand.
func (d *Decoder) Order() *machine.Order {
	o := &d.Program.Orders[d.at]
	if *o == nil {
		*o = new(machine.Order)
	}
	return *o
}

// Sem consumes the semantics of an instruction that synchronises, or returns the default.
func (d *Decoder) Sem(otherwise machine.Sem) machine.Sem {
	switch d.OneOf("relaxed", "acquire", "release", "acq_rel", "sc") {
	case "relaxed":
		return machine.Relaxed
	case "acquire":
		return machine.Acquire
	case "release":
		return machine.Release
	case "acq_rel", "sc":
		return machine.AcqRel
	}
	return otherwise
}

// Scope consumes the scope of an instruction that synchronises, or returns the default.
func (d *Decoder) Scope(otherwise machine.Scope) machine.Scope {
	switch d.OneOf("cta", "cluster", "gpu", "sys") {
	case "cta":
		return machine.ScopeCTA
	case "cluster":
		return machine.ScopeCluster
	case "gpu":
		return machine.ScopeGPU
	case "sys":
		return machine.ScopeSys
	}
	return otherwise
}

// findPolls marks the waits whose result only decides whether they are executed again.
func findPolls(code []machine.Inst, orders []*machine.Order) {
	for pc, o := range orders {
		if o != nil && o.Wait && len(code[pc].PredDefs) == 1 {
			o.Polled = polls(code, int32(pc), code[pc].PredDefs[0])
		}
	}
}

// nearby is how many instructions a polling loop has at most.
const nearby = 16

// polls reports whether the next branch on a predicate goes back to the wait that defines it, on one way.
func polls(code []machine.Inst, wait, pred int32) bool {
	back := func(at int32) bool {
		for range nearby {
			if at == wait {
				return true
			}
			in := next(code, at)
			if in == nil || in.Guarded {
				return false
			}
			if at++; in.Kind == machine.KindBranch {
				at = in.Target
			}
		}
		return false
	}
	for at := wait + 1; at < wait+nearby; at++ {
		in := next(code, at)
		switch {
		case in == nil:
			return false
		case in.Kind == machine.KindBranch && in.Guarded && in.Guard.Slot == pred:
			return back(in.Target) || back(at+1)
		case in.Kind == machine.KindBranch && in.Guarded:
			return false
		case in.Kind == machine.KindBranch:
			at = in.Target - 1
		}
	}
	return false
}

// next is an instruction of a polling loop: one that computes, or a branch.
func next(code []machine.Inst, at int32) *machine.Inst {
	if int(at) >= len(code) || code[at].Kind > machine.KindBranch {
		return nil
	}
	return &code[at]
}
