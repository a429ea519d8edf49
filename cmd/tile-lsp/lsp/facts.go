package lsp

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
)

// facts are what analyses know about the values of a piece, by the isolated operation that they are in.
type facts struct {
	mu sync.Mutex
	of map[ir.Op]*known
}

// known are the facts inside of one isolated operation.
type known struct {
	done    chan struct{}
	ranges  *intrange.Ranges
	divides *divisibility.Facts
}

// at returns the facts about the values inside an isolated operation, which are computed when they are first asked
// for; nil when the context ends before that. The computation goes on, since somebody will ask again.
func (f *facts) at(ctx context.Context, isolated ir.Op) *known {
	f.mu.Lock()
	k := f.of[isolated]
	if k == nil {
		if f.of == nil {
			f.of = make(map[ir.Op]*known)
		}
		k = &known{done: make(chan struct{})}
		f.of[isolated] = k
		go func() {
			defer close(k.done)
			defer func() { _ = recover() }() // without facts, then
			cache := passes.NewCache(isolated)
			k.ranges = integers.Ranges.At(cache)
			k.divides = integers.Divisibility.At(cache)
		}()
	}
	f.mu.Unlock()
	select {
	case <-k.done:
		return k
	case <-ctx.Done():
		return nil
	}
}

// isolatedAround returns the isolated operation that a value is inside of; false for a value of the outermost level.
func isolatedAround(v ir.Value) (ir.Op, bool) {
	at := v.Block().ParentOp()
	for !at.IsNil() {
		if at.HasTrait(ir.IsolatedFromAbove) {
			return at, true
		}
		at = at.ParentOp()
	}
	return ir.Op{}, false
}

// describe lists what is known of a value, a line for each fact.
func (p *piece) describe(ctx context.Context, v ir.Value) []string {
	var list []string
	list = append(list, layout(v.Type())...)
	if p.op.IsNil() {
		return append(list, "facts: the input has errors")
	}
	v = p.value(v)
	around, ok := isolatedAround(v)
	if !ok {
		return list
	}
	k := p.facts.at(ctx, around)
	if k == nil || k.ranges == nil {
		return append(list, "facts: not computed yet")
	}
	if !k.ranges.Computed(v) {
		return append(list, "never computed")
	}
	if intrange.Width(v) != 0 {
		list = append(list, "range: "+k.ranges.Of(v).String())
	}
	if k.divides == nil {
		return list
	}
	if d := k.divides.Of(v); d.Width != 0 {
		list = append(list, "divisibility and contiguity: "+d.Describe(v.Type()))
	}
	return list
}

// layout says which thread holds what of a value with a layout.
func layout(t ir.Type) []string {
	l, ok := tileas.LayoutOf(t)
	if !ok {
		return nil
	}
	list := []string{"layout: " + l.String()}
	size := fmt.Sprintf("held by: %d threads of %d warps, %d elements in each", l.Size(linear.Lane), l.Size(linear.Warp), l.Size(linear.Register))
	if n := l.Size(linear.Block); n > 1 {
		size += fmt.Sprintf(", %d blocks", n)
	}
	if n := l.MatrixRank(); n < l.Bits(linear.Register)+l.Bits(linear.Lane)+l.Bits(linear.Warp)+l.Bits(linear.Block) {
		size += ", some in several"
	}
	return append(list, strings.TrimSpace(size))
}
