package decode

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// ReadsShared notes that the program reads shared memory through the
// asynchronous proxy.
func (d *Decoder) ReadsShared() { d.Program.AsyncReads = true }

// Publishes makes the instruction at hand one by which other threads may
// learn of writes.
func (d *Decoder) Publishes() {
	d.before = append(d.before, func(w *machine.Warp, m uint32) { w.Publish() })
}

// AccessesGlobal notes that the program accesses global memory through it.
func (d *Decoder) AccessesGlobal() { d.Program.AsyncGlobal = true }
