package report

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/pipeline"
)

// A Layout says which thread holds which element of a tensor, or which byte of a buffer. It is linear, so that the
// page computes the rest from what each bit of a number contributes: flat coordinates, the last dimension in the
// lowest bits.
type Layout struct {
	Title  string              `json:"title"`
	Text   string              `json:"text"`
	Shape  []int               `json:"shape"`
	Axes   map[string][]uint64 `json:"axes"`
	Bits   int                 `json:"bits"` // of an element of a buffer; 0 for a tensor
	Uses   int                 `json:"uses"`
	Labels []int               `json:"labels"`
}

// A Transfer is an access of threads to a buffer.
type Transfer struct {
	Op           string `json:"op"`
	What         string `json:"what"`
	How          string `json:"how"`
	Instructions int    `json:"instructions"` // of a warp
	Wavefronts   int    `json:"wavefronts"`
	Ways         int    `json:"ways"` // 1: without bank conflicts
	Labels       []int  `json:"labels"`
}

// maxLayouts bounds the layouts that are drawn.
const maxLayouts = 60

// layouts collects the layouts of a kernel at the end of its level, and what its accesses of shared memory cost.
func (m *making) layouts(ev *pipeline.Event) {
	if ev.Item.Pass.Name != placing || ev.Err != nil || !ev.Op.Is(tileas.Level.Func) {
		return
	}
	var found []*Layout
	at := make(map[string]*Layout)
	use := func(key, title string, make func() *Layout, op ir.Op) {
		l := at[key]
		if l == nil {
			if len(found) == maxLayouts {
				return
			}
			l = make()
			l.Title = title
			at[key] = l
			found = append(found, l)
		}
		l.Uses++
		if l.Uses <= maxLayoutLabels {
			l.Labels = append(l.Labels, m.labels.of(op.Loc())...)
		}
	}
	var transfers []*Transfer
	ev.Op.Walk(func(op ir.Op) ir.WalkResult {
		for i := range op.NumResults() {
			t := op.Result(i).Type()
			if l, ok := tileas.LayoutOf(t); ok {
				use(l.String(), "tensor "+tensorName(t), func() *Layout { return layoutOf(l, 0, linear.Register, linear.Lane, linear.Warp, linear.Block) }, op)
			}
			if b, ok := t.(*tileas.BufferType); ok && b.Layout != nil && !tileas.IsBarriers(b) {
				bits := 8 * int(b.ElementBytes())
				use(fmt.Sprint(b.Layout.Shared, bits), "buffer "+bufferName(b.WithStages(1)), func() *Layout { return layoutOf(b.Layout.Shared.Layout(), bits, linear.Offset) }, op)
			}
		}
		if t := m.transfer(op); t != nil {
			transfers = append(transfers, t)
		}
		return ir.Advance
	})
	for _, l := range found {
		slices.Sort(l.Labels)
		l.Labels = slices.Compact(l.Labels)
	}
	if len(found) > 0 {
		m.page.Pictures = append(m.page.Pictures, &Picture{Kind: "layouts", Title: "Layouts: which thread or bank has which element", Function: ev.Op.SymbolName(), Layouts: found, Transfers: transfers})
	}
}

const maxLayoutLabels = 100

// tensorName is the type of a tensor without its layout.
func tensorName(t ir.Type) (name string) {
	tensor, ok := t.(*ir.TensorType)
	if !ok {
		return ir.TypeString(t)
	}
	for _, n := range tensor.Shape {
		name += fmt.Sprintf("%dx", n)
	}
	return name + ir.TypeString(tensor.Elem)
}

func layoutOf(l linear.Layout, bits int, axes ...linear.Axis) *Layout {
	out := &Layout{Text: l.String(), Shape: l.Shape(), Bits: bits, Axes: make(map[string][]uint64)}
	for _, a := range axes {
		bases := make([]uint64, l.Bits(a))
		for bit := range bases {
			bases[bit] = l.FlatBase(a, bit)
		}
		out.Axes[a.String()] = bases
	}
	return out
}

// transfer returns what an access of shared memory by threads costs, or nil for another operation.
func (m *making) transfer(op ir.Op) *Transfer {
	var l linear.Layout
	var buffer ir.Type
	var ok bool
	share := 1
	switch {
	case op.Is(tileas.LocalLoad):
		if l, ok = tileas.LayoutOf(op.Result(0).Type()); !ok {
			return nil
		}
		part, err := tileas.PartOf(op, l)
		if err != nil {
			return nil
		}
		l, buffer, share = part.Whole, op.Operand(0).Type(), part.Whole.Size(linear.Register)/max(1, part.N)
	case op.Is(tileas.LocalStore):
		l, ok = tileas.LayoutOf(op.Operand(0).Type())
		buffer = op.Operand(1).Type()
	}
	b, isBuffer := buffer.(*tileas.BufferType)
	if !ok || !isBuffer || b.Layout == nil {
		return nil
	}
	how, cost, err := linear.BestAccess(l, b.Layout.Shared, 8*int(b.ElementBytes()), linear.AccessOptions{Matrix: true})
	if err != nil {
		return nil
	}
	return &Transfer{Op: op.Name(), What: bufferName(b), How: fmt.Sprint(how), Instructions: (cost.Instructions + share - 1) / share, Wavefronts: (cost.Wavefronts + share - 1) / share, Ways: cost.Ways, Labels: m.labels.of(op.Loc())}
}
