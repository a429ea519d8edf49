package emu

// windowCode is where the addresses of functions are. They are good for
// calls only.
const windowCode = 0x0400_0000_0000

// codeAlign is the distance of the addresses of two functions.
const codeAlign = 16

// indirectTargets are the functions that an indirect call may reach: those
// that its list of targets names, or, for a prototype or a table of
// functions, all whose address the module takes and whose parameters have the
// sizes of the arguments ("call").
func (d *decoder) indirectTargets(s *stmt) []*function {
	if s.op != "call" || len(s.args) == 0 {
		return nil
	}
	last := s.args[len(s.args)-1]
	if last.kind != opName && last.kind != opVar || last.scope == nil {
		return nil
	}
	var out []*function
	if list := last.scope.list(last.name); list != nil {
		for _, o := range list {
			if o.sym == nil || o.sym.fn == nil {
				d.badOperand(o, "'%s' is not a function", o.name)
			}
			out = append(out, o.sym.fn)
		}
		return out
	}
	if last.kind == opName && !last.scope.prototype(last.name) {
		return nil
	}
	rets, _, params := callOperands(s.args)
	for _, f := range d.m.taken {
		if f.defined && !f.entry && fits(rets, f.rets) && fits(params, f.params) {
			out = append(out, f)
		}
	}
	return out
}

// callOperands splits the operands of a call.
func callOperands(args []*operand) (rets []*operand, callee *operand, params []*operand) {
	if args[0].kind == opList {
		rets, args = args[0].list, args[1:]
	}
	if len(args) > 0 {
		callee = args[0]
	}
	if len(args) > 1 && args[1].kind == opList {
		params = args[1].list
	}
	return rets, callee, params
}

// fits compares the sizes of arguments with those of formal parameters.
func fits(args []*operand, formals []*symbol) bool {
	if len(args) != len(formals) {
		return false
	}
	for i, o := range args {
		switch o.kind {
		case opVar:
			if o.sym.size != formals[i].size {
				return false
			}
		case opReg:
			if int64(o.sym.typ.bytes()) != formals[i].size {
				return false
			}
		}
	}
	return true
}

// decodeCallIndirect decodes `call (ret), pointer, (args), targets`.
func decodeCallIndirect(d *decoder) {
	rets, callee, params := callOperands(d.s.args)
	if callee == nil || callee.kind != opReg {
		d.failInst("this function is not declared")
	}
	last := d.s.args[len(d.s.args)-1]
	if last == callee || last.kind != opName && last.kind != opVar {
		d.failInst("an indirect call needs a prototype or a list of targets")
	}
	targets := map[uint64]*indirectTarget{}
	for _, f := range d.indirectTargets(d.s) {
		start, linked := d.p.starts[f]
		if !linked || !fits(rets, f.rets) || !fits(params, f.params) {
			continue
		}
		before, after := d.passing(f, rets, params)
		targets[f.addr] = &indirectTarget{start: start, before: before, after: after}
	}
	chosen := d.hidden()
	d.in.kind, d.in.index = kindCallIndirect, d.src(callee, tU64)
	d.in.callees = targets
	pointer := d.in.index
	d.in.exec = func(w *warp, m uint32) {
		v := w.lanes(pointer)[laneOf(m)]
		for k := m; k != 0; {
			w.reg(chosen)[next(&k)] = v
		}
		targets[v].before(w, m)
	}
	d.in.after = func(w *warp, m uint32) { targets[w.reg(chosen)[laneOf(m)]].after(w, m) }
}

// indirectTarget is a function that an indirect call may reach.
type indirectTarget struct {
	start         int32
	before, after execFn
}

// callIndirect executes an indirect call. Lanes with other pointers go
// separate ways first, which returns false, and meet behind it.
func (w *warp) callIndirect(s *split, in *inst, m uint32) bool {
	pointer := w.lanes(in.index)
	first := laneOf(m)
	var same uint32
	for k := m; k != 0; {
		if i := next(&k); pointer[i] == pointer[first] {
			same |= 1 << i
		}
	}
	if same != s.mask {
		paths := []path{{s.pc, same}}
		if rest := m &^ same; rest != 0 {
			paths = append(paths, path{s.pc, rest})
		}
		if idle := s.mask &^ m; idle != 0 {
			paths = append(paths, path{s.pc + 1, idle})
		}
		w.branch(s, s.pc+1, paths)
		return false
	}
	t := in.callees[pointer[first]]
	if t == nil {
		w.faultf(first, "%#x is not the address of a function that this call may reach", pointer[first])
		return false
	}
	in.exec(w, m)
	w.call(s, t.start, m)
	return true
}
