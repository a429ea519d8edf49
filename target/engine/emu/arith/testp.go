package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

func decodeTestp(d *decode.Decoder) {
	what := d.OneOf("finite", "infinite", "number", "notanumber", "normal", "subnormal")
	t := d.Type(syntax.F32, syntax.F64)
	args := d.Args(2)
	f := map[syntax.Type]*fp.Format{syntax.F32: fp.F32, syntax.F64: fp.F64}[t]
	dst, a := d.PredDst(args[0]), d.Src(args[1], t)
	if what == "" {
		d.Fail("'testp' needs a test")
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		A := w.Lanes(a)
		var v uint32
		for k := m; k != 0; {
			i := machine.Next(&k)
			if testp(what, A[i]&^f.Sign(), f) {
				v |= 1 << i
			}
		}
		w.SetPred(dst, v, m)
	}
}

// testp tests a magnitude.
//
// It goes by magnitudes as integers, in which finite numbers, infinity and NaNs are in this order.
func testp(what string, v uint64, f *fp.Format) bool {
	inf := f.Infinity()
	tiny := v>>f.MantissaBits == 0
	switch what {
	case "finite":
		return v < inf
	case "infinite":
		return v == inf
	case "number":
		return v <= inf
	case "notanumber":
		return v > inf
	case "normal":
		return v < inf && !tiny
	}
	return tiny && v != 0 // subnormal
}
