package emu

var tensormapOps = map[string]decodeFn{"tensormap": decodeTensormap}

// mapField is a field that tensormap.replace writes.
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
func decodeTensormap(d *decoder) {
	switch d.oneOf("replace", "cp_fenceproxy") {
	case "replace":
		decodeMapReplace(d)
	case "cp_fenceproxy":
		decodeMapCopy(d)
	default:
		d.failInst("'tensormap' needs .replace or .cp_fenceproxy")
	}
}

func decodeMapReplace(d *decoder) {
	if !d.opt("tile") {
		d.failInst("'tensormap.replace' needs .tile")
	}
	var f mapField
	for i, m := range d.mods {
		if x, ok := mapFields[m]; ok {
			d.mods[i], f = "", x
		}
	}
	if f.size == 0 {
		d.failInst("'tensormap.replace' has no field")
	}
	sp := d.spaceOf()
	if !d.opt("b1024") {
		d.failInst("'tensormap.replace' needs .b1024")
	}
	t := d.typ(tB32, tB64)
	if wide := f.at == mapAddress || f.at == mapStrides; wide != (t == tB64) {
		d.failInst("type '.%s' does not go with the field", t)
	}
	n := 2
	if f.each > 0 {
		n = 3
	}
	args, offset := d.args(n), f.at
	if f.each > 0 {
		if o := args[1]; o.kind != opInt || o.bits >= uint64(f.dims) {
			d.badOperand(o, "the dimension must be a constant below %d", f.dims)
		}
		offset += f.each * int(args[1].bits)
	}
	at, value := d.addr(args[0]), args[len(args)-1]
	if f.constant && value.kind != opInt {
		d.badOperand(value, "the new value of the field must be a constant")
	}
	v := d.src(value, t)
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			x := w.lanes(v)[i]
			if f.limit > 0 && x > f.limit {
				w.faultf(i, "value %d of the field is above %d", x, f.limit)
				return
			}
			b := w.span(sp, at.lane(w, w.lanes(at.base), i), tensorBytes, 64, i, true)
			if b == nil {
				return
			}
			put(b[offset:][:f.size], x)
		}
	}
}

// decodeMapCopy decodes the copy of a tensor map that the kernel changed in
// shared memory to global memory, with a fence between the proxies.
func decodeMapCopy(d *decoder) {
	if !d.opt("global") || d.oneOf("shared", "shared::cta") == "" || !d.opt("tensormap::generic") || !d.opt("release") {
		d.failInst("'tensormap.cp_fenceproxy' needs .global.shared::cta.tensormap::generic.release")
	}
	if d.oneOf("cta", "cluster", "gpu", "sys") == "" || !d.opt("sync") || !d.opt("aligned") {
		d.failInst("'tensormap.cp_fenceproxy' needs a scope and .sync.aligned")
	}
	args := d.args(3)
	to, from := d.addr(args[0]), d.addr(args[1])
	if o := args[2]; o.kind != opInt || o.bits != tensorBytes {
		d.badOperand(o, "the size must be %d", tensorBytes)
	}
	d.wholeWarp(func(w *warp, m uint32) {
		for i := range warpSize {
			dst := w.span(spGlobal, to.lane(w, w.lanes(to.base), i), tensorBytes, 128, i, true)
			src := w.span(spShared, local(spShared, from.lane(w, w.lanes(from.base), i)), tensorBytes, 128, i, false)
			if dst == nil || src == nil {
				return
			}
			copy(dst, src)
		}
	})
}
