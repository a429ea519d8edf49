package fallback

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// A planted pass fails for kernels whose names begin with its word.
var (
	_ = plant("rejects", property.TileAS, 2, func(op ir.Op) error { return op.Errorf("is rejected by a planted pass") })
	_ = plant("crashes", property.TileAS, 2, func(ir.Op) error { panic("planted") })
	_ = plant("breaks", property.TileAS, 2, func(op ir.Op) error { return erase(op, tileas.Barrier) })
	_ = plant("early", property.TileAS, 1, func(op ir.Op) error { return op.Errorf("is rejected without pipelining") })
	_ = plant("late", property.NVVM, 1, func(op ir.Op) error { return op.Errorf("is rejected at nvvm") })
	_ = plant("always", property.TileAS, 0, func(op ir.Op) error { return op.Errorf("is rejected at any level") })
	_ = plant("invalid", property.TileAA, 2, func(op ir.Op) error { op.Body().Last().Erase(); return nil }) // which later passes may rely on
	_ = plant("before", property.TileAA, 2, func(op ir.Op) error { return op.Errorf("is rejected at tileaa") })
)

func plant(word string, level *passes.Property, minOpt int, fail func(fn ir.Op) error) *passes.Pass {
	p := &passes.Pass{
		Name:     "plant-" + word,
		Summary:  "fail for kernels whose names begin with " + word,
		Doc:      "Fails.",
		Requires: []*passes.Property{level},
		Steps:    []passes.Step{{MinOpt: minOpt}},
		Run: func(r *passes.Run) error {
			if strings.HasPrefix(r.Op.SymbolName(), word) {
				return fail(r.Op)
			}
			return nil
		},
	}
	if level == property.TileAS {
		p.After = []passes.Edge{{Pass: "tileas-insert-barriers", Reason: "barriers are damaged"}}
	}
	return passes.Register(p)
}

// erase takes away all operations of a kind.
func erase(fn ir.Op, def *ir.OpDef) error {
	var found []ir.Op
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(def) {
			found = append(found, op)
		}
		return ir.Advance
	})
	for _, op := range found {
		op.Erase()
	}
	return nil
}
