package confirm

import (
	"context"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
)

// A tmaCopy is a TMA copy of one box.
type tmaCopy struct {
	element, swizzle int
	rank             int
	at               []int  // coordinates of the box
	op               string // load, store or reduce
}

// rows of a box along the dimensions but the innermost.
var boxRows = []int{8, 2, 2, 1}

func (c tmaCopy) box() (box []int, bytes int) {
	inner := 64
	if c.swizzle > 0 {
		inner = c.swizzle
	}
	box, bytes = []int{inner / c.element}, inner
	for _, n := range boxRows[:c.rank-1] {
		box, bytes = append(box, n), bytes*n
	}
	return box, bytes
}

// tensor is the map of a tensor of some KiB in the third parameter, whose sizes are no multiples of the box.
func (c tmaCopy) tensor() tensormap.Map {
	box, _ := c.box()
	m := tensormap.Map{Element: c.element, Base: tensormap.Param(2), Box: box, Swizzle: c.swizzle}
	n := int64(256 / c.element) // elements of a row
	m.Sizes = []tensormap.Expr{tensormap.Const(n - int64(16/c.element))}
	step := n
	for _, size := range []int64{13, 5, 3, 2}[:c.rank-1] {
		m.Sizes, m.Strides = append(m.Sizes, tensormap.Const(size)), append(m.Strides, tensormap.Const(step))
		step *= size
	}
	return m
}

func tmaProbes() (out []*Probe) {
	var copies []tmaCopy
	for _, swizzle := range []int{0, 32, 64, 128} {
		for _, element := range []int{1, 2, 4, 8} {
			copies = append(copies, tmaCopy{element, swizzle, 2, []int{16 / element, 3}, "load"})
		}
		copies = append(copies, tmaCopy{4, swizzle, 2, []int{-4, 9}, "load"}, tmaCopy{4, swizzle, 3, []int{56, -2, 4}, "load"}, tmaCopy{2, swizzle, 5, []int{8, 1, 2, 1, 1}, "load"},
			tmaCopy{4, swizzle, 2, []int{4, 2}, "store"}, tmaCopy{2, swizzle, 2, []int{100, 9}, "store"}, tmaCopy{4, swizzle, 2, []int{4, 2}, "reduce"})
	}
	for _, c := range copies {
		id := strings.ReplaceAll(fmt.Sprintf("tma %s %dd of %d bytes swizzle %d at %v", c.op, c.rank, c.element, c.swizzle, c.at), "[", "")
		out = append(out, &Probe{ID: name(Descriptors, strings.TrimSuffix(id, "]")), Kind: Descriptors, Look: "target/engine/emu/tma and passes/tileas/analysis/transfers",
			Means: "TMA places elements of a box elsewhere than the emulator and the compiler believe, so kernels with TMA are wrong.",
			on:    func(a *sm.Arch) bool { return a.Has(sm.TMALoad) },
			make:  func(_ context.Context, t Target) (*Launch, error) { return c.launch(t) }})
	}
	return out
}

func (c tmaCopy) launch(t Target) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	k := new(kernelText)
	k.shared(header, ", .param .u64 tensor, .param .align 64 .b8 map[128]")
	var at []string
	for i, n := range c.at {
		k.line("mov.b32 %%r%d, %d;", 20+i, n)
		at = append(at, fmt.Sprintf("%%r%d", 20+i))
	}
	_, bytes := c.box()
	place := fmt.Sprintf("[%%d3, {%s}]", strings.Join(at, ", "))
	k.line("mov.b64 %%d3, map; cvta.param.u64 %%d3, %%d3;")
	switch c.op {
	case "load":
		k.line("@%%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %d;", bytes)
		k.line("@%%p7 cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%smem], %s, [%%bar];", c.rank, place)
		k.await()
	case "store":
		k.line("@%%p7 cp.async.bulk.tensor.%dd.global.shared::cta.tile.bulk_group %s, [%%smem];", c.rank, place)
	case "reduce":
		k.line("@%%p7 cp.reduce.async.bulk.tensor.%dd.global.shared::cta.add.tile.bulk_group %s, [%%smem];", c.rank, place)
	}
	if c.op != "load" {
		k.line("@%%p7 cp.async.bulk.commit_group; @%%p7 cp.async.bulk.wait_group 0;")
	}
	k.showShared()
	m := c.tensor()
	tensor := 256 * 13 * 5 * 3 * 2
	if c.rank == 2 {
		tensor = 256 * 13
	}
	l := k.launch(threads, buffer(numbered(sharedBytes)), buffer(numbered(tensor)))
	l.Maps = []tensormap.Map{m}
	if c.op != "load" {
		l.Answers = append(l.Answers, 2)
		l.Fields = append(l.Fields, words("word of the tensor", tensor))
	}
	return l, nil
}
