package barrier

import (
	"encoding/binary"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var launchControlOps = map[string]decode.Func{"clusterlaunchcontrol": decodeLaunchControl}

// The ISA leaves the response of clusterlaunchcontrol.try_cancel opaque. Here it is x, y and z of the first CTA in 32,
// 16 and 16 bits, then launchMagic, whose lowest bit says whether a cluster was cancelled.
//
// A response that was never written, or whose bytes were overwritten, must not pass for an answer.
const launchMagic = 0x434c430000000000

// The instructions are
//
//	try_cancel [response], [mbarrier]    asks for a cluster that has not been launched; the answer comes some time later
//	query_cancel.is_canceled p, response
//	query_cancel.get_first_ctaid d, response
//
// A persistent kernel takes the work of clusters that will then never run.
func decodeLaunchControl(d *decode.Decoder) {
	switch d.OneOf("try_cancel", "query_cancel") {
	case "try_cancel":
		decodeTryCancel(d)
	case "query_cancel":
		decodeQueryCancel(d)
	default:
		d.Fail("'clusterlaunchcontrol' needs .try_cancel or .query_cancel")
	}
}

// The request is asynchronous like a copy of 16 bytes: its mbarrier counts them.
func decodeTryCancel(d *decode.Decoder) {
	if !d.Opt("async") || !d.Opt("mbarrier::complete_tx::bytes") {
		d.Fail("'clusterlaunchcontrol.try_cancel' needs .async.mbarrier::complete_tx::bytes")
	}
	d.OneOf("shared", "shared::cta")
	all := d.Opt("multicast::cluster::all")
	d.Type(syntax.B128)
	args := d.Args(2)
	to, bar := d.Addr(args[0]), d.Addr(args[1])
	d.Program.Cancels = true
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			addr, mb := machine.AddressIn(syntax.Shared, to.Lane(w, w.Lanes(to.Base), i)), machine.AddressIn(syntax.Shared, bar.Lane(w, w.Lanes(bar.Base), i))
			if machine.RankOf(addr) != uint64(w.CTA.Rank) || machine.RankOf(mb) != uint64(w.CTA.Rank) {
				w.Faultf(i, "the response and the mbarrier must be in the shared memory of the executing CTA")
				return
			}
			ranks := []uint64{uint64(w.CTA.Rank)}
			if all {
				ranks = ranks[:0]
				for r := range w.CTA.Cluster.CTAs {
					ranks = append(ranks, uint64(r))
				}
			}
			for _, rank := range ranks {
				if w.MbarrierAt(machine.InCTA(mb, rank), i) == nil {
					return
				}
				w.BeginSignalled(machine.InCTA(mb, rank), true)
				w.Depends()
				w.Span(syntax.Shared, machine.InCTA(addr, rank), 16, 16, i, true)
				if w.End(); w.Err != nil {
					return
				}
			}
			w.Issue(i, false, func() {
				response := encodeResponse(w.CTA.Run.Cancel())
				for _, rank := range ranks {
					w.Async = true
					b := w.Span(syntax.Shared, machine.InCTA(addr, rank), 16, 16, i, true)
					if w.Async = false; b == nil {
						return
					}
					copy(b, response[:])
					w.UpdateMbarrier(machine.InCTA(mb, rank), i, func(b *machine.Mbarrier) string { return b.Expect(-16) })
				}
			})
		}
	}
}

func encodeResponse(at [3]uint32, canceled bool) (response [16]byte) {
	le := binary.LittleEndian
	le.PutUint64(response[8:], launchMagic)
	if !canceled {
		return response
	}
	le.PutUint32(response[0:], at[0])
	le.PutUint16(response[4:], uint16(at[1]))
	le.PutUint16(response[6:], uint16(at[2]))
	response[8] = 1
	return response
}

// The first CTA is undefined unless the request succeeded, hence the recognisable value.
func decodeQueryCancel(d *decode.Decoder) {
	which := d.OneOf("is_canceled", "get_first_ctaid", "get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z")
	vector := which == "get_first_ctaid" && d.Opt("v4")
	var dsts []int32
	pdst := int32(machine.PredSink)
	t := d.Type(syntax.Pred, syntax.B32)
	d.Type(syntax.B128)
	args := d.Args(2)
	switch {
	case which == "is_canceled" && t == syntax.Pred:
		pdst = d.PredDst(args[0])
	case vector && t == syntax.B32:
		for _, o := range d.Elements(args[0], 4) {
			dsts = append(dsts, d.Dst(o, syntax.B32))
		}
		dsts = dsts[:3]
	case len(which) > len("get_first_ctaid") && t == syntax.B32:
		dsts = []int32{machine.SlotSink, machine.SlotSink, machine.SlotSink}
		dsts[which[len(which)-1]-'x'] = d.Dst(args[0], syntax.B32)
	default:
		d.Fail("this query of 'clusterlaunchcontrol' does not exist")
	}
	a := d.Src(args[1], syntax.B128)
	if a < 0 {
		d.FailAt(args[1], "expected a 128-bit register")
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		var canceled uint32
		for k := m; k != 0; {
			i := machine.Next(&k)
			at, state := w.Lanes(a)[i], w.Lanes(a + 1)[i]
			if state&^1 != launchMagic {
				w.Faultf(i, "the operand is no response of 'clusterlaunchcontrol.try_cancel'")
				return
			}
			v := [3]uint64{poison, poison, poison}
			if state&1 != 0 {
				canceled |= 1 << i
				v = [3]uint64{at & num.Mask(32), at >> 32 & num.Mask(16), at >> 48}
			}
			for n, r := range dsts {
				w.Reg(r)[i] = v[n]
			}
		}
		w.SetPred(pdst, canceled, m)
	}
}
