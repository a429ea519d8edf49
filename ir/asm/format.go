package asm

import "github.com/tilewright/tilewright/ir"

func (p *parser) parseFormat(st *ir.OpState) {
	p.Errorf("op '%s' has no custom assembly form", st.Def.FullName())
}

func (p *printer) printFormat(op ir.Op) {
	p.generic(op)
}
