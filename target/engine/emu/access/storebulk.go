package access

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// decodeStoreBulk decodes st.bulk, which fills shared memory with zeros.
//
// The ISA has it for zeros only, in multiples of 8 bytes ("st.bulk"); other values and sizes are rejected at
// decoding where they are constants, at run time where not.
func decodeStoreBulk(d *decode.Decoder) {
	d.Opt("weak")
	if d.OneOf("global", "local", "const", "param", "shared::cluster") != "" {
		d.Fail("'st.bulk' writes to shared memory only")
	}
	d.OneOf("shared", "shared::cta")
	args := d.Args(3)
	if o := args[2]; o.Kind != syntax.OpInt || o.Bits != 0 {
		d.FailAt(o, "the value of 'st.bulk' must be 0")
	}
	at := d.Addr(args[0])
	t := syntax.B64
	if o := args[1]; o.Kind == syntax.OpReg && o.Sym.Type.Bits() == 32 {
		t = syntax.B32
	}
	size := d.Src(args[1], t)
	d.AccessesIn(machine.AccessFill, syntax.Shared, func(w *machine.Warp, lane int) (uint64, int) {
		return at.Lane(w, w.Lanes(at.Base), lane), int(min(w.Lanes(size)[lane], syntax.MaxShared))
	})
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 {
			i := machine.Next(&m)
			n := w.Lanes(size)[i]
			if n%8 != 0 || n > syntax.MaxShared {
				w.Faultf(i, "size %d of 'st.bulk' is not a multiple of 8 up to %d", n, syntax.MaxShared)
				return
			}
			if n == 0 {
				continue
			}
			b := w.Span(syntax.Shared, machine.AddressIn(syntax.Shared, at.Lane(w, w.Lanes(at.Base), i)), int(n), 8, i, true)
			if b == nil {
				return
			}
			clear(b)
		}
	}
}
