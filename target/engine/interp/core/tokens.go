package core

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/races"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// tracked wraps the action of an operation that has tokens, in runs that look for races. The slot of a token holds a
// set of events: those ordered before it. An operation's own set is the union of its operands' sets. The results' sets
// have the operation itself as well.
func (d *Decoder) tracked(op ir.Op, run func(m *Machine) error) func(m *Machine) error {
	var in, out []int
	for _, v := range op.Operands() {
		if values.IsToken(v.Type()) {
			in = append(in, d.Slot(v))
		}
	}
	for _, v := range op.Results() {
		if values.IsToken(v.Type()) {
			out = append(out, d.Slot(v))
		}
	}
	if len(in)+len(out) == 0 {
		return run
	}
	accesses, weak := Accessing(op)
	var acquires, releases bool
	if accesses {
		acquires, releases = synchronises(op)
	}
	this := races.NewEvent(op, weak, acquires, releases)
	return func(m *Machine) error {
		r := m.Race
		token := m.Alloc(r.Words())
		clear(token.Data)
		for _, s := range in {
			for i, w := range m.Vals[s].Data {
				token.Data[i] |= w
			}
		}
		n := r.Begin(this, accesses, token.Data)
		if err := run(m); err != nil {
			return err
		}
		if accesses {
			token.Data[n/64] |= 1 << (n % 64)
		}
		for _, s := range out {
			m.Share(s, token)
		}
		m.Release(token)
		return nil
	}
}
