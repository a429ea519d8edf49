package emu

import "sync"

var multimemOps = map[string]decodeFn{"multimem": decodeMultimem}

// multimemLock orders the multimem operations: a vector is one operation.
var multimemLock sync.Mutex

// decodeMultimem decodes the operations on multimem addresses. There is one
// device, so that a multicast object has one member, and a multimem address
// is that of its memory: a load that reduces over the members is a load, and
// a store or reduction of all members is one of that memory.
func decodeMultimem(d *decoder) {
	d.publishes()
	op := d.oneOf("ld_reduce", "st", "red", "cp")
	if op == "cp" {
		reduce := d.opt("reduce")
		if !d.opt("async") || !d.opt("bulk") {
			d.failInst("'multimem.cp' needs .async.bulk or .reduce.async.bulk")
		}
		decodeBulk(d, reduce)
		return
	}
	weak := d.opt("weak")
	sem := d.oneOf("relaxed", "acquire", "release")
	scope := d.oneOf("cta", "cluster", "gpu", "sys")
	sp := d.spaceOf()
	if sp != spGeneric && sp != spGlobal || weak && (sem != "" || scope != "") || sem == "acquire" && op != "ld_reduce" || sem == "release" && op == "ld_reduce" {
		d.failInst("'multimem' with this state space, semantics or scope does not exist")
	}
	reduction := ""
	if op != "st" {
		reduction = d.oneOf("min", "max", "add", "and", "or", "xor")
	}
	acc := d.oneOf("acc::f32", "acc::f16")
	count := map[string]int{"v2": 2, "v4": 4, "v8": 8, "": 1}[d.oneOf("v2", "v4", "v8")]
	t := d.typ(tB32, tB64, tU32, tU64, tS32, tS64, tF16, tF16x2, tBF16, tBF16x2, tF32, tF64,
		tE5M2, tE5M2x2, tE5M2x4, tE4M3, tE4M3x2, tE4M3x4)
	d.multimemForm(op, reduction, acc, count, t)
	args := d.args(2)
	n := t.bytes()
	if op == "ld_reduce" {
		var dsts []int32
		for _, o := range d.elements(args[0], count) {
			dsts = append(dsts, d.dstAs(o, t, t.bits() < 16))
		}
		at := d.addr(args[1])
		d.in.exec = multimemExec(at, n*count, false, func(w *warp, mem []byte, lane int) {
			for k, r := range dsts {
				w.reg(r)[lane] = get(mem[k*n:][:n])
			}
		})
		return
	}
	at := d.addr(args[0])
	var values []src
	for _, o := range d.elements(args[1], count) {
		values = append(values, d.srcAs(o, t, t.bits() < 16))
	}
	f := func(_, b, _ uint64) uint64 { return b }
	if op == "red" {
		f = atomicFn(reduction, t)
	}
	d.in.exec = multimemExec(at, n*count, true, func(w *warp, mem []byte, lane int) {
		for k, s := range values {
			v := w.lanes(s)[lane]
			update(mem[k*n:][:n], func(old uint64) uint64 { return f(old, v, 0) })
		}
	})
}

// multimemForm refuses combinations that are not in the ISA.
func (d *decoder) multimemForm(op, reduction, acc string, count int, t scalar) {
	float := t.float() || scalars[t].class == classPacked
	narrow := t.bits()/elementsOf(t) == 8 && float
	ok := true
	switch {
	case !float:
		ok = count == 1
		switch reduction {
		case "and", "or", "xor":
			ok = ok && scalars[t].class == classBits
		case "add":
			ok = ok && t.integer() && t != tS64
		case "min", "max":
			ok = ok && t.integer()
		}
	default:
		size := t.bits() * count
		ok = size == 32 || size == 64 || size == 128
		if t == tF64 {
			ok = count == 1
		}
		switch reduction {
		case "and", "or", "xor":
			ok = false
		case "min", "max":
			ok = ok && op == "ld_reduce" && t != tF32 && t != tF64
		}
		ok = ok && !(op == "red" && narrow)
	}
	switch acc {
	case "acc::f32":
		ok = ok && op == "ld_reduce" && (t == tF16 || t == tF16x2 || t == tBF16 || t == tBF16x2)
	case "acc::f16":
		ok = ok && op == "ld_reduce" && narrow
	}
	if op == "" || !ok || op != "st" && reduction == "" {
		d.failInst("'multimem' with this operation, type and vector does not exist")
	}
}

// elementsOf is the number of elements of a packed type.
func elementsOf(t scalar) int {
	switch name := t.String(); name[len(name)-2:] {
	case "x2":
		return 2
	case "x4":
		return 4
	}
	return 1
}

func multimemExec(at addr, n int, write bool, f func(w *warp, mem []byte, lane int)) execFn {
	return func(w *warp, m uint32) {
		base := w.lanes(at.base)
		multimemLock.Lock()
		defer multimemLock.Unlock()
		for m != 0 {
			i := next(&m)
			addr := at.lane(w, base, i)
			if sp, _ := classify(addr); sp != spGlobal {
				w.faultf(i, "address %#x is not in global memory", addr)
				return
			}
			mem := w.at(spGlobal, addr, n, i, write)
			if mem == nil {
				return
			}
			f(w, mem, i)
		}
	}
}
