package tileas

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// A CopyPlan is how the threads of a block share a copy from global to shared memory by cp.async: each instruction
// moves the elements of one chunk.
type CopyPlan struct {
	Layout linear.Layout // which thread moves which element, in which order
	Chunks linear.Access // where its chunks go in the buffer
	Bytes  int           // of a chunk: 4, 8 or 16
}

// The bytes that one instruction moves.
const (
	leastCopied = 4
	mostCopied  = 16
)

// CopyLayout returns how the warps of a CTA share a tile that cp.async copies, in chunks of at most 16 bytes. The
// access says where its elements lie in global memory. If cp.async cannot copy it, why is the
// reason. An instruction moves 4, 8 or 16 bytes that are consecutive and aligned on both sides, and fills with zeros
// only.
func CopyLayout(a tile.Access, warps int) (layout linear.Layout, why string) {
	shape, elem := tile.Shape(a.Tile), ir.ElementType(a.Tile)
	size := int(elementBytes(elem))
	if tile.IsHalf(elem) {
		return layout, "elements of half a byte take a byte in shared memory"
	}
	if pad := a.Op.StringAttr(tile.AttrPadding); pad != "" && pad != "zero" {
		return layout, fmt.Sprintf("elements outside become %s, and cp.async fills with zeros only", pad)
	}
	dim := a.ContiguousDim()
	if dim < 0 {
		return layout, "no dimension is known to have stride 1"
	}
	n := min(a.VectorElements(), int(shape[dim]), max(1, mostCopied/size))
	if n*size < leastCopied {
		return layout, fmt.Sprintf("only %d bytes are known to be consecutive and aligned, and cp.async moves at least %d", n*size, leastCopied)
	}
	// Chunks that leave threads without work cost more than their number saves.
	elements := 1
	for _, d := range shape {
		elements *= int(d)
	}
	for n > 1 && n*size > leastCopied && elements/n < 32*warps {
		n /= 2
	}
	order := []int{dim}
	for d := len(shape) - 1; d >= 0; d-- {
		if d != dim {
			order = append(order, d)
		}
	}
	// The tile is one of chunks, so that the least chunk stays whole where there are more threads than chunks.
	chunk, chunks := slices.Repeat([]int{1}, len(shape)), linear.Ints(shape)
	chunk[dim], chunks[dim] = n, chunks[dim]/n
	inside, err := linear.Coalesced(chunk, 8*size, 8*size*n, 1, 1, order)
	if err == nil {
		layout, err = linear.Coalesced(chunks, 8*size*n, 8*size*n, 32, warps, order)
	}
	if err == nil {
		layout, err = linear.Product(inside, layout)
	}
	if err != nil {
		return layout, err.Error()
	}
	return layout, ""
}

// PlanCopy plans a copy to a buffer, or says why cp.async cannot do it.
//
// The layout may give a thread 16 bytes in a row while the swizzle keeps only 8 together: then chunks are of 8,
// and twice as many.
func PlanCopy(a tile.Access, to *BufferType, warps int) (plan CopyPlan, why string) {
	if plan.Layout, why = CopyLayout(a, warps); why != "" {
		return plan, why
	}
	return plan.to(to, plan.Layout.Contiguity(a.ContiguousDim()))
}

// GatherLayout returns how a CTA shares a tile that is copied from the addresses of a tensor of pointers: in the
// layout of the pointers. A thread has run contiguous elements.
func GatherLayout(gather ir.Op) (layout linear.Layout, run int, why string) {
	ptrs := gather.OperandNamed("ptrs").Type()
	layout, ok := LayoutOf(ptrs)
	if !ok {
		return layout, 0, "its pointers have no layout"
	}
	size := int(elementBytes(ir.ElementType(ptrs).(*tile.PtrType).Pointee))
	dim, n := tile.Run(gather)
	if dim < 0 {
		return layout, 0, "no two of its pointers are known to be neighbours"
	}
	if run = min(n, layout.Contiguity(dim)); run*size < leastCopied {
		return layout, 0, fmt.Sprintf("only %d bytes of a thread are known to be consecutive and aligned, and cp.async moves at least %d", run*size, leastCopied)
	}
	if layout.FreeMask(linear.Register) != 0 {
		return layout, 0, "threads have some of its pointers twice"
	}
	return layout, run, ""
}

// PlanGather plans a copy from where pointers point to a buffer, or says why cp.async cannot do it.
func PlanGather(gather ir.Op, to *BufferType) (plan CopyPlan, why string) {
	run := 0
	if plan.Layout, run, why = GatherLayout(gather); why != "" {
		return plan, why
	}
	return plan.to(to, run)
}

// to plans the chunks of a copy to a buffer, of which a thread has so many elements that are one subtile of memory.
func (plan CopyPlan) to(to *BufferType, run int) (_ CopyPlan, why string) {
	size := int(to.ElementBytes())
	chunks, err := linear.PlanAccess(plan.Layout, to.Layout.Shared, 8*size, 8*size*run)
	if err != nil {
		return plan, err.Error()
	}
	plan.Chunks = chunks
	for _, c := range chunks.Ops {
		plan.Bytes = size * len(c.Registers)
		for i, r := range c.Registers {
			if first := c.Registers[0]; r != first+i || first%len(c.Registers) != 0 {
				return plan, "the buffer keeps consecutive elements in another order"
			}
		}
	}
	if plan.Bytes < leastCopied {
		return plan, fmt.Sprintf("the buffer keeps only %d bytes together, and cp.async moves at least %d", plan.Bytes, leastCopied)
	}
	if !slices.Contains([]int{4, 8, 16}, plan.Bytes) {
		return plan, fmt.Sprintf("it would move %d bytes at a time", plan.Bytes)
	}
	return plan, ""
}
