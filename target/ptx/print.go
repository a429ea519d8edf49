package ptx

import (
	"io"
	"strconv"
)

// flushAt bounds the printer's buffer: it is written out when a statement leaves it longer than this.
const flushAt = 32 << 10

// WriteTo prints the module. It implements [io.WriterTo].
func (m *Module) WriteTo(w io.Writer) (int64, error) {
	p := printer{w: w, buf: make([]byte, 0, flushAt+4<<10)}
	p.module(m)
	p.flush()
	return p.written, p.err
}

type printer struct {
	w       io.Writer
	buf     []byte
	written int64
	err     error // the first one; nothing is written after it

	debug *debugTables
	files []int // module's file numbers by the body's handles
}

func (p *printer) flush() {
	if p.err == nil && len(p.buf) > 0 {
		n, err := p.w.Write(p.buf)
		p.written += int64(n)
		p.err = err
	}
	p.buf = p.buf[:0]
}

func (p *printer) str(s string) { p.buf = append(p.buf, s...) }
func (p *printer) char(c byte)  { p.buf = append(p.buf, c) }
func (p *printer) int(n int64)  { p.buf = strconv.AppendInt(p.buf, n, 10) }
func (p *printer) reg(r Reg)    { p.buf = appendReg(p.buf, r) }
func (p *printer) mod(m Mod)    { p.buf = appendMod(append(p.buf, '.'), m) }

// quoted prints a string. PTX has no escapes in strings, so a character that would end one is replaced.
func (p *printer) quoted(s string) {
	p.char('"')
	for i := range len(s) {
		if c := s[i]; c == '"' || c < ' ' {
			p.char('?')
		} else {
			p.char(c)
		}
	}
	p.char('"')
}

// comment prints the text as comment lines with the indent in front.
func (p *printer) comment(indent, text string) {
	p.str(indent)
	p.str("// ")
	for i := range len(text) {
		switch c := text[i]; c {
		case '\n':
			p.char('\n')
			p.str(indent)
			p.str("// ")
		case '\r': // ends a line for some readers
			p.char(' ')
		default:
			p.char(c)
		}
	}
	p.char('\n')
}

const hexDigits = "0123456789ABCDEF"

// hex prints the low digits of v, all of them.
func (p *printer) hex(v uint64, digits int) {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		p.char(hexDigits[v>>shift&15])
	}
}

func (p *printer) body(b *Body) {
	for i := range b.stmts {
		p.statement(b, &b.stmts[i])
		if len(p.buf) > flushAt {
			p.flush()
		}
	}
}

func (p *printer) statement(b *Body, s *stmt) {
	switch s.kind {
	case instStmt:
		p.instruction(b, s)
	case callStmt:
		p.call(b, s)
	case labelStmt:
		p.label(Label(s.operands))
		p.str(":\n")
	case locStmt:
		p.loc(b, s)
	case commentStmt:
		p.comment("\t", b.text[s.operands])
	case pragmaStmt:
		p.pragma("\t", b.text[s.operands])
	case localStmt:
		p.local(b, &b.locals[s.operands])
	case openStmt:
		p.str("\t{\n")
	case closeStmt:
		p.str("\t}\n")
	}
}

func (p *printer) instruction(b *Body, s *stmt) {
	p.char('\t')
	if s.guard != 0 {
		p.char('@')
		if s.negated {
			p.char('!')
		}
		p.reg(s.guard)
		p.char(' ')
	}
	p.str(opNames[s.op])
	for _, m := range b.mods[s.mods : s.mods+uint32(s.nMods)] {
		p.mod(m)
	}
	rest := b.operands[s.operands:]
	for i := range s.nArgs {
		if i > 0 {
			p.char(',')
		}
		p.char(' ')
		rest = p.operand(b, rest)
	}
	p.str(";\n")
}

