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
