package emu

import "strings"

// maxSlots bounds the registers of a program; a warp needs 256 bytes each.
const maxSlots = 1 << 18

// maxConsts bounds the distinct constants of a program, 256 bytes each.
const maxConsts = 1 << 17

// decodeFn decodes the statement at hand into d.in.
type decodeFn func(d *decoder)

// instructions maps the first word of an opcode to its decoder.
var instructions = merge(integerOps, logicOps, floatOps, compareOps, convertOps, moveOps,
	memoryOps, atomicOps, asyncOps, controlOps, barrierOps, collectiveOps, matrixOps,
	mbarrierOps, wgmmaOps, tensormapOps, tcgen05Ops, wmmaOps, videoOps,
	multimemOps, stackOps, launchControlOps)

func merge(families ...map[string]decodeFn) map[string]decodeFn {
	all := map[string]decodeFn{}
	for _, f := range families {
		for name, fn := range f {
			if all[name] != nil {
				panic("instruction " + name + " has two decoders")
			}
			all[name] = fn
		}
	}
	return all
}

// decoder turns the statements of an entry, and of the functions that it
// calls, into a program.
type decoder struct {
	m        *textModule
	table    map[string]decodeFn
	p        *program
	f        *function
	s        *stmt
	in       *inst
	mods     []string          // modifiers not consumed yet
	offsets  map[*symbol]int64 // shared, local and function parameter variables
	constIdx map[constKey]int32
	specials map[string]int32
	order    []*function // functions by start
	before   []execFn    // runs ahead of the instruction at hand
}

type constKey struct {
	bits uint64
	sym  *symbol
}

func (d *decoder) fail(format string, args ...any) {
	panic(d.m.errorf(d.s.pos, format, args...))
}

// failInst rejects the whole statement with its text.
func (d *decoder) failInst(format string, args ...any) {
	e := d.m.errorf(d.s.pos, format, args...)
	e.Msg += ": '" + d.s.text + "'"
	panic(e)
}

// link decodes f and what it calls with the decoders of table. An error has type *Error.
func link(m *textModule, f *function, table map[string]decodeFn) (p *program, err error) {
	defer catch(&err)
	d := &decoder{
		m:        m,
		table:    table,
		p:        &program{m: m, entry: f, starts: map[*function]int32{}, slots: map[*symbol]int32{}, nregs: 2, npreds: 2},
		offsets:  map[*symbol]int64{},
		constIdx: map[constKey]int32{},
		specials: map[string]int32{},
	}
	d.callees(f, map[*function]bool{})
	var n int32
	for _, g := range d.order {
		d.p.starts[g] = n
		n += int32(len(g.body))
	}
	d.layout()
	d.reserveStack()
	d.p.code = make([]inst, n)
	for _, g := range d.order {
		start := d.p.starts[g]
		for i := range g.body {
			d.f, d.s, d.in = g, &g.body[i], &d.p.code[int(start)+i]
			d.statement()
		}
		reconverge(d.p.code[start:int(start)+len(g.body)], start)
	}
	return d.p, nil
}

// callees lists f and, once each, the functions reachable from it. The
// emulator gives each function one frame, so recursion is an error.
func (d *decoder) callees(f *function, active map[*function]bool) {
	active[f] = true
	d.order = append(d.order, f)
	seen := func(g *function) bool {
		for _, o := range d.order {
			if o == g {
				return true
			}
		}
		return false
	}
	for i := range f.body {
		if f.body[i].op != "call" {
			continue
		}
		d.s = &f.body[i]
		g := d.callee()
		if g == nil {
			// A pointer to a function that is active would be a recursion;
			// it is left out and faults when it is called.
			for _, g := range d.indirectTargets(d.s) {
				if !active[g] && !seen(g) {
					d.callees(g, active)
				}
			}
			continue
		}
		switch {
		case active[g]:
			d.failInst("recursive call of '%s' is not supported", g.name)
		case !seen(g):
			d.callees(g, active)
		}
	}
	delete(active, f)
}