// operand prints the first operand of the list and returns what follows it.
func (p *printer) operand(b *Body, list []Operand) []Operand {
	o := list[0]
	list = list[1:]
	switch o.kind {
	case regOperand:
		p.reg(o.reg)
	case notOperand:
		p.char('!')
		p.reg(o.reg)
	case pairOperand:
		p.regOrSink(o.reg)
		p.char('|')
		p.regOrSink(o.aux)
	case sinkOperand:
		p.char('_')
	case intOperand:
		p.int(o.bits)
	case hexOperand:
		p.str("0x")
		p.buf = strconv.AppendUint(p.buf, uint64(o.bits), 16)
	case f32Operand:
		p.str("0f")
		p.hex(uint64(o.bits), 8)
	case f64Operand:
		p.str("0d")
		p.hex(uint64(o.bits), 16)
	case addrOperand:
		p.char('[')
		p.reg(o.reg)
		p.offset(int32(o.bits))
		p.char(']')
	case symAddrOperand:
		p.char('[')
		p.symbol(b, o)
		p.char(']')
	case symOperand:
		p.symbol(b, o)
	case labelOperand:
		p.label(Label(o.bits))
	case specialOperand:
		p.str(specialNames[o.bits])
	case vectorOperand:
		return p.elements(b, list, int(o.bits))
	case tensorOperand:
		p.char('[')
		p.reg(o.reg)
		p.str(", ")
		list = p.elements(b, list, int(o.bits))
		p.char(']')
	}
	return list
}

func (p *printer) elements(b *Body, list []Operand, n int) []Operand {
	p.char('{')
	for i := range n {
		if i > 0 {
			p.str(", ")
		}
		list = p.operand(b, list)
	}
	p.char('}')
	return list
}

func (p *printer) regOrSink(r Reg) {
	if r == 0 {
		p.char('_')
		return
	}
	p.reg(r)
}

func (p *printer) offset(n int32) {
	if n != 0 {
		p.char('+') // also before a minus: the grammar has no subtraction here
		p.int(int64(n))
	}
}

func (p *printer) symbol(b *Body, o Operand) {
	sym, offset := o.sym()
	p.str(b.syms.name(sym))
	p.offset(offset)
}

func (p *printer) label(l Label) {
	p.str("$L")
	p.int(int64(l))
}

func (p *printer) call(b *Body, s *stmt) {
	args := b.operands[s.operands : s.operands+2+uint32(s.nArgs)]
	p.str("\tcall.uni ")
	if result, _ := args[0].sym(); result != 0 {
		p.char('(')
		p.str(b.syms.name(result))
		p.str("), ")
	}
	p.symbol(b, args[1])
	if len(args) > 2 {
		p.str(", (")
		for i, a := range args[2:] {
			if i > 0 {
				p.str(", ")
			}
			p.symbol(b, a)
		}
		p.char(')')
	}
	p.str(";\n")
}

func (p *printer) local(b *Body, l *Local) {
	p.char('\t')
	p.mod(l.Space)
	p.char(' ')
	p.typed(l.Align, l.Type)
	p.str(b.syms.name(l.Name))
	p.extent(l.Count)
	p.str(";\n")
}

func (p *printer) pragma(indent, text string) {
	p.str(indent)
	p.str(".pragma ")
	p.quoted(text)
	p.str(";\n")
}

func (p *printer) loc(b *Body, s *stmt) {
	p.str("\t.loc ")
	p.position(File(s.nMods), s.mods, s.operands)
	if s.inlined != 0 {
		in := &b.inlined[s.inlined-1]
		p.str(", function_name ")
		p.infoString(p.debug.funcIndex[in.Function])
		p.str(", inlined_at ")
		p.position(in.File, in.Line, in.Column)
	}
	p.char('\n')
}

func (p *printer) position(f File, line, column uint32) {
	p.int(int64(p.files[f]))
	p.char(' ')
	p.int(int64(line))
	p.char(' ')
	p.int(int64(column))
}

func (p *printer) infoString(n int) {
	p.str("$L__info_string")
	p.int(int64(n))
}
