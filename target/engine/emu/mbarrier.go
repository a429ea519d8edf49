package emu

import "fmt"

var mbarrierOps = map[string]decodeFn{"mbarrier": decodeMbarrier}

// mbar is the state of an mbarrier object. The ISA leaves its 64 bits
// opaque; here they are, from the lowest: 20 bits of pending arrivals, 20
// bits of expected arrivals, 21 bits of signed transaction count, the phase
// parity, and 01, which neither zeroed nor poisoned memory holds.
type mbar struct {
	pending, expected uint64
	tx                int64
	parity            uint64
}

const (
	mbarMax   = 1<<20 - 1 // of the counts
	mbarMagic = 1 << 62
)

func (b mbar) pack() uint64 {
	return b.pending | b.expected<<20 | uint64(b.tx)&mask(21)<<40 | b.parity<<61 | mbarMagic
}

func unpackMbar(v uint64) (mbar, bool) {
	return mbar{v & mask(20), v >> 20 & mask(20), sext(v>>40, 21), v >> 61 & 1}, v>>62 == 1
}

// mbarAt returns the mbarrier at a shared address, or nil after a fault.
func (w *warp) mbarAt(addr uint64, lane int) []byte {
	if sp, local := classify(addr); sp == spShared {
		addr = local
	}
	return w.at(spShared, addr, 8, lane, true)
}

// mbarUpdate changes an initialised mbarrier, completes its phase if that
// is due, and returns the state before.
func (w *warp) mbarUpdate(addr uint64, lane int, f func(b *mbar) (wrong string)) (old uint64, ok bool) {
	mem := w.mbarAt(addr, lane)
	if mem == nil {
		return 0, false
	}
	old = get(mem)
	b, valid := unpackMbar(old)
	if !valid {
		w.faultf(lane, "mbarrier at shared address %#x is not initialised", addr)
		return 0, false
	}
	if wrong := f(&b); wrong != "" {
		w.faultf(lane, "mbarrier at shared address %#x (%d of %d arrivals pending, transaction count %d): %s", addr, b.pending, b.expected, b.tx, wrong)
		return 0, false
	}
	if b.pending == 0 && b.tx == 0 {
		b.pending, b.parity = b.expected, b.parity^1
	}
	put(mem, b.pack())
	w.publish()
	w.cta.group.events++
	return old, true
}

func (b *mbar) arrive(n uint64) string {
	if n > b.pending {
		return fmt.Sprintf("more arrivals than the phase expects: %d", n)
	}
	b.pending -= n
	return ""
}

func (b *mbar) expect(n int64) string {
	if b.tx += n; b.tx > mbarMax || b.tx < -mbarMax {
		return "transaction count out of range"
	}
	return ""
}

func decodeMbarrier(d *decoder) {
	op := d.oneOf("init", "inval", "expect_tx", "complete_tx", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count")
	withTx := op != "expect_tx" && d.opt("expect_tx")
	noComplete, parity := d.opt("noComplete"), d.opt("parity")
	d.oneOf("acquire", "release", "relaxed")
	d.oneOf("cta", "cluster")
	d.spaceOf()
	d.typ(tB64)
	switch op {
	case "init", "expect_tx", "complete_tx":
		args := d.args(2)
		at, n := d.addr(args[0]), d.src(args[1], tU32)
		d.in.exec = mbarSet(op, at, n)
	case "inval":
		at := d.addr(d.args(1)[0])
		d.in.exec = func(w *warp, m uint32) {
			base := w.lanes(at.base)
			for m != 0 {
				i := next(&m)
				if mem := w.mbarAt(at.lane(w, base, i), i); mem != nil {
					put(mem, 0)
				}
			}
		}
	case "arrive", "arrive_drop":
		decodeArrive(d, op == "arrive_drop", withTx, noComplete)
	case "test_wait", "try_wait":
		decodeWait(d, parity)
	case "pending_count":
		args := d.args(2)
		d.in.exec = map1(d.dst(args[0], tB32), d.src(args[1], tB64), func(v uint64) uint64 { b, _ := unpackMbar(v); return b.pending })
	default:
		d.failInst("unknown operation of 'mbarrier'")
	}
}

func mbarSet(op string, at addr, n src) execFn {
	return func(w *warp, m uint32) {
		base, N := w.lanes(at.base), w.lanes(n)
		for m != 0 {
			i := next(&m)
			addr, v := at.lane(w, base, i), N[i]
			if v > mbarMax || op == "init" && v == 0 {
				w.faultf(i, "count %d of an mbarrier is out of range", v)
				return
			}
			switch op {
			case "init":
				if mem := w.mbarAt(addr, i); mem != nil {
					put(mem, mbar{pending: v, expected: v}.pack())
				}
			case "expect_tx":
				w.mbarUpdate(addr, i, func(b *mbar) string { return b.expect(int64(v)) })
			default:
				w.mbarUpdate(addr, i, func(b *mbar) string { return b.expect(-int64(v)) })
			}
			if w.err != nil {
				return
			}
		}
	}
}

// decodeArrive decodes mbarrier.arrive[.expect_tx] and arrive_drop. Their
// last operand is the transaction count or the number of arrivals.
func decodeArrive(d *decoder, drop, withTx, noComplete bool) {
	args := d.argc(1, 3)
	dst := int32(slotSink)
	if args[0].kind != opAddr {
		dst = d.dst(args[0], tB64)
		args = args[1:]
	}
	if len(args) == 0 {
		d.failInst("'mbarrier.arrive' has no address")
	}
	at := d.addr(args[0])
	n := d.konst(1)
	if len(args) > 1 {
		n = d.src(args[1], tU32)
	} else if withTx {
		d.failInst("'.expect_tx' needs a transaction count")
	}
	d.in.exec = func(w *warp, m uint32) {
		for k := m; k != 0; {
			i := next(&k)
			v := w.lanes(n)[i]
			addr := at.lane(w, w.lanes(at.base), i)
			old, ok := w.mbarUpdate(addr, i, func(b *mbar) string {
				count := v
				if withTx {
					count = 1
					if wrong := b.expect(int64(v & mask(32))); wrong != "" {
						return wrong
					}
				}
				if drop {
					if count > b.expected {
						return "more threads drop out than are expected"
					}
					b.expected -= count
				}
				if noComplete && count >= b.pending {
					return "'.noComplete' would complete the phase"
				}
				return b.arrive(count)
			})
			if !ok {
				return
			}
			w.reg(dst)[i] = old
		}
	}
}

// decodeWait decodes test_wait and try_wait. A wait that fails ends the
// warp's turn, so that the others can do what it waits for.
func decodeWait(d *decoder, parity bool) {
	args := d.argc(3, 4)
	dst, at := d.predDst(args[0]), d.addr(args[1])
	t := tB64
	if parity {
		t = tU32
	}
	phase := d.src(args[2], t)
	if len(args) == 4 {
		d.src(args[3], tU32) // time limit
	}
	d.in.exec = func(w *warp, m uint32) {
		var done uint32
		for k := m; k != 0; {
			i := next(&k)
			addr := at.lane(w, w.lanes(at.base), i)
			mem := w.mbarAt(addr, i)
			if mem == nil {
				return
			}
			b, valid := unpackMbar(get(mem))
			if !valid {
				w.faultf(i, "mbarrier at shared address %#x is not initialised", addr)
				return
			}
			v := w.lanes(phase)[i]
			if !parity {
				v >>= 61
			}
			if v&1 != b.parity {
				done |= 1 << i
			}
		}
		w.setPred(dst, done, m)
		if done != m {
			w.yield, w.stalled = true, true
		}
	}
}
