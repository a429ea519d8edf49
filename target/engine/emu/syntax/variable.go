package syntax

import (
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// variable parses `.space .align N .type name[..] = init, ...;`.
func (p *parser) variable(extern bool) []*Symbol {
	sp := map[string]Space{
		".global": Global, ".const": Const, ".shared": Shared, ".local": Local, ".param": Param,
	}[p.advance().text]
	var align int64
	var typ Type
	vec := int64(1)
	for p.tok.kind == tokDot {
		t := p.advance()
		switch t.text {
		case ".align":
			align = p.alignment()
		case ".attribute":
			p.expect("(")
			for !p.accept(")") {
				if p.tok.kind == tokEOF {
					p.fail(t.pos, "attribute list is not closed")
				}
				p.advance()
			}
		case ".v2", ".v4", ".v8":
			vec = int64(t.text[2] - '0')
		case ".ptr", ".global", ".shared", ".const", ".local", ".param":
		default:
			s, ok := TypeByName[t.text[1:]]
			if !ok || s == Pred {
				p.fail(t.pos, "unknown variable type '%s'", t.text)
			}
			typ = s
		}
	}
	if typ == NoType {
		p.fail(p.tok.pos, "variable has no type")
	}
	var out []*Symbol
	for {
		name := p.ident("a variable name")
		v := &Symbol{Name: name.text, Pos: name.pos, Type: typ, Space: sp, Align: max(align, int64(typ.Bytes())*vec), Size: int64(typ.Bytes()) * vec}
		if align > 0 && align < int64(typ.Bytes()) {
			p.fail(name.pos, "alignment %d of '%s' is below that of its type .%s", align, v.Name, typ)
		}
		p.dimensions(v, extern)
		p.declare(v)
		if p.tok.is("=") {
			p.advance()
			if sp != Global && sp != Const {
				p.fail(name.pos, "%s variable '%s' cannot have an initialiser", sp, v.Name)
			}
			p.initialiser(v, 0, 0)
		}
		out = append(out, v)
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
	return out
}

func (p *parser) alignment() int64 {
	at := p.tok.pos
	n := p.integer()
	if n <= 0 || n > 1<<20 || n&(n-1) != 0 {
		p.fail(at, "alignment %d is not a power of two up to 2^20", n)
	}
	return n
}

// dimensions parses `[4][8]` after a variable's name and sets its size.
//
// The size is checked before each multiplication, as three dimensions of 2^32 would overflow to something small.
func (p *parser) dimensions(v *Symbol, extern bool) {
	limit := map[Space]int64{Global: maxVarBytes, Const: maxVarBytes, Shared: MaxShared, Local: MaxLocal, Param: maxParams}[v.Space]
	open := false
	for p.accept("[") {
		if p.accept("]") {
			open = true
			continue
		}
		at := p.tok.pos
		n := p.integer()
		p.expect("]")
		if n < 0 || v.Size > 0 && n > limit/v.Size {
			p.fail(at, "'%s' is larger than the limit of %d bytes for .%s", v.Name, limit, v.Space)
		}
		v.Size *= n
	}
	if open {
		v.Extern = extern && v.Space == Shared
		if !v.Extern && !p.tok.is("=") {
			p.fail(v.Pos, "'%s' has no size", v.Name)
		}
		if p.tok.is("=") {
			v.Size = -v.Size // the initialiser tells the size; see initialiser
		} else {
			v.Size = 0
		}
	}
	if v.Space == Global || v.Space == Const {
		if p.varBytes += max(v.Size, 0); p.varBytes > maxVarBytes {
			p.fail(v.Pos, "module variables exceed %d bytes", maxVarBytes)
		}
	}
}

// initialiser parses a value or a braced list at byte off of v and returns the offset after it.
//
// The ISA permits lists nested as the dimensions are. A flat one is legal too, and a compiler's tables of structs are
// flat. What counts is the offset of the next element.
func (p *parser) initialiser(v *Symbol, off int64, depth int) int64 {
	defer p.nest()()
	if p.accept("{") {
		for !p.accept("}") {
			off = p.initialiser(v, off, depth+1)
			if !p.tok.is("}") {
				p.expect(",")
			}
		}
		if v.Size < 0 && depth == 0 {
			v.Size = off
			if p.varBytes += off; p.varBytes > maxVarBytes {
				p.fail(v.Pos, "module variables exceed %d bytes", maxVarBytes)
			}
		}
		return off
	}
	it := initItem{Offset: off, Size: v.Type.Bytes()}
	if v.Size >= 0 && off+int64(it.Size) > v.Size {
		p.fail(p.tok.pos, "too many initialisers for '%s'", v.Name)
	}
	if p.tok.kind == tokIdent {
		name := p.advance()
		generic := name.text == "generic" && p.accept("(")
		if generic {
			name = p.ident("a variable name")
			p.expect(")")
		}
		it.Sym = p.scope.lookup(name.text)
		if it.Sym == nil || it.Sym.Register || it.Sym.Space == Shared {
			p.fail(name.pos, "'%s' is not a variable that can initialise another", name.text)
		}
		if f := it.Sym.Function; f != nil {
			p.m.takes(f)
			it.Sym, it.Bits = nil, f.Address
		} else if p.accept("+") {
			it.Bits = uint64(p.integer())
		}
	} else {
		it.Bits = Immediate(p.constant(), v.Type)
	}
	if it.Bits != 0 || it.Sym != nil {
		v.Init = append(v.Init, it)
	}
	return off + int64(it.Size)
}

// Immediate is the bit pattern of a constant as a value of type t.
//
// "Constants": a literal of a float is a double, to be rounded to the type that it is used with.
func Immediate(o *Operand, t Type) uint64 {
	if o.Kind == OpInt {
		return o.Bits & num.Mask(t.Bits())
	}
	if o.F32 {
		if t == F64 {
			return fp.Bits64(float64(fp.Float32(o.Bits)))
		}
		return o.Bits & num.Mask(t.Bits())
	}
	switch t {
	case F32:
		return fp.Bits32(float32(fp.Float64(o.Bits)))
	case F16:
		return fp.F16.Round(fp.Float64(o.Bits), fp.Nearest)
	case BF16:
		return fp.BF16.Round(fp.Float64(o.Bits), fp.Nearest)
	}
	return o.Bits & num.Mask(t.Bits())
}
