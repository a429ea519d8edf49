package access

import (
	"slices"

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
	if decodeMapFence(d) {
		return
	}
	proxy := d.Stmt.Op == "fence" && d.Opt("proxy") && d.Opt("async")
	// Without a space it is one of all of them.
	global, shared := d.Opt("global"), d.Opt("shared::cta") || d.Opt("shared::cluster")
	scope := fenceScope(d)
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
		d.Program.Fences = true
		d.Inst.Exec = func(w *machine.Warp, m uint32) { w.Fence(scope) }
		return
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		w.FenceAsync(!global, !shared)
		if !global {
			w.FenceProxy()
		}
		if !shared {
			w.FenceGlobalProxy()
		}
	}
}

// fenceScope is the scope of fence or membar; that of membar has names of its own.
func fenceScope(d *decode.Decoder) machine.Scope {
	if d.Stmt.Op == "membar" {
		if d.Opt("gl") {
			return machine.ScopeGPU
		}
	}
	return d.Scope(machine.ScopeSys)
}

// decodeMapFence decodes the fences between the generic proxy and that of tensor maps.
func decodeMapFence(d *decode.Decoder) bool {
	if !slices.Contains(d.Mods, "tensormap::generic") {
		return false
	}
	acquire := slices.Contains(d.Mods, "acquire")
	for i := range d.Mods {
		d.Mods[i] = ""
	}
	for _, o := range d.Argc(0, 2) {
		if o.Kind == syntax.OpAddr {
			d.Addr(o)
		}
	}
	d.Publishes()
	d.Inst.Exec = func(w *machine.Warp, m uint32) { w.FenceMaps(acquire) }
	return true
}
