package tma

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Instructions lacks the copies: their first word is cp, as that of cp.async, so that package access has it.
var Instructions = map[string]decode.Func{"tensormap": decodeTensormap}

// mapField is a field that tensormap.replace writes.
//
// The values are those of the ISA's table, which are not those of the CUDA driver's enumerations everywhere; tests
// replace each field and copy with the result.
type mapField struct {
	at, size int
	each     int    // bytes from one dimension to the next; 0: one value for the map
	dims     int    // how many there are
	limit    uint64 // largest value; 0: any
	constant bool   // the new value is an immediate
}

var mapFields = map[string]mapField{
	"global_address":    {at: mapAddress, size: 8},
	"rank":              {at: mapRank, size: 1, limit: 4},
	"box_dim":           {at: mapBox, size: 2, each: 2, dims: 5, limit: 256},
	"global_dim":        {at: mapDims, size: 8, each: 8, dims: 5},
	"global_stride":     {at: mapStrides, size: 8, each: 8, dims: 4},
	"element_stride":    {at: mapElementStrides, size: 1, each: 1, dims: 5, limit: 8},
	"elemtype":          {at: mapType, size: 1, limit: 15, constant: true},
	"interleave_layout": {at: mapInterleave, size: 1, limit: 2, constant: true},
	"swizzle_mode":      {at: mapSwizzle, size: 1, limit: 4, constant: true},
	"swizzle_atomicity": {at: mapAtomicity, size: 1, limit: 3, constant: true},
	"fill_mode":         {at: mapFill, size: 1, limit: 1, constant: true},
}

// decodeTensormap decodes tensormap.replace and tensormap.cp_fenceproxy.
func decodeTensormap(d *decode.Decoder) {
	switch d.OneOf("replace", "cp_fenceproxy") {
	case "replace":
		decodeMapReplace(d)
	case "cp_fenceproxy":
		decodeMapCopy(d)
	default:
		d.Fail("'tensormap' needs .replace or .cp_fenceproxy")
	}
}

// Fields are written without looking at the others, as a map is changed field by field and makes sense only at the
// end; a copy checks it in full.
func decodeMapReplace(d *decode.Decoder) {
	if !d.Opt("tile") {
		d.Fail("'tensormap.replace' needs .tile")
	}
	var f mapField
	for i, m := range d.Mods {
		if x, ok := mapFields[m]; ok {
			d.Mods[i], f = "", x
		}
	}
	if f.size == 0 {
		d.Fail("'tensormap.replace' has no field")
	}
	sp := d.Space()
	if !d.Opt("b1024") {
		d.Fail("'tensormap.replace' needs .b1024")
	}
	t := d.Type(syntax.B32, syntax.B64)
	if wide := f.at == mapAddress || f.at == mapStrides; wide != (t == syntax.B64) {
		d.Fail("type '.%s' does not go with the field", t)
	}
	n := 2
	if f.each > 0 {
		n = 3
	}
	args, offset := d.Args(n), f.at
	if f.each > 0 {
		if o := args[1]; o.Kind != syntax.OpInt || o.Bits >= uint64(f.dims) {
			d.FailAt(o, "the dimension must be a constant below %d", f.dims)
		}
		offset += f.each * int(args[1].Bits)
	}
	at, value := d.Addr(args[0]), args[len(args)-1]
	if f.constant && value.Kind != syntax.OpInt {
		d.FailAt(value, "the new value of the field must be a constant")
	}
	v := d.Src(value, t)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			i := machine.Next(&m)
			x := w.Lanes(v)[i]
			if f.limit > 0 && x > f.limit {
				w.Faultf(i, "value %d of the field is above %d", x, f.limit)
				return
			}
			b := w.Span(sp, at.Lane(w, w.Lanes(at.Base), i), tensorBytes, 64, i, true)
			if b == nil {
				return
			}
			machine.Store(b[offset:][:f.size], x)
		}
	}
}

// decodeMapCopy decodes the copy of a tensor map that the kernel changed in
// shared memory to global memory, with a fence between the proxies.
//
// The proxy fence in its name needs nothing here: tensor maps are read from memory at each copy, and no cache can be
// stale. That the fence is missing is therefore not found.
func decodeMapCopy(d *decode.Decoder) {
	if !d.Opt("global") || d.OneOf("shared", "shared::cta") == "" || !d.Opt("tensormap::generic") || !d.Opt("release") {
		d.Fail("'tensormap.cp_fenceproxy' needs .global.shared::cta.tensormap::generic.release")
	}
	if d.OneOf("cta", "cluster", "gpu", "sys") == "" || !d.Opt("sync") || !d.Opt("aligned") {
		d.Fail("'tensormap.cp_fenceproxy' needs a scope and .sync.aligned")
	}
	args := d.Args(3)
	to, from := d.Addr(args[0]), d.Addr(args[1])
	if o := args[2]; o.Kind != syntax.OpInt || o.Bits != tensorBytes {
		d.FailAt(o, "the size must be %d", tensorBytes)
	}
	d.WholeWarp(func(w *machine.Warp, m uint32) {
		w.Together() // all lanes copy the same
		for i := range machine.WarpSize {
			dst := w.Span(syntax.Global, to.Lane(w, w.Lanes(to.Base), i), tensorBytes, 128, i, true)
			src := w.Span(syntax.Shared, machine.AddressIn(syntax.Shared, from.Lane(w, w.Lanes(from.Base), i)), tensorBytes, 128, i, false)
			if dst == nil || src == nil {
				return
			}
			copy(dst, src)
		}
		w.FenceMaps(false)
	})
}
