package access

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// The generic address space, as package machine lays it out:
//
//	global, const    the address itself
//	shared, local    a window for each: window + address in the space
//
// An address of shared memory has the rank of its CTA in the cluster, in bits above the window of one CTA
// (machine.InCTA). So .shared::cluster addresses need no type of their own. The ISA leaves all of it open ("Generic
// Addressing"): programs may only convert, compare and ask.
var addressOps = map[string]decode.Func{
	"cvta":       decodeCvta,
	"isspacep":   decodeIsspacep,
	"mapa":       decodeMapa,
	"getctarank": decodeGetctarank,
}

// An address of global and constant memory is its own generic address. The other spaces are windows, and conversion is
// an addition. cvta.to does not check that the address is in the window, as hardware does not. The access will.
func decodeCvta(d *decode.Decoder) {
	to := d.Opt("to")
	base := machine.Window(d.Space())
	t := d.Type(syntax.U64, syntax.U32)
	args := d.Args(2)
	if t != syntax.U64 {
		d.Fail("32-bit generic addresses are not supported")
	}
	a := d.Src(args[1], t)
	if to {
		base = -base
	}
	if base == 0 {
		d.Inst.Exec = decode.Move(d.Dst(args[0], t), a)
		return
	}
	d.Inst.Exec = decode.Map1(d.Dst(args[0], t), a, func(a uint64) uint64 { return a + base })
}

// .const is global memory that is read only, here as there: which of the two an address is in, only its allocation
// knows.
func decodeIsspacep(d *decode.Decoder) {
	own := !slices.Contains(d.Mods, "shared::cluster") // .shared alone is that of the CTA
	sp := d.Space()
	args := d.Args(2)
	dst, a := d.PredDst(args[0]), d.Src(args[1], syntax.U64)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		A := w.Lanes(a)
		var v uint32
		for k := m; k != 0; {
			i := machine.Next(&k)
			in, addr := machine.Classify(A[i])
			if in == syntax.Global && sp == syntax.Const {
				if x := w.CTA.Run.Memory.Find(addr); x != nil && x.Constant && addr-x.Base < uint64(len(x.Data)) {
					in = syntax.Const
				}
			}
			if in == sp && (sp != syntax.Shared || !own || machine.RankOf(addr) == uint64(w.CTA.Rank)) {
				v |= 1 << i
			}
		}
		w.SetPred(dst, v, m)
	}
}

// decodeMapa decodes the mapping of a shared address to another CTA of the
// cluster.
//
// A shared address that names another CTA already is mapped from its place in the CTA, not from the rank that
// it has.
func decodeMapa(d *decode.Decoder) {
	shared := d.Space() == syntax.Shared
	t := d.Type(syntax.U32, syntax.U64)
	args := d.Args(3)
	dst, a, b := d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], syntax.U32)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		D, A, B := w.Reg(dst), w.Lanes(a), w.Lanes(b)
		for m != 0 {
			i := machine.Next(&m)
			addr := A[i]
			if !shared {
				sp, local := machine.Classify(addr)
				if sp != syntax.Shared {
					w.Faultf(i, "address %#x is not in shared memory", addr)
					return
				}
				addr = local
			}
			if B[i] >= uint64(len(w.CTA.Cluster.CTAs)) {
				w.Faultf(i, "cta rank %d is beyond the cluster of %d", B[i], len(w.CTA.Cluster.CTAs))
				return
			}
			addr = machine.InCTA(addr, B[i])
			if !shared {
				addr += machine.WindowShared
			}
			D[i] = addr
		}
	}
}

// The inverse of mapa: no memory is touched, so that an address outside of every CTA has a rank too.
func decodeGetctarank(d *decode.Decoder) {
	shared := d.Space() == syntax.Shared
	t := d.Type(syntax.U32, syntax.U64)
	args := d.Args(2)
	dst, a := d.Dst(args[0], syntax.U32), d.Src(args[1], t)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		D, A := w.Reg(dst), w.Lanes(a)
		for m != 0 {
			i := machine.Next(&m)
			addr := A[i]
			if !shared {
				_, addr = machine.Classify(addr)
			}
			D[i] = machine.RankOf(addr)
		}
	}
}