// layout places the shared, local and parameter variables of all functions
// of the program, and the module-level shared variables that they name.
func (d *decoder) layout() {
	var shared, local int64
	place := func(s *symbol, top *int64, limit int64, what string) {
		if _, done := d.offsets[s]; done {
			return
		}
		align := max(s.align, 1)
		*top = (*top + align - 1) &^ (align - 1)
		d.offsets[s] = *top
		if *top += s.size; *top > limit {
			panic(d.m.errorf(s.pos, "%s memory of '%s' exceeds %d bytes", what, d.p.entry.name, limit))
		}
	}
	var dyn []*symbol
	d.p.dynAlign = 16
	visit := func(s *symbol) {
		switch {
		case s.extern:
			d.p.dynAlign = max(d.p.dynAlign, s.align)
			dyn = append(dyn, s)
		case s.space == spShared:
			place(s, &shared, maxShared, "shared")
		case s.space == spLocal || s.space == spParam:
			place(s, &local, maxLocal, "local")
		}
	}
	for _, f := range d.order {
		for _, v := range f.vars {
			visit(v)
		}
		for _, v := range f.rets {
			visit(v)
		}
		for _, v := range f.params {
			if f.entry {
				d.offsets[v] = v.offset
				d.p.paramBytes = int(v.offset + v.size)
			} else {
				visit(v)
			}
		}
		for i := range f.body {
			for _, a := range f.body[i].args {
				eachVar(a, func(s *symbol) {
					if s.space == spShared {
						visit(s)
					}
				})
			}
		}
	}
	d.p.sharedSize, d.p.localSize = int(shared), int(local+15)&^15
	start := (shared + d.p.dynAlign - 1) &^ (d.p.dynAlign - 1)
	for _, s := range dyn {
		d.offsets[s] = start
	}
}

func eachVar(o *operand, f func(*symbol)) {
	if o.kind == opVar {
		f(o.sym)
	}
	if o.base != nil {
		eachVar(o.base, f)
	}
	for _, x := range o.list {
		eachVar(x, f)
	}
}

func (d *decoder) statement() {
	s := d.s
	d.in.stmt, d.in.reconv = s, -1
	d.mods = append(d.mods[:0], s.mods...)
	d.before = d.before[:0]
	fn := d.table[s.op]
	if fn == nil {
		d.failInst("unknown instruction '%s'", strings.Join(append([]string{s.op}, s.mods...), "."))
	}
	if s.guard != nil {
		d.in.guarded, d.in.guard = true, d.predSrc(s.guard)
	}
	fn(d)
	for _, m := range d.mods {
		if m != "" {
			d.failInst("unknown modifier '.%s' of '%s'", m, s.op)
		}
	}
	if d.in.exec == nil && d.in.kind == kindPlain {
		d.in.exec = func(*warp, uint32) {}
	}
	if len(d.before) > 0 && d.in.exec != nil {
		first, then := append([]execFn(nil), d.before...), d.in.exec
		d.in.exec = func(w *warp, m uint32) {
			for _, f := range first {
				f(w, m)
			}
			then(w, m)
		}
	}
}

// opt consumes a modifier if it is there.
func (d *decoder) opt(name string) bool {
	for i, m := range d.mods {
		if m == name {
			d.mods[i] = ""
			return true
		}
	}
	return false
}

// oneOf consumes the first modifier that is among names; it returns "" if
// there is none.
func (d *decoder) oneOf(names ...string) string {
	for i, m := range d.mods {
		for _, n := range names {
			if m == n {
				d.mods[i] = ""
				return n
			}
		}
	}
	return ""
}

// prefixed consumes the modifiers that start with any of the prefixes.
func (d *decoder) prefixed(prefixes ...string) {
	for i, m := range d.mods {
		for _, p := range prefixes {
			if strings.HasPrefix(m, p) {
				d.mods[i] = ""
			}
		}
	}
}

// typ consumes the next modifier that names a type, which must be among
// allowed if any are given.
func (d *decoder) typ(allowed ...scalar) scalar {
	for i, m := range d.mods {
		t, ok := scalarByName[m]
		if !ok {
			continue
		}
		d.mods[i] = ""
		if len(allowed) == 0 {
			return t
		}
		for _, a := range allowed {
			if a == t {
				return t
			}
		}
		d.failInst("type '.%s' is not supported by '%s'", t, d.s.op)
	}
	d.failInst("instruction '%s' has no type", d.s.op)
	return tNone
}

// argc checks the number of operands and returns them.
func (d *decoder) argc(low, high int) []*operand {
	n := len(d.s.args)
	if n < low || n > high {
		if low == high {
			d.failInst("'%s' takes %d operands, got %d", d.s.op, low, n)
		}
		d.failInst("'%s' takes %d to %d operands, got %d", d.s.op, low, high, n)
	}
	return d.s.args
}

func (d *decoder) args(n int) []*operand { return d.argc(n, n) }
