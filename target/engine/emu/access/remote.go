package access

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// decodeRemote decodes st.async, and red.async of an operation: accesses to
// the shared memory of a CTA of the cluster that complete transactions of an
// mbarrier there ("st.async", "red.async").
//
// Values are read at the issue and written when the operation takes effect, in the CTA that the address names. In the
// same step its mbarrier counts the bytes, so that nobody sees the one without the other.
func decodeRemote(d *decode.Decoder, op string) {
	if slices.Contains(d.Mods, "release") {
		decodeRemoteGlobal(d, op)
		return
	}
	d.OneOf("weak", "relaxed")
	d.Opt("cluster")
	if d.OneOf("shared::cluster", "shared") == "" || !d.Opt("mbarrier::complete_tx::bytes") {
		d.Fail("'%s.async' is only supported with .shared::cluster.mbarrier::complete_tx::bytes", d.Stmt.Op)
	}
	count := map[string]int{"v2": 2, "v4": 4, "": 1}[d.OneOf("v2", "v4")]
	t := d.Type(syntax.B32, syntax.U32, syntax.S32, syntax.F32, syntax.B64, syntax.U64, syntax.S64, syntax.F64, syntax.B128)
	n := t.Bytes()
	var f func(old, b, c uint64) uint64
	if op != "" {
		if f = arith.UpdateFunc(op, t); f == nil || count > 1 || t.Float() {
			d.Fail("reduction '.%s' does not exist for type .%s", op, t)
		}
	}
	if n*count > 16 {
		d.Fail("'%s.async' of %d bytes", d.Stmt.Op, n*count)
	}
	args := d.Args(3)
	to, bar := d.Addr(args[0]), d.Addr(args[2])
	kind := machine.AccessStore
	if op != "" {
		kind = machine.AccessAtomic
	}
	d.Accesses(kind, syntax.Shared, to, n*count)
	var values []machine.Src
	for _, o := range d.Elements(args[1], count) {
		values = append(values, d.Src(o, t))
	}
	if t == syntax.B128 { // two registers of a half each
		if count > 1 || values[0] < 0 {
			d.Fail("a 128-bit '%s.async' needs one register", d.Stmt.Op)
		}
		values, n, count = append(values, values[0]+1), 8, 2
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			addr, mb := machine.AddressIn(syntax.Shared, to.Lane(w, w.Lanes(to.Base), i)), machine.AddressIn(syntax.Shared, bar.Lane(w, w.Lanes(bar.Base), i))
			if machine.RankOf(addr) != machine.RankOf(mb) {
				w.Faultf(i, "shared address %#x and mbarrier %#x are not in the same CTA", addr, mb)
				return
			}
			var v [4]uint64
			for k, s := range values {
				v[k] = w.Lanes(s)[i]
			}
			w.BeginSignalled(mb, false)
			if f != nil {
				w.Reduces()
			}
			w.Span(syntax.Shared, addr, n*count, n*count, i, true)
			if w.End(); w.Err != nil {
				return
			}
			w.Issue(i, false, func() { storeRemote(w, i, addr, mb, v[:count], n, f) })
		}
	}
}

// storeRemote writes values of n bytes each and completes their transaction: the barrier counts the bytes only after
// all are there.
func storeRemote(w *machine.Warp, lane int, addr, mb uint64, values []uint64, n int, f func(old, b, c uint64) uint64) {
	bytes := n * len(values)
	b := w.Span(syntax.Shared, addr, bytes, bytes, lane, true)
	if b == nil {
		return
	}
	for k, v := range values {
		if f == nil {
			machine.Store(b[k*n:][:n], v)
		} else {
			machine.Update(b[k*n:][:n], func(old uint64) uint64 { return f(old, v, 0) })
		}
	}
	w.UpdateMbarrier(mb, lane, func(b *machine.Mbarrier) string { return b.Expect(-int64(bytes)) })
}

// decodeRemoteGlobal decodes the release forms of st.async and red.async, which store to global memory some time
// later and signal nobody.
//
// They are Detached: nothing in the ISA waits for them, and their thread may exit before they take effect. The end of
// the cluster completes what is left.
func decodeRemoteGlobal(d *decode.Decoder, op string) {
	mmio := d.Opt("mmio")
	d.Opt("release")
	scope := d.OneOf("cluster", "gpu", "sys")
	sp := d.Space()
	t := d.Type(syntax.B8, syntax.B16, syntax.B32, syntax.B64, syntax.U8, syntax.U16, syntax.U32, syntax.U64, syntax.S8, syntax.S16, syntax.S32, syntax.S64, syntax.F32, syntax.F64)
	if sp != syntax.Global && sp != syntax.Generic || scope == "" || mmio && scope != "sys" || scope == "cluster" && op == "" {
		d.Fail("'%s.async' with this scope or state space does not exist", d.Stmt.Op)
	}
	f := func(_, b, _ uint64) uint64 { return b }
	if op != "" {
		if f = arith.UpdateFunc(op, t); f == nil || t.Float() {
			d.Fail("reduction '.%s' does not exist for type .%s", op, t)
		}
	}
	args := d.Args(2)
	to, value := d.Addr(args[0]), d.Src(args[1], t)
	n := t.Bytes()
	kind := machine.AccessStore
	if op != "" {
		kind = machine.AccessAtomic
	}
	d.Accesses(kind, syntax.Global, to, n)
	d.Publishes()
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			addr, v := to.Lane(w, w.Lanes(to.Base), i), w.Lanes(value)[i]
			if in, _ := machine.Classify(addr); in != syntax.Global {
				w.Faultf(i, "address %#x is not in global memory", addr)
				return
			}
			if w.At(syntax.Global, addr, n, i, true) == nil {
				return
			}
			op := w.Issue(i, false, func() {
				if b := w.At(syntax.Global, addr, n, i, true); b != nil {
					machine.Update(b, func(old uint64) uint64 { return f(old, v, 0) })
				}
			})
			op.Detached = true
		}
	}
}
