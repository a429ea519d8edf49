package decode

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Counts says that an execution of the instruction at hand is one of these events.
func (d *Decoder) Counts(events ...machine.Counter) {
	p := d.probe()
	p.Events = append(p.Events, events...)
}

// Accesses says, for counters, that each lane of the instruction at hand accesses n bytes.
func (d *Decoder) Accesses(kind machine.AccessKind, sp syntax.Space, a Addr, n int) {
	d.AccessesIn(kind, sp, func(w *machine.Warp, lane int) (uint64, int) { return a.Lane(w, w.Lanes(a.Base), lane), n })
}

// AccessesIn says, for counters, which bytes a lane of the instruction at hand accesses.
func (d *Decoder) AccessesIn(kind machine.AccessKind, sp syntax.Space, lane func(w *machine.Warp, lane int) (addr uint64, n int)) {
	p := d.probe()
	p.Accesses = append(p.Accesses, machine.Access{Space: sp, Kind: kind, Lane: lane})
}

func (d *Decoder) probe() *machine.Probe {
	p := &d.Program.Probes[d.at]
	if *p == nil {
		*p = new(machine.Probe)
	}
	return *p
}
