package emu

// callee returns the function that the call statement d.s names.
func (d *decoder) callee() *function {
	for _, a := range d.s.args {
		if a.kind == opName && a.sym != nil && a.sym.fn != nil {
			return a.sym.fn
		}
	}
	return nil
}

// decodeCall decodes `call (ret), f, (args)`. Arguments and results are
// copied between the caller's and the callee's parameters, which have fixed
// places in registers or in each thread's local memory.
func decodeCall(d *decoder) {
	d.opt("uni")
	f := d.callee()
	if f == nil {
		d.argc(1, 4)
		decodeCallIndirect(d)
		return
	}
	args := d.argc(1, 4)
	var rets, params []*operand
	if args[0].kind == opList {
		rets, args = args[0].list, args[1:]
	}
	if len(args) > 1 {
		if args[1].kind != opList {
			d.badOperand(args[1], "expected a parameter list")
		}
		params = args[1].list
	}
	if len(rets) != len(f.rets) || len(params) != len(f.params) {
		d.failInst("'%s' takes %d parameters and returns %d, got %d and %d", f.name, len(f.params), len(f.rets), len(params), len(rets))
	}
	if !f.defined {
		decodeBuiltin(d, f, rets, params)
		return
	}
	d.in.kind, d.in.target = kindCall, d.p.starts[f]
	d.in.exec, d.in.after = d.passing(f, rets, params)
}

// passing returns what copies the arguments of a call, and what copies its
// results back and frees the stack of the callee.
func (d *decoder) passing(f *function, rets, params []*operand) (before, after execFn) {
	var in, out []execFn
	for i, p := range params {
		in = append(in, d.transfer(d.formal(f.params[i], true), d.actual(p, f.params[i], false), f.params[i]))
	}
	for i, r := range rets {
		out = append(out, d.transfer(d.actual(r, f.rets[i], true), d.formal(f.rets[i], false), f.rets[i]))
	}
	if sp := d.p.stack; sp != 0 {
		saved := d.hidden()
		in, out = append(in, move(saved, src(sp))), append(out, move(sp, src(saved)))
	}
	return sequence(in), sequence(out)
}

func sequence(fs []execFn) execFn {
	return func(w *warp, m uint32) {
		for _, f := range fs {
			f(w, m)
		}
	}
}

// paramPlace is where a parameter is: in local memory at off, or in a
// register slot or constant.
type paramPlace struct {
	local bool
	off   int64
	reg   src
}

// formal is the place of a callee's own parameter.
func (d *decoder) formal(s *symbol, written bool) paramPlace {
	if !s.reg {
		return paramPlace{local: true, off: d.offsets[s]}
	}
	i := d.slot(s)
	if written {
		d.in.defs = append(d.in.defs, i)
	}
	return paramPlace{reg: src(i)}
}

// actual is the place of what a call passes for a formal parameter.
func (d *decoder) actual(o *operand, formal *symbol, written bool) paramPlace {
	if o.kind == opVar && o.sym.space == spParam {
		if o.sym.size != formal.size {
			d.badOperand(o, "'%s' has %d bytes, parameter '%s' has %d", o.name, o.sym.size, formal.name, formal.size)
		}
		off, ok := d.offsets[o.sym]
		if !ok || d.spaceOfVar(o.sym, spParam, o) == spParam {
			d.badOperand(o, "a kernel parameter cannot be passed on")
		}
		return paramPlace{local: true, off: off}
	}
	if formal.size > 8 {
		d.badOperand(o, "a parameter of %d bytes cannot be passed in a register", formal.size)
	}
	if written {
		return paramPlace{reg: src(d.dst(o, formal.typ))}
	}
	return paramPlace{reg: d.src(o, formal.typ)}
}

// transfer copies a parameter of s's size in each lane.
func (d *decoder) transfer(to, from paramPlace, s *symbol) execFn {
	n := s.size
	return func(w *warp, m uint32) {
		frame := int64(w.prog.localSize)
		for m != 0 {
			i := next(&m)
			at := func(p paramPlace) []byte { return w.local[int64(i)*frame+p.off:][:n] }
			switch {
			case to.local && from.local:
				copy(at(to), at(from))
			case to.local:
				put(at(to), w.lanes(from.reg)[i])
			case from.local:
				w.reg(int32(to.reg))[i] = get(at(from))
			default:
				w.reg(int32(to.reg))[i] = w.lanes(from.reg)[i]
			}
		}
	}
}
