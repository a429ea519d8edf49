package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// ctaRank: a tile block that is not shared has one CTA, number 0.
func (l *lowering) ctaRank(op ir.Op) error {
	if l.shared() {
		l.Bind(op.Result(0), l.sreg("cluster_ctarank"))
	} else {
		l.Bind(op.Result(0), l.const32(0))
	}
	return nil
}

// shared reports whether several CTAs share a tile block.
func (l *lowering) shared() bool { return contract.CTAsOf(l.source) > 1 }
