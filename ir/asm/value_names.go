package asm

import "github.com/tilewright/tilewright/ir"

// ValueNames returns what Print calls the values inside of an isolated operation, as %tview or %0#1; the function it returns says "" for
// values of elsewhere. It is for tools that speak about values to those who read the text.
func ValueNames(isolated ir.Op) func(ir.Value) string {
	p := &printer{ctx: isolated.Context()}
	names := p.nameArena(isolated)
	return func(v ir.Value) string {
		n := names.get(v)
		if n.id == 0 {
			return ""
		}
		p.buf = p.buf[:0]
		p.name(names, n)
		return string(p.buf)
	}
}
