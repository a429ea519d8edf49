package tileastonvvm

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// The functions of the device runtime that asserts and prints call (CUDA programming guide, formatted output and assertion).
const (
	printFunction  = "vprintf"
	assertFunction = "__assertfail"
)

type stringKey struct{ text string }

// text returns the generic address of a string that ends in a zero.
//
// Equal strings are one variable of the module.
func (l *lowering) text(s string) ir.Value {
	return l.once(stringKey{s}, func(b *ir.Builder) ir.Value {
		data := append([]byte(s), 0)
		name := l.variable("string", l.ctx.Dense(l.ctx.Tensor([]int64{int64(len(data))}, l.ctx.Int(8), nil), data))
		return b.Create(nvvm.ToGeneric, []ir.Value{l.addressOf(name)}, []ir.Type{nvvm.Ptr(l.ctx, nvvm.Generic)}).Result(0)
	})
}

// onlyIf runs f in a block of its own when the condition holds.
func (l *lowering) onlyIf(cond ir.Value, f func() error) error {
	then, exit := l.region.AddBlock(), l.region.AddBlock()
	cf.CreateCondBr(l.Builder, cond, then, nil, exit, nil)
	l.SetInsertionPointToEnd(then)
	if err := f(); err != nil {
		return err
	}
	cf.CreateBr(l.Builder, exit)
	exit.MoveToEnd(l.region)
	l.SetInsertionPointToEnd(exit)
	return nil
}

// assert: each thread that holds an element that is false reports.
//
// Threads that hold copies of an element report too: choosing one would cost every assert that holds.
func (l *lowering) assert(op ir.Op) error {
	i1 := l.ctx.Int(1)
	var all ir.Value
	for _, v := range l.Values(op.Operand(0)) {
		all = l.both(all, v)
	}
	failed := l.create(arith.XOrI, i1, all, l.constAttr(l.ctx.IntAttr(i1, -1)))
	file, line := "", uint32(0)
	if loc := ir.FileLocOf(op.Loc()); loc != nil {
		file, line = loc.File, loc.Line
	}
	// __assertfail takes message, file, line, function and the size of a character. It is called in a block of its own: nearly always nobody fails, and the arguments need not be computed.
	message, name, where := l.text(op.StringAttr(tile.AttrMessage)), l.text(l.name), l.text(file)
	return l.onlyIf(failed, func() error {
		l.Create(nvvm.Call, []ir.Value{message, where, l.const32(int64(line)), name, l.const64(1)}, nil,
			ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.ctx.String(assertFunction)})
		l.Create(nvvm.Trap, nil, nil)
		return nil
	})
}

// vprintf reads its arguments from a buffer in which each is aligned to its size; the programming guide limits them to 32, so that longer lists are printed by several calls.
// maxArguments is how many values one call prints.
const maxArguments = 32

// A printer collects what one thread prints, and writes it by calls of vprintf.
type printer struct {
	l      *lowering
	buffer ir.Value
	format strings.Builder
	args   []ir.Value // promoted as C does: i32, i64 or f64
}

type printBufferKey struct{}

// print: the first thread, which holds all elements, prints.
//
// The elements of a tensor are all in one thread because the row asks for such a layout of its operands
// (dialects/tileas/transfer): only so they come in the order of the tile, and a print is no place for speed.
func (l *lowering) print(op ir.Op) error {
	lay, err := l.scalarLayout()
	if err != nil {
		return err
	}
	buffer := l.once(printBufferKey{}, func(b *ir.Builder) ir.Value {
		i32 := l.i32()
		return b.Create(nvvm.LocalAlloc, nil, []ir.Type{nvvm.Ptr(l.ctx, nvvm.Local)},
			ir.NamedAttr{Name: nvvm.AttrSize, Value: l.ctx.IntAttr(i32, 8*maxArguments)},
			ir.NamedAttr{Name: nvvm.AttrAlign, Value: l.ctx.IntAttr(i32, 8)}).Result(0)
	})
	return l.onlyIf(l.owner(lay), func() error {
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

// nextConversion cuts a format behind its first conversion; the text before it keeps its %%.
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
		if v.Type() != ir.Type(l.ctx.F64()) {
			v = l.create(arith.FToF, l.ctx.F64(), v)
		}
	case *nvvm.PtrType:
		verb, flags = 'p', ""
		v = l.create(nvvm.PtrToInt, l.i64(), v)
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
			v = l.create(extend, l.i32(), v)
		}
		if verb == 'p' && t.Width < 64 {
			v = l.create(arith.ExtUI, l.i64(), v)
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
		l.st(p.buffer, offset, []ir.Value{v}, ir.Value{})
		offset += size
	}
	generic := nvvm.Ptr(l.ctx, nvvm.Generic)
	l.Create(nvvm.Call, []ir.Value{l.text(p.format.String()), l.create(nvvm.ToGeneric, generic, p.buffer)}, []ir.Type{l.i32()},
		ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.ctx.String(printFunction)})
	p.format.Reset()
	p.args = nil
}
