package machine

import (
	"fmt"

	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Mbarrier is the state of an mbarrier object. The ISA leaves its 64 bits opaque. Here they are, from the lowest: 20
// bits of pending arrivals, 20 of expected arrivals, 21 of signed transaction count, the phase parity, and 01. Neither
// zeroed nor poisoned memory holds such a word.
//
// The ranges are those of "Contents of the mbarrier object": counts of arrivals below 2^20, a transaction count between
// minus and plus 2^20 - 1. That the bits fill a word exactly is luck; that a kernel which reads them sees something
// else on hardware is its own fault.
type Mbarrier struct {
	Pending, Expected uint64
	tx                int64
	Parity            uint64
}

const (
	MaxArrivals = 1<<20 - 1 // of the counts
	mbarMagic   = 1 << 62
)

// Pack makes the word that lies in memory. Its two highest bits are 01, which zeroed, poisoned and invalidated memory
// does not have.
func (b Mbarrier) Pack() uint64 {
	return b.Pending | b.Expected<<20 | uint64(b.tx)&num.Mask(21)<<40 | b.Parity<<61 | mbarMagic
}

// UnpackMbarrier also reports whether the word is an mbarrier at all.
func UnpackMbarrier(v uint64) (Mbarrier, bool) {
	return Mbarrier{v & num.Mask(20), v >> 20 & num.Mask(20), num.SignExtend(v>>40, 21), v >> 61 & 1}, v>>62 == 1
}

// MbarrierAt returns the mbarrier at a shared address, or nil after a fault.
func (w *Warp) MbarrierAt(addr uint64, lane int) []byte {
	if sp, local := Classify(addr); sp == syntax.Shared {
		addr = local
	}
	if w.watch == nil {
		return w.At(syntax.Shared, addr, 8, lane, true)
	}
	var b []byte
	w.watch.At(lane)
	w.Unseen(func() { b = w.At(syntax.Shared, addr, 8, lane, true) })
	return b
}

// UpdateMbarrier changes an initialised mbarrier, completes its phase if that is due, and returns the state before.
//
// A phase completes when no arrival is pending and the transaction count is zero ("Phase Completion of the mbarrier
// object"). The count may be negative in between, when bytes arrive before they are expected.
func (w *Warp) UpdateMbarrier(addr uint64, lane int, f func(b *Mbarrier) (wrong string)) (old uint64, ok bool) {
	mem := w.MbarrierAt(addr, lane)
	if mem == nil {
		return 0, false
	}
	old = Load(mem)
	b, valid := UnpackMbarrier(old)
	if !valid {
		w.NotMbarrier(addr)
		w.Faultf(lane, "mbarrier at shared address %#x is not initialised", addr)
		return 0, false
	}
	before := b.Pending
	if wrong := f(&b); wrong != "" {
		if rank, at, ok := w.watched(addr); ok {
			w.watch.Wrong(rank, at, w.CTA.Cluster.issued, wrong)
		}
		w.Faultf(lane, "mbarrier at shared address %#x (%d of %d arrivals pending, transaction count %d): %s", addr, b.Pending, b.Expected, b.tx, wrong)
		return 0, false
	}
	completed, arrived := b.Pending == 0 && b.tx == 0, b.Pending < before
	if completed {
		b.Pending, b.Parity = b.Expected, b.Parity^1
	}
	w.CTA.Cluster.updated(w, addr, completed)
	if rank, at, ok := w.watched(addr); ok {
		w.watch.Update(rank, at, w.CTA.Cluster.issued, arrived, completed)
	}
	Store(mem, b.Pack())
	w.Publish()
	w.CTA.Cluster.Events++
	return old, true
}

// Arrive and Expect return what is wrong, which the caller reports with the address and the state before.
func (b *Mbarrier) Arrive(n uint64) string {
	if n > b.Pending {
		return fmt.Sprintf("more arrivals than the phase expects: %d", n)
	}
	b.Pending -= n
	return ""
}

func (b *Mbarrier) Expect(n int64) string {
	if b.tx += n; b.tx > MaxArrivals || b.tx < -MaxArrivals {
		return "transaction count out of range"
	}
	return ""
}
