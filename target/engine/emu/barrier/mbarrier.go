package barrier

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var mbarrierOps = map[string]decode.Func{"mbarrier": decodeMbarrier}

// Scopes and semantics are parsed and have no effect, as memory is sequentially consistent; shared::cluster addresses
// are those of any CTA.
//
// The object is 64 bits in shared memory, which programs may copy but not look into. Pack and UnpackMbarrier of package
// machine say where its fields are. A mark distinguishes it from memory that was never initialised, or was overwritten.
//
//	init n                  pending = expected = n, phase 0
//	arrive                  pending -= 1; at 0, and when no bytes are outstanding: next phase, pending = expected
//	expect_tx b             outstanding += b;  complete_tx b, or a copy: outstanding -= b
//	wait parity             true once the phase of that parity is over
func decodeMbarrier(d *decode.Decoder) {
	op := d.OneOf("init", "inval", "expect_tx", "complete_tx", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count")
	withTx := op != "expect_tx" && d.Opt("expect_tx")
	noComplete, parity := d.Opt("noComplete"), d.Opt("parity")
	order := d.Order()
	switch op {
	case "arrive", "arrive_drop":
		order.Sem = d.Sem(machine.Release)
	case "test_wait", "try_wait":
		order.Sem = d.Sem(machine.Acquire)
		order.Wait, order.Result = true, true
	default:
		order.Sem = d.Sem(machine.Relaxed)
	}
	order.Scope = d.Scope(machine.ScopeCTA)
	d.Space()
	d.Type(syntax.B64)
	switch op {
	case "init", "expect_tx", "complete_tx":
		args := d.Args(2)
		at, n := d.Addr(args[0]), d.Src(args[1], syntax.U32)
		d.Inst.Exec = mbarSet(op, at, n)
	// After it the memory may be used for anything; zeros are no mbarrier.
	case "inval":
		at := d.Addr(d.Args(1)[0])
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			base := w.Lanes(at.Base)
			for m != 0 {
				i := machine.Next(&m)
				if mem := w.MbarrierAt(at.Lane(w, base, i), i); mem != nil {
					w.InitMbarrier(at.Lane(w, base, i), false)
					machine.Store(mem, 0)
				}
			}
		}
	case "arrive", "arrive_drop":
		decodeArrive(d, op == "arrive_drop", withTx, noComplete)
	case "test_wait", "try_wait":
		decodeWait(d, parity)
	case "pending_count":
		order.Result = true
		args := d.Args(2)
		d.Inst.Exec = decode.Map1(d.Dst(args[0], syntax.B32), d.Src(args[1], syntax.B64), func(v uint64) uint64 { b, _ := machine.UnpackMbarrier(v); return b.Pending })
	default:
		d.Fail("unknown operation of 'mbarrier'")
	}
}

// expect_tx and complete_tx move the transaction count up and down without an arrival; either may complete the phase.
func mbarSet(op string, at decode.Addr, n machine.Src) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		base, N := w.Lanes(at.Base), w.Lanes(n)
		for m != 0 {
			i := machine.Next(&m)
			addr, v := at.Lane(w, base, i), N[i]
			if v > machine.MaxArrivals || op == "init" && v == 0 {
				w.Faultf(i, "count %d of an mbarrier is out of range", v)
				return
			}
			switch op {
			case "init":
				if mem := w.MbarrierAt(addr, i); mem != nil {
					w.InitMbarrier(addr, true)
					machine.Store(mem, machine.Mbarrier{Pending: v, Expected: v}.Pack())
				}
			case "expect_tx":
				w.UpdateMbarrier(addr, i, func(b *machine.Mbarrier) string { return b.Expect(int64(v)) })
			default:
				w.UpdateMbarrier(addr, i, func(b *machine.Mbarrier) string { return b.Expect(-int64(v)) })
			}
			if w.Err != nil {
				return
			}
		}
	}
}

// decodeArrive decodes mbarrier.arrive[.expect_tx] and arrive_drop. Their
// last operand is the transaction count or the number of arrivals.
//
// expect_tx happens before the arrival in one step ("mbarrier.arrive", .expect_tx): in two, the phase could complete
// in between.
//
// .noComplete is a promise that the arrival does not complete the phase ("mbarrier.arrive": undefined
// otherwise): it is checked.
func decodeArrive(d *decode.Decoder, drop, withTx, noComplete bool) {
	args := d.Argc(1, 3)
	dst := int32(machine.SlotSink)
	if args[0].Kind != syntax.OpAddr {
		dst = d.Dst(args[0], syntax.B64)
		args = args[1:]
	}
	if len(args) == 0 {
		d.Fail("'mbarrier.arrive' has no address")
	}
	at := d.Addr(args[0])
	n := d.Const(1)
	if len(args) > 1 {
		n = d.Src(args[1], syntax.U32)
	} else if withTx {
		d.Fail("'.expect_tx' needs a transaction count")
	}
	d.Counts(machine.MbarrierArrivals)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for k := m; k != 0; {
			i := machine.Next(&k)
			v := w.Lanes(n)[i]
			addr := at.Lane(w, w.Lanes(at.Base), i)
			old, ok := w.UpdateMbarrier(addr, i, func(b *machine.Mbarrier) string {
				count := v
				if withTx {
					count = 1
					if wrong := b.Expect(int64(v & num.Mask(32))); wrong != "" {
						return wrong
					}
				}
				if drop {
					if count > b.Expected {
						return "more threads drop out than are expected"
					}
					b.Expected -= count
				}
				if noComplete && count >= b.Pending {
					return "'.noComplete' would complete the phase"
				}
				return b.Arrive(count)
			})
			if !ok {
				return
			}
			w.Reg(dst)[i] = old
		}
	}
}

// decodeWait decodes test_wait and try_wait. A wait that fails ends the warp's time slice, so that the others can do
// what it waits for.
//
// A parity names the phase that the thread waits for; it has completed when the object's own parity differs. A thread
// that is two phases late does not notice, as on hardware: only the current and the preceding phase may be asked for
// ("mbarrier.test_wait"). try_wait may suspend the thread for a time. Here it fails at once, and the time slice ends.
func decodeWait(d *decode.Decoder, parity bool) {
	args := d.Argc(3, 4)
	dst, at := d.PredDst(args[0]), d.Addr(args[1])
	t := syntax.B64
	if parity {
		t = syntax.U32
	}
	phase := d.Src(args[2], t)
	if len(args) == 4 {
		d.Src(args[3], syntax.U32) // time limit
	}
	d.Counts(machine.MbarrierWaits)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		var done uint32
		for k := m; k != 0; {
			i := machine.Next(&k)
			addr := at.Lane(w, w.Lanes(at.Base), i)
			mem := w.MbarrierAt(addr, i)
			if mem == nil {
				return
			}
			b, valid := machine.UnpackMbarrier(machine.Load(mem))
			if !valid {
				w.NotMbarrier(addr)
				w.Faultf(i, "mbarrier at shared address %#x is not initialised", addr)
				return
			}
			v := w.Lanes(phase)[i]
			if !parity {
				v >>= 61
			}
			if v&1 != b.Parity {
				done |= 1 << i
			}
			w.WaitMbarrier(addr, done>>i&1 != 0)
		}
		w.Waited(at.Lane(w, w.Lanes(at.Base), machine.FirstLane(m)), done == m)
		w.SetPred(dst, done, m)
		if done != m {
			w.Count(machine.MbarrierRetries, 1)
			w.Yield, w.Stalled = true, true
		}
	}
}
