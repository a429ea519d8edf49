package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/pipeline"
)

// A Memory is what lies where in a memory of the kernel, and from when to when: time is the order of the operations
// in the text.
type Memory struct {
	Bytes int64 `json:"bytes"` // in use
	Limit int64 `json:"limit"`
	Steps int   `json:"steps"` // operations of the kernel
	Boxes []Box `json:"boxes"`
}

// A Box is an allocation.
type Box struct {
	Title  string `json:"title"`
	From   int64  `json:"from"`
	Bytes  int64  `json:"bytes"`
	Slots  int64  `json:"slots"`
	Start  int    `json:"start"` // operations, both inclusive
	End    int    `json:"end"`
	Labels []int  `json:"labels"`
}

// placing is the pass after which every buffer has its place and no further one is made.
const placing = "tileas-insert-barriers"

// memories draws shared and TMEM over time.
func (m *making) memories(ev *pipeline.Event) {
	if ev.Item.Pass.Name != placing || ev.Err != nil || !ev.Op.Is(tileas.Level.Func) {
		return
	}
	arch, err := m.target.Arch()
	if err != nil {
		return
	}
	b := buffers.Analyze(ev.Op)
	steps := count(ev.Op)
	for _, space := range []struct {
		name  string
		lives []*buffers.Life
		limit int64
	}{{"Shared memory", b.Lives(), int64(arch.Shared.PerCTA)}, {"Tensor memory", b.TensorLives(), tensorBytes}} {
		if len(space.lives) == 0 {
			continue
		}
		drawn := &Memory{Steps: steps, Limit: space.limit}
		for _, l := range space.lives {
			from, _ := l.Op.IntAttr(tileas.AttrOffset)
			x := Box{Title: l.Op.Name(), From: from, Bytes: l.Size, Slots: 1, Start: l.Start, End: l.End, Labels: m.labels.of(l.Op.Loc())}
			if l.Op.NumResults() > 0 {
				x.Title = ir.TypeString(l.Op.Result(0).Type())
				if t, ok := l.Op.Result(0).Type().(*tileas.BufferType); ok {
					x.Slots, x.Title = t.Stages, bufferName(t)
				}
			}
			drawn.Boxes = append(drawn.Boxes, x)
			drawn.Bytes = max(drawn.Bytes, from+l.Size)
		}
		slices.SortStableFunc(drawn.Boxes, func(a, b Box) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Start, b.Start)) })
		m.page.Pictures = append(m.page.Pictures, &Picture{Kind: "memory", Title: fmt.Sprintf("%s: %s of %s bytes", space.name, thousands(drawn.Bytes), thousands(drawn.Limit)), Function: ev.Op.SymbolName(), Memory: drawn})
	}
}

// tensorBytes is the TMEM of an SM: 128 lanes of 512 columns of 4 bytes.
const tensorBytes = 128 * 512 * 4

// bufferName is the type of a buffer without its layout.
func bufferName(t *tileas.BufferType) string {
	name := ""
	for _, n := range t.Shape {
		name += fmt.Sprintf("%dx", n)
	}
	name += ir.TypeString(t.Elem)
	if t.Stages > 1 {
		return fmt.Sprintf("%d x [%s]", t.Stages, name)
	}
	return name
}
