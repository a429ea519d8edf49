package access

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// decodeFence decodes fence and membar. The emulator's memory is sequentially consistent, so that only proxy fences
// have an effect.
//
// Its modifiers are not checked. There are more than twenty combinations of semantics, scopes and proxies, more with
// each version of the ISA, and all but one do nothing here.
func decodeFence(d *decode.Decoder) {
	proxy := d.Stmt.Op == "fence" && d.Opt("proxy") && d.Opt("async")
	// Without a space it is one of all of them.
	global, shared := d.Opt("global"), d.Opt("shared::cta") || d.Opt("shared::cluster")
	for i := range d.Mods {
		d.Mods[i] = ""
	}
	for _, o := range d.Argc(0, 2) {
		if o.Kind == syntax.OpAddr {
			d.Addr(o)
		}
	}
	if !proxy {
		d.Publishes()
		return
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		if !global {
			w.FenceProxy()
		}
		if !shared {
			w.FenceGlobalProxy()
		}
	}
}
