package ptx

import (
	"errors"
	"fmt"
)

// Verify checks what the types of the model leave open. It reports every violation it finds:
//   - names are identifiers, and unique within the module or the entry;
//   - alignments are powers of two, extents are not negative, initial values fit the array;
//   - registers, symbols and labels come from the entry, every label in use is placed, once;
//   - guards and negated operands are predicates;
//   - scopes close;
//   - source locations name a file.
//
// It does not check that opcodes, modifiers and operands go together, nor that the target has them: that is the
// assembler's knowledge.
func (m *Module) Verify() error {
	c := checker{scope: make(map[string]bool)}
	if m.Target.Arch == nil {
		c.errorf("the module has no target")
	} else if m.Target.Version < m.Target.Arch.PTX[m.Target.Suffix] {
		c.errorf("target %s needs PTX ISA %s, the module has %s", m.Target, m.Target.Arch.PTX[m.Target.Suffix], m.Target.Version)
	}
	for _, f := range m.Funcs {
		c.name("function", f.Name)
	}
	for _, v := range m.Vars {
		c.variable(v)
	}
	for _, e := range m.Entries {
		c.name("entry", e.Name)
	}
	for _, e := range m.Entries {
		c.entry(e)
	}
	return errors.Join(c.errs...)
}

type checker struct {
	errs  []error
	scope map[string]bool
}

func (c *checker) errorf(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *checker) name(what, name string) {
	switch {
	case !ValidName(name):
		c.errorf("%s name %q is not a PTX identifier", what, name)
	case c.scope[name]:
		c.errorf("%s '%s' is declared twice", what, name)
	}
	c.scope[name] = true
}

func (c *checker) align(what, name string, align int) {
	if align < 0 || align&(align-1) != 0 {
		c.errorf("%s '%s': alignment %d is not a power of two", what, name, align)
	}
}

func (c *checker) variable(v *Var) {
	c.name("variable", v.Name)
	c.align("variable", v.Name, v.Align)
	if v.Count < 0 || !v.Array && v.Count != 0 {
		c.errorf("variable '%s': invalid extent %d", v.Name, v.Count)
	}
	room := v.Count
	if !v.Array {
		room = 1
	}
	if len(v.Init) > room {
		c.errorf("variable '%s': %d initial values for %d elements", v.Name, len(v.Init), room)
	}
}

func (c *checker) entry(e *Entry) {
	names := make(map[string]bool, len(e.Params))
	for i := range e.Params {
		p := &e.Params[i]
		if !ValidName(p.Name) || names[p.Name] {
			c.errorf("entry '%s': parameter name %q is no identifier or not unique", e.Name, p.Name)
		}
		names[p.Name] = true
		c.align("parameter", p.Name, p.Align)
		c.align("parameter", p.Name, p.PtrAlign)
		if p.Count < 0 {
			c.errorf("parameter '%s': invalid extent %d", p.Name, p.Count)
		}
	}
	b := bodyChecker{checker: c, entry: e, placed: make([]bool, e.Body.labels+1), used: make([]bool, e.Body.labels+1)}
	b.check()
}

// bodyChecker walks one body.
type bodyChecker struct {
	*checker
	entry  *Entry
	placed []bool // by label
	used   []bool // by label
}

func (c *bodyChecker) errorf(statement int, format string, args ...any) {
	c.checker.errorf("entry '%s', statement %d: %s", c.entry.Name, statement, fmt.Sprintf(format, args...))
}

func (c *bodyChecker) check() {
	b := &c.entry.Body
	depth := 0
	for i := range b.stmts {
		s := &b.stmts[i]
		switch s.kind {
		case instStmt:
			c.instruction(i, s)
		case callStmt:
			c.call(i, s)
		case labelStmt:
			c.place(i, Label(s.operands))
		case locStmt:
			c.loc(i, s)
		case localStmt:
			c.local(i, &b.locals[s.operands])
		case openStmt:
			depth++
		case closeStmt:
			if depth == 0 {
				c.errorf(i, "closes a scope that is not open")
				depth++
			}
			depth--
		}
	}
	if depth != 0 {
		c.errorf(len(b.stmts), "%d scopes are not closed", depth)
	}
	for l := range c.used {
		if c.used[l] && !c.placed[l] {
			c.errorf(len(b.stmts), "label $L%d is not placed", l)
		}
	}
}

