package deviceruntime

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Arguments of vprintf are in a buffer in which each is aligned to its size. The programming guide limits them to
// 32, so longer lists are printed by several calls. One call prints maxArguments values.
const maxArguments = 32

// A printer collects what one thread prints, and writes it by calls of vprintf.
type printer struct {
	l      *core.Lowering
	buffer ir.Value
	format strings.Builder
	args   []ir.Value // promoted as C does: i32, i64 or f64
}

type printBufferKey struct{}

// printOp: the first thread, which holds all elements, prints.
//
// The elements of a tensor are all in one thread, because the row asks for such a layout of its operands
// (dialects/tileas/transfer). Only so are they printed in the order of the tile, and speed does not matter for a
// print.
func printOp(l *core.Lowering, op ir.Op) error {
	lay, err := l.ScalarLayout()
	if err != nil {
		return err
	}
	buffer := l.Once(printBufferKey{}, func(b *ir.Builder) ir.Value {
		i32 := l.I32()
		return b.Create(nvvm.LocalAlloc, nil, []ir.Type{nvvm.Ptr(l.Ctx, nvvm.Local)},
			ir.NamedAttr{Name: nvvm.AttrSize, Value: l.Ctx.IntAttr(i32, 8*maxArguments)},
			ir.NamedAttr{Name: nvvm.AttrAlign, Value: l.Ctx.IntAttr(i32, 8)}).Result(0)
	})
	return l.OnlyIf(l.Owner(lay), func() error {
		p := printer{l: l, buffer: buffer}
		args := op.OperandsNamed("args")
		for rest := op.StringAttr(tile.AttrFormat); rest != ""; {
			text, spec, after := nextConversion(rest)
			rest = after
			p.write(text)
			switch {
			case spec == "":
			case len(args) == 0:
				return op.Errorf("has no operand for the conversion '%s'", spec)
			default:
				p.value(spec, args[0])
				args = args[1:]
			}
		}
		p.flush()
		return nil
	})
}

// nextConversion cuts a format after its first conversion; the text before it keeps its %%.
//
// It reads as C does: flags, width and precision up to the letter of the conversion. A format may come from a
// dump that somebody wrote, so that one with more conversions than operands is an error above and no panic.
func nextConversion(format string) (text, spec, rest string) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		if strings.HasPrefix(format[i:], "%%") {
			i++
			continue
		}
		if n := strings.IndexAny(format[i:], "diuoxXeEfFgGaAcsSpn"); n > 0 {
			return format[:i], format[i : i+n+1], format[i+n+1:]
		}
	}
	return format, "", ""
}

// write adds text in which %% stands for a percent sign.
func (p *printer) write(text string) { p.format.WriteString(text) }

// value adds a scalar, or the elements of a tensor in brackets.
func (p *printer) value(spec string, v ir.Value) {
	regs := p.l.Values(v)
	shape := tile.Shape(v.Type())
	// Elements come in the order of the tile, since the first thread holds all of them in registers that count so.
	for i, r := range regs {
		inner := int64(len(regs))
		opened := 0
		for _, d := range shape { // a bracket for each dimension that begins here
			if int64(i)%inner == 0 {
				opened++
			}
			inner /= d
		}
		if i > 0 {
			p.write(", ")
		}
		p.write(strings.Repeat("[", opened))
		p.scalar(spec, r)
		closed := 0
		inner = int64(len(regs))
		for _, d := range shape {
			if (int64(i)+1)%inner == 0 {
				closed++
			}
			inner /= d
		}
		p.write(strings.Repeat("]", closed))
	}
}

// scalar adds one value, converted as its type suggests where the conversion is for another one.
func (p *printer) scalar(spec string, v ir.Value) {
	l := p.l
	verb := spec[len(spec)-1]
	flags := strings.Trim(spec[1:len(spec)-1], "hljztL")
	length := ""
	switch t := v.Type().(type) {
	case *ir.FloatType:
		if !strings.ContainsRune("eEfFgGaA", rune(verb)) {
			verb = 'f'
		}
		if v.Type() != ir.Type(l.Ctx.F64()) {
			v = l.Make(arith.FToF, l.Ctx.F64(), v)
		}
	case *nvvm.PtrType:
		verb, flags = 'p', ""
		v = l.Make(nvvm.PtrToInt, l.I64(), v)
	case *ir.IntegerType:
		extend := arith.ExtUI
		if !strings.ContainsRune("uoxXcp", rune(verb)) {
			verb = 'd'
			if t.Width > 1 { // a truth value has no sign
				extend = arith.ExtSI
			}
		}
		switch {
		case t.Width == 64 && verb != 'p':
			length = "ll"
		case t.Width < 32:
			v = l.Make(extend, l.I32(), v)
		}
		if verb == 'p' && t.Width < 64 {
			v = l.Make(arith.ExtUI, l.I64(), v)
		}
	}
	fmt.Fprintf(&p.format, "%%%s%s%c", flags, length, verb)
	if p.args = append(p.args, v); len(p.args) == maxArguments {
		p.flush()
	}
}

// flush prints what has been collected.
func (p *printer) flush() {
	if p.format.Len() == 0 {
		return
	}
	l, offset := p.l, int64(0)
	for _, v := range p.args {
		size := int64(ir.BitWidth(v.Type()) / 8)
		offset = (offset + size - 1) / size * size
		l.St(p.buffer, offset, []ir.Value{v}, ir.Value{})
		offset += size
	}
	generic := nvvm.Ptr(l.Ctx, nvvm.Generic)
	l.Create(nvvm.Call, []ir.Value{text(l, p.format.String()), l.Make(nvvm.ToGeneric, generic, p.buffer)}, []ir.Type{l.I32()},
		ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.Ctx.String(printFunction)})
	p.format.Reset()
	p.args = nil
}
