package tileas

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
)

func init() {
	Level.AttachFacts()
	ConvertLayout.Attach(provenance.Passes(1), tile.Linear.Is(tile.SameElements), tile.Relayout.Is(struct{}{}))
}