func (c *bodyChecker) instruction(i int, s *stmt) {
	b := &c.entry.Body
	if s.op == invalidOp || s.op >= numOps {
		c.errorf(i, "invalid opcode %d", s.op)
		return
	}
	if s.guard != 0 {
		c.predicate(i, s.guard)
	}
	for _, m := range b.mods[s.mods : s.mods+uint32(s.nMods)] {
		if m&shapeFlag == 0 && (m == invalidMod || m >= numMods) {
			c.errorf(i, "'%s' has invalid modifier %d", s.op, m)
		}
	}
	rest := b.operands[s.operands:]
	for range s.nArgs {
		rest = c.operand(i, s, rest)
	}
}

func (c *bodyChecker) predicate(i int, r Reg) {
	if c.register(i, r) && r.Class() != Pred {
		c.errorf(i, "expected a predicate, got %s", r)
	}
}

func (c *bodyChecker) register(i int, r Reg) bool {
	ok := c.entry.Regs.owns(r)
	if !ok {
		c.errorf(i, "register of class %d, number %d does not belong to the entry", r.Class(), r.Number())
	}
	return ok
}

func (c *bodyChecker) symbol(i int, sym Sym) bool {
	ok := sym != 0 && int(sym) <= len(c.entry.Body.syms.names)
	if !ok {
		c.errorf(i, "symbol %d does not belong to the body", sym)
	}
	return ok
}

func (c *bodyChecker) call(i int, s *stmt) {
	b := &c.entry.Body
	for j, o := range b.operands[s.operands : s.operands+2+uint32(s.nArgs)] {
		if sym, _ := o.sym(); j != 0 || sym != 0 { // the result may be absent
			c.symbol(i, sym)
		}
	}
}

func (c *bodyChecker) local(i int, l *Local) {
	if !c.symbol(i, l.Name) {
		return
	}
	name := c.entry.Body.syms.name(l.Name)
	if !ValidName(name) {
		c.errorf(i, "local name %q is not a PTX identifier", name)
	}
	c.align("local", name, l.Align)
}

// operand checks the first operand of the list and returns what follows it.
func (c *bodyChecker) operand(i int, s *stmt, list []Operand) []Operand {
	if len(list) == 0 {
		c.errorf(i, "'%s' lacks an operand", s.op)
		return nil
	}
	o := list[0]
	list = list[1:]
	switch o.kind {
	case regOperand, addrOperand:
		c.register(i, o.reg)
	case notOperand:
		c.predicate(i, o.reg)
	case pairOperand:
		if o.reg != 0 {
			c.register(i, o.reg)
		}
		if o.aux != 0 {
			c.register(i, o.aux)
		}
	case symOperand, symAddrOperand:
		sym, _ := o.sym()
		c.symbol(i, sym)
	case labelOperand:
		if l := Label(o.bits); l == 0 || int(l) >= len(c.used) {
			c.errorf(i, "label $L%d does not belong to the entry", l)
		} else {
			c.used[l] = true
		}
	case vectorOperand, tensorOperand:
		if o.kind == tensorOperand {
			c.register(i, o.reg)
		}
		for range o.bits {
			list = c.operand(i, s, list)
		}
	case specialOperand:
		if sp := Special(o.bits); sp == invalidSpecial || sp >= numSpecials {
			c.errorf(i, "'%s' reads invalid special register %d", s.op, sp)
		}
	case invalidOperand:
		c.errorf(i, "'%s' has an operand without a form", s.op)
	}
	return list
}

func (c *bodyChecker) place(i int, l Label) {
	switch {
	case l == 0 || int(l) >= len(c.placed):
		c.errorf(i, "label $L%d does not belong to the entry", l)
	case c.placed[l]:
		c.errorf(i, "label $L%d is placed twice", l)
	default:
		c.placed[l] = true
	}
}

func (c *bodyChecker) loc(i int, s *stmt) {
	b := &c.entry.Body
	if s.nMods == 0 || int(s.nMods) > len(b.files) {
		c.errorf(i, "location without a file")
	}
	if s.inlined != 0 {
		if f := b.inlined[s.inlined-1].File; f == 0 || int(f) > len(b.files) {
			c.errorf(i, "inlined location without a file")
		}
	}
}
