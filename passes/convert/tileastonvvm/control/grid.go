package control

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// ctaRank: a tile block without a cluster has one CTA, number 0.
func ctaRank(l *core.Lowering, op ir.Op) error {
	if l.Partitioned() {
		l.Bind(op.Result(0), l.CTARank())
	} else {
		l.Bind(op.Result(0), l.Const32(0))
	}
	return nil
}

// programID: a tile block is a CTA or a cluster, so its number in the grid is that of the CTA or the cluster, along
// each of three axes (cuda_tile.get_tile_block_id).
func programID(l *core.Lowering, op ir.Op) error {
	prefix := "ctaid."
	if l.Partitioned() {
		prefix = "clusterid."
	}
	if op.Is(tileas.Level.NumPrograms) {
		prefix = "n" + prefix
	}
	for i, axis := range []string{"x", "y", "z"} {
		l.Bind(op.Result(i), l.Sreg(prefix+axis))
	}
	return nil
}

// gridControl: targets without dependent launches start a grid when those before have ended.
func gridControl(l *core.Lowering, op ir.Op) error {
	// griddepcontrol came with sm_90.
	if !l.Arch.Has(sm.GridDepControl) {
		return nil
	}
	def := nvvm.GridDepWait
	if op.Is(tileas.Level.GridLaunch) {
		def = nvvm.GridDepLaunch
	}
	l.Create(def, nil, nil)
	return nil
}
