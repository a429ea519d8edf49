package decode

import (
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Callee returns the function that the call statement d.s names.
func (d *Decoder) Callee() *syntax.Function {
	for _, a := range d.Stmt.Args {
		if a.Kind == syntax.OpName && a.Sym != nil && a.Sym.Function != nil {
			return a.Sym.Function
		}
	}
	return nil
}

// IndirectTargets are the functions that an indirect call may reach: those that its list of targets names. For a
// prototype or a table of functions, they are all whose address the module takes and whose parameters have the sizes of
// the arguments ("call").
func (d *Decoder) IndirectTargets(s *syntax.Stmt) []*syntax.Function {
	if s.Op != "call" || len(s.Args) == 0 {
		return nil
	}
	last := s.Args[len(s.Args)-1]
	if last.Kind != syntax.OpName && last.Kind != syntax.OpVar || last.Scope == nil {
		return nil
	}
	var out []*syntax.Function
	if list := last.Scope.List(last.Name); list != nil {
		for _, o := range list {
			if o.Sym == nil || o.Sym.Function == nil {
				d.FailAt(o, "'%s' is not a function", o.Name)
			}
			out = append(out, o.Sym.Function)
		}
		return out
	}
	if last.Kind == syntax.OpName && !last.Scope.Prototype(last.Name) {
		return nil
	}
	rets, _, params := CallOperands(s.Args)
	for _, f := range d.Module.Taken {
		if f.Defined && !f.Entry && Fits(rets, f.Results) && Fits(params, f.Params) {
			out = append(out, f)
		}
	}
	return out
}

// CallOperands splits the operands of a call.
func CallOperands(args []*syntax.Operand) (rets []*syntax.Operand, callee *syntax.Operand, params []*syntax.Operand) {
	if args[0].Kind == syntax.OpList {
		rets, args = args[0].List, args[1:]
	}
	if len(args) > 0 {
		callee = args[0]
	}
	if len(args) > 1 && args[1].Kind == syntax.OpList {
		params = args[1].List
	}
	return rets, callee, params
}

// Fits compares the sizes of arguments with those of formal parameters.
func Fits(args []*syntax.Operand, formals []*syntax.Symbol) bool {
	if len(args) != len(formals) {
		return false
	}
	for i, o := range args {
		switch o.Kind {
		case syntax.OpVar:
			if o.Sym.Size != formals[i].Size {
				return false
			}
		case syntax.OpReg:
			if int64(o.Sym.Type.Bytes()) != formals[i].Size {
				return false
			}
		}
	}
	return true
}

// Link decodes f and what it calls with the decoders of table. An error has type *Error.
func Link(m *syntax.Module, f *syntax.Function, table map[string]Func) (p *machine.Program, err error) {
	defer syntax.Catch(&err)
	d := &Decoder{
		Module:   m,
		table:    table,
		Program:  &machine.Program{Module: m, Entry: f, Starts: map[*syntax.Function]int32{}, Slots: map[*syntax.Symbol]int32{}, Regs: 2, Preds: 2},
		Offsets:  map[*syntax.Symbol]int64{},
		constIdx: map[constKey]int32{},
		specials: map[string]int32{},
	}
	d.callees(f, map[*syntax.Function]bool{})
	var n int32
	for _, g := range d.order {
		d.Program.Starts[g] = n
		n += int32(len(g.Body))
	}
	d.layout()
	d.reserveStack()
	d.Program.Code, d.Program.Probes, d.Program.Orders = make([]machine.Inst, n), make([]*machine.Probe, n), make([]*machine.Order, n)
	for _, g := range d.order {
		start := d.Program.Starts[g]
		for i := range g.Body {
			d.at = int(start) + i
			d.Function, d.Stmt, d.Inst = g, &g.Body[i], &d.Program.Code[d.at]
			d.statement()
		}
		machine.Reconverge(d.Program.Code[start:int(start)+len(g.Body)], start)
	}
	findPolls(d.Program.Code, d.Program.Orders)
	return d.Program, nil
}

// callees lists f and, once each, the functions reachable from it. The emulator gives each function one frame, so
// recursion is an error.
//
// One frame for each function keeps registers of all functions in one file of slots, addressed by constants. A stack of
// frames would put an addition into every access to a register, for recursion that kernels do not use.
func (d *Decoder) callees(f *syntax.Function, active map[*syntax.Function]bool) {
	active[f] = true
	d.order = append(d.order, f)
	seen := func(g *syntax.Function) bool {
		for _, o := range d.order {
			if o == g {
				return true
			}
		}
		return false
	}
	for i := range f.Body {
		if f.Body[i].Op != "call" {
			continue
		}
		d.Stmt = &f.Body[i]
		g := d.Callee()
		if g == nil {
			// A pointer to a function that is active would be a recursion;
			// it is left out and faults when it is called.
			for _, g := range d.IndirectTargets(d.Stmt) {
				if !active[g] && !seen(g) {
					d.callees(g, active)
				}
			}
			continue
		}
		switch {
		case active[g]:
			d.Fail("recursive call of '%s' is not supported", g.Name)
		case !seen(g):
			d.callees(g, active)
		}
	}
	delete(active, f)
}

// layout places the shared, local and parameter variables of all functions of the program, and the module-level shared
// variables that they name.
//
// Variables of all functions have places of their own. Functions that are never active together could share memory, but
// then a pointer that outlives its function would go unnoticed.
func (d *Decoder) layout() {
	var shared, local int64
	place := func(s *syntax.Symbol, top *int64, limit int64, what string) {
		if _, done := d.Offsets[s]; done {
			return
		}
		align := max(s.Align, 1)
		*top = (*top + align - 1) &^ (align - 1)
		d.Offsets[s] = *top
		if *top += s.Size; *top > limit {
			panic(d.Module.Errorf(s.Pos, "%s memory of '%s' exceeds %d bytes", what, d.Program.Entry.Name, limit))
		}
	}
	var dyn []*syntax.Symbol
	d.Program.DynAlign = 16
	visit := func(s *syntax.Symbol) {
		switch {
		case s.Extern:
			d.Program.DynAlign = max(d.Program.DynAlign, s.Align)
			dyn = append(dyn, s)
		case s.Space == syntax.Shared:
			place(s, &shared, syntax.MaxShared, "shared")
		case s.Space == syntax.Local || s.Space == syntax.Param:
			place(s, &local, syntax.MaxLocal, "local")
		}
	}
	for _, f := range d.order {
		for _, v := range f.Vars {
			visit(v)
		}
		for _, v := range f.Results {
			visit(v)
		}
		for _, v := range f.Params {
			if f.Entry {
				d.Offsets[v] = v.Offset
				d.Program.ParamBytes = int(v.Offset + v.Size)
			} else {
				visit(v)
			}
		}
		for i := range f.Body {
			for _, a := range f.Body[i].Args {
				eachVar(a, func(s *syntax.Symbol) {
					if s.Space == syntax.Shared {
						visit(s)
					}
				})
			}
		}
	}
	d.Program.SharedSize, d.Program.LocalSize = int(shared), int(local+15)&^15
	// Extern arrays have no size in the program: they all begin after the static variables, at one place.
	start := (shared + d.Program.DynAlign - 1) &^ (d.Program.DynAlign - 1)
	for _, s := range dyn {
		d.Offsets[s] = start
	}
}

func eachVar(o *syntax.Operand, f func(*syntax.Symbol)) {
	if o.Kind == syntax.OpVar {
		f(o.Sym)
	}
	if o.Base != nil {
		eachVar(o.Base, f)
	}
	for _, x := range o.List {
		eachVar(x, f)
	}
}

// What an instruction needs first (clocks, publishing writes) is put before its function here, so that no
// decoder has to think of it.
func (d *Decoder) statement() {
	s := d.Stmt
	d.Inst.Stmt, d.Inst.Join = s, -1
	d.Mods = append(d.Mods[:0], s.Mods...)
	d.before = d.before[:0]
	fn := d.table[s.Op]
	if fn == nil {
		d.Fail("unknown instruction '%s'", strings.Join(append([]string{s.Op}, s.Mods...), "."))
	}
	if s.Guard != nil {
		d.Inst.Guarded, d.Inst.Guard = true, d.PredSrc(s.Guard)
	}
	fn(d)
	for _, m := range d.Mods {
		if m != "" {
			d.Fail("unknown modifier '.%s' of '%s'", m, s.Op)
		}
	}
	if d.Inst.Exec == nil && d.Inst.Kind == machine.KindPlain {
		d.Inst.Exec = func(*machine.Warp, uint32) {}
	}
	if len(d.before) > 0 && d.Inst.Exec != nil {
		first, then := append([]machine.Exec(nil), d.before...), d.Inst.Exec
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			for _, f := range first {
				f(w, m)
			}
			then(w, m)
		}
	}
}
