package pipeline

import (
	"github.com/tilewright/tilewright/ir"
)

// match returns the operations inside op that a nest of the given name runs on, in order. They are those directly
// inside, and those inside symbol tables directly inside that are not of the name themselves. AnyOp stands for all
// isolated operations directly inside.
func match(op ir.Op, name string) (out []ir.Op, err *ir.Diagnostic) {
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				isolated := inner.HasTrait(ir.IsolatedFromAbove)
				switch {
				case name == AnyOp:
					if isolated {
						out = append(out, inner)
					}
				case inner.Name() == name:
					if !isolated {
						return nil, inner.Errorf("is not isolated from above, so that no pass can be nested on it")
					}
					out = append(out, inner)
				case inner.HasTrait(ir.SymbolTable):
					deeper, err := match(inner, name)
					if err != nil {
						return nil, err
					}
					out = append(out, deeper...)
				}
			}
		}
	}
	return out, nil
}
