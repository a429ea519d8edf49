package access

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var cacheOps = map[string]decode.Func{
	"createpolicy":  decodeCreatepolicy,
	"prefetch":      decodeHint,
	"prefetchu":     decodeHint,
	"applypriority": decodeRange,
	"discard":       decodeRange,
}

// decodeCreatepolicy gives every cache policy the value zero: the emulator
// has no caches.
func decodeCreatepolicy(d *decode.Decoder) {
	d.OneOf("fractional", "range", "cvt")
	d.Prefixed("L2", "L1")
	d.Opt("global")
	d.Type(syntax.B64)
	args := d.Argc(1, 4)
	for _, o := range args[1:] {
		if o.Kind == syntax.OpReg {
			d.Use(o.Sym)
		}
	}
	d.Inst.Exec = decode.Move(d.Dst(args[0], syntax.B64), d.Const(0))
}

// decodeHint decodes instructions that only advise the memory system.
//
// They are decoded as far as their operands go, so that a wrong one is rejected.
func decodeHint(d *decode.Decoder) {
	d.Space()
	d.Prefixed("L1", "L2", "tensormap", "tensormap::")
	for _, o := range d.Argc(1, 3) {
		if o.Kind == syntax.OpAddr {
			d.Addr(o)
		}
	}
}

// hintBytes is the size of what applypriority and discard work on.
const hintBytes = 128

// decodeRange decodes applypriority and discard. What is discarded has no
// certain value any more, which the adversary shows.
//
// What is discarded is "unstable": two reads may differ ("discard"). The adversary writes poison once, which
// shows a use as well.
func decodeRange(d *decode.Decoder) {
	if sp := d.Space(); sp != syntax.Global && sp != syntax.Generic {
		d.Fail("'%s' works on global memory only", d.Stmt.Op)
	}
	discard := d.Stmt.Op == "discard"
	level := "L2::evict_normal"
	if discard {
		level = "L2"
	}
	if !d.Opt(level) {
		d.Fail("'%s' needs .%s", d.Stmt.Op, level)
	}
	args := d.Args(2)
	at := d.Addr(args[0])
	if o := args[1]; o.Kind != syntax.OpInt || o.Bits != hintBytes {
		d.FailAt(o, "the size must be %d", hintBytes)
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		base := w.Lanes(at.Base)
		for m != 0 {
			i := machine.Next(&m)
			addr := at.Lane(w, base, i)
			if sp, _ := machine.Classify(addr); sp != syntax.Global {
				w.Faultf(i, "address %#x is not in global memory", addr)
				return
			}
			b := w.Span(syntax.Global, addr, hintBytes, hintBytes, i, discard)
			if b == nil {
				return
			}
			if g := w.CTA.Cluster; discard && g.Rng != nil {
				g.Poison(b)
			}
		}
	}
}
