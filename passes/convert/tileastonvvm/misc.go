package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// gridControl: targets without dependent launches start a grid when those before have ended.
func (l *lowering) gridControl(op ir.Op) error {
	// griddepcontrol came with sm_90.
	if !l.arch.Has(sm.GridDepControl) {
		return nil
	}
	def := nvvm.GridDepWait
	if op.Is(tileas.Level.GridLaunch) {
		def = nvvm.GridDepLaunch
	}
	l.Create(def, nil, nil)
	return nil
}
