package core

import (
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
)

// OnlyIf has f write code that runs only if the condition holds; a zero Value always holds.
func (l *Lowering) OnlyIf(cond ir.Value, f func() error) error {
	if cond.IsNil() {
		return f()
	}
	then, exit := l.Blocks.AddBlock(), l.Blocks.AddBlock()
	cf.CreateCondBr(l.Builder, cond, then, nil, exit, nil)
	l.SetInsertionPointToEnd(then)
	if err := f(); err != nil {
		return err
	}
	cf.CreateBr(l.Builder, exit)
	exit.MoveToEnd(l.Blocks)
	l.SetInsertionPointToEnd(exit)
	return nil
}
