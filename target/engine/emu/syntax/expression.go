package syntax

// operand parses one instruction operand.
func (p *parser) operand() *Operand {
	defer p.nest()()
	o := &Operand{Pos: p.tok.pos, Scope: p.scope}
	switch {
	case p.accept("!"):
		o = p.operand()
		o.Not = true
	case p.accept("{"):
		o.Kind, o.List = OpVector, p.operands("}")
	case p.accept("("):
		o.Kind, o.List = OpList, p.operands(")")
	case p.accept("["):
		o.Kind = OpAddr
		p.address(o)
	case p.tok.kind == tokIdent:
		p.named(o)
		if o.Kind == OpVar && (p.tok.is("+") || p.tok.is("-")) {
			o.Offset = p.offset()
		}
	case p.tok.is("-"):
		// A sign before a register, or a constant.
		p.advance()
		if p.tok.kind == tokIdent {
			o = p.operand()
			o.Neg = !o.Neg
			return o
		}
		c := p.unary()
		negate(c)
		c.Pos = o.Pos
		return c
	default:
		return p.constant()
	}
	return o
}

func (p *parser) operands(end string) []*Operand {
	var out []*Operand
	for !p.accept(end) {
		out = append(out, p.operand())
		if !p.tok.is(end) {
			p.expect(",")
		}
	}
	return out
}

// named resolves an identifier operand.
//
// A name that resolves to nothing is kept: it may be a label, a special register or a list of targets, which only the
// decoder of the instruction can tell.
func (p *parser) named(o *Operand) {
	t := p.advance()
	o.Name = t.text
	if o.Name == "_" {
		o.Kind = OpSink
		return
	}
	if p.tok.kind == tokDot && p.tok.glued {
		if y := p.scope.lookup(o.Name); y != nil && y.Register {
			o.Part = p.advance().text[1:]
		} else if o.Name[0] == '%' {
			o.Name += p.advance().text
		}
	}
	o.Sym = p.scope.lookup(o.Name)
	switch {
	case o.Sym == nil || o.Sym.Function != nil:
		o.Kind = OpName
	case o.Sym.Register:
		o.Kind = OpReg
	default:
		o.Kind = OpVar
	}
}

// offset parses the `+4`, `-4` and `+-4` that follow a base.
func (p *parser) offset() int64 {
	var off int64
	for {
		switch {
		case p.accept("+"):
			off += p.signed()
		case p.accept("-"):
			off -= p.signed()
		default:
			return off
		}
	}
}

func (p *parser) signed() int64 {
	at := p.tok.pos
	o := p.unary()
	if o.Kind != OpInt {
		p.fail(at, "expected an integer offset")
	}
	return int64(o.Bits)
}

// address parses the inside of `[base+off]` and of `[map, {x, y}]`.
//
// A second part after a comma is a tensor's coordinates, or the mbarrier's state; the decoder of the instruction
// looks at it.
func (p *parser) address(o *Operand) {
	if p.tok.kind == tokIdent {
		o.Base = &Operand{Pos: p.tok.pos, Scope: p.scope}
		p.named(o.Base)
		o.Offset = p.offset()
	} else {
		at := p.tok.pos
		c := p.constant()
		if c.Kind != OpInt {
			p.fail(at, "expected an address")
		}
		o.Offset = int64(c.Bits)
	}
	for p.accept(",") {
		o.List = append(o.List, p.operand())
	}
	p.expect("]")
}

// constant parses a constant expression by precedence climbing.
func (p *parser) constant() *Operand { return p.binary(0) }

// precedence lists the binary operators from loosest to tightest.
//
// Comparisons, shifts and the ternary operator, which the ISA has too, do not occur in what compilers write.
var precedence = map[string]int{"|": 1, "^": 2, "&": 3, "+": 5, "-": 5, "*": 6, "/": 6}

// Arithmetic is that of 64 bits, which wraps, as the ISA has it.
func (p *parser) binary(level int) *Operand {
	defer p.nest()()
	l := p.unary()
	for {
		if p.tok.kind != tokPunct {
			return l
		}
		op := p.tok
		prec := precedence[op.text]
		if prec == 0 || prec <= level {
			return l
		}
		p.advance()
		r := p.binary(prec)
		if l.Kind != OpInt || r.Kind != OpInt {
			p.fail(op.pos, "operator '%s' needs integer constants", op.text)
		}
		switch op.text {
		case "|":
			l.Bits |= r.Bits
		case "^":
			l.Bits ^= r.Bits
		case "&":
			l.Bits &= r.Bits
		case "+":
			l.Bits += r.Bits
		case "-":
			l.Bits -= r.Bits
		case "*":
			l.Bits *= r.Bits
		default:
			if r.Bits == 0 {
				p.fail(op.pos, "division by zero in a constant")
			}
			l.Bits = uint64(int64(l.Bits) / int64(r.Bits))
		}
	}
}

func (p *parser) unary() *Operand {
	defer p.nest()()
	at := p.tok
	switch {
	case p.accept("-"):
		o := p.unary()
		negate(o)
		return o
	case p.accept("+"):
		return p.unary()
	case p.accept("~"):
		o := p.unary()
		if o.Kind != OpInt {
			p.fail(at.pos, "operator '~' needs an integer constant")
		}
		o.Bits = ^o.Bits
		return o
	case p.accept("("):
		o := p.constant()
		p.expect(")")
		return o
	case p.tok.kind == tokInt:
		p.advance()
		return &Operand{Kind: OpInt, Bits: at.bits, Pos: at.pos, Scope: p.scope}
	case p.tok.kind == tokFloat:
		p.advance()
		return &Operand{Kind: OpFloat, Bits: at.bits, F32: at.f32, Pos: at.pos, Scope: p.scope}
	}
	p.fail(at.pos, "expected a constant, got %s", at)
	return nil
}

func negate(o *Operand) {
	switch {
	case o.Kind == OpInt:
		o.Bits = -o.Bits
	case o.F32:
		o.Bits ^= 1 << 31
	default:
		o.Bits ^= 1 << 63
	}
}
