package legalizereduce

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// A scan is a scan that is being split along dim. After the split, dim itself numbers the warps, and the next
// dimension is what each of them scans.
type scan struct {
	*ir.Builder
	op      ir.Op
	dim     int
	reverse bool
	warps   int
}

// splitScan replaces one scan along dim of tensors with layout l, whose highest bits along dim differ between warps.
//
// For a line of 8 in two warps:
//
//	elements       a b c d | e f g h
//	within         a ab abc abcd | e ef efg efgh             scan of each warp's part
//	ends           abcd | efgh                               extract the last of each part, hand them to all
//	scanned        abcd | abcdefgh
//	rotated        (abcdefgh) | abcd                         what the warps before have; the first place is not taken
//	combined       a ab abc abcd | abcde abcdef ...          combine(before, within), selected by the number of the warp
func splitScan(op ir.Op, l linear.Layout, dim int) error {
	seq, err := l.Sequence(dim)
	if err != nil {
		return err
	}
	s := scan{ir.BuilderBefore(op), op, dim, op.HasUnitAttr(tile.AttrReverse), 1 << seq.Warps}
	shape := l.Shape()
	split := slices.Insert(slices.Clone(shape), dim, s.warps)
	split[dim+1] /= s.warps
	cur, err := l.Reshape(split)
	if err != nil {
		return err
	}
	single, err := cur.ExpandDim(cur.Dims())
	if err != nil {
		return err
	}
	// A scan of two levels (Blelloch, Prefix Sums and Their Applications, 1990) goes through the elements twice,
	// and only a total of each warp crosses between warps.
	within := s.scan(s.reshape(op.Operands(), cur), dim+1, s.reverse)
	all, later := s.combine(s.carries(within, cur), within, cur, single), s.hasBefore(cur)
	for i, v := range all {
		// Before the first warp is what the rotation brought round, so it is not used. Identities in its place
		// would have to leave every bit unchanged.
		all[i] = s.Create(arith.Select, []ir.Value{later, v, within[i]}, []ir.Type{v.Type()}).Result(0)
	}
	op.ReplaceWith(s.reshape(all, l)...)
	return nil
}

// carries returns, for each element of the split tensors, the total of the warps before its own; for the first
// warp, anything.
func (s *scan) carries(within []ir.Value, cur linear.Layout) []ir.Value {
	total, _ := cur.Slice(s.dim + 1)      // one of its dimensions
	line, _ := total.ExpandDim(s.dim + 1) // instead of that
	end := cur.Shape()[s.dim+1] - 1
	if s.reverse {
		end = 0
	}
	lines, _ := total.Slice(s.dim)                    // one of its dimensions
	gathered, _ := lines.Repeat(s.dim, total.Shape()) // a shape that it was taken from
	ends := ir.Map(within, func(v ir.Value) ir.Value { return s.extract(v, line, s.dim+1, end) })
	vs := each(s.Builder, tileas.ConvertLayout, s.reshape(ends, total), gathered)
	// Each thread scans the totals of all warps for itself: they are few, in its registers, and need no exchange.
	vs = s.scan(vs, s.dim, s.reverse)
	// Rotating by one place turns the total up to a warp into the total before it. Subtracting the warp's own
	// part would need an inverse, which a scan's body does not have.
	vs = s.rotate(vs, gathered)
	return each(s.Builder, tileas.Level.Broadcast, s.reshape(each(s.Builder, tileas.ConvertLayout, vs, total), line), cur)
}

// rotate moves each element along dim to the place of the next one in the order of the scan. Every thread holds all of
// them. cat and extract of parts rename registers (`Layout.Whole`, `Layout.Part`), so the rotation is free.
func (s *scan) rotate(vs []ir.Value, l linear.Layout) []ir.Value {
	shape := l.Shape()
	shape[s.dim] = 1
	part, _ := l.Part(shape) // of extents that divide those of the layout
	from := s.warps - 1      // the place of the first element's source
	if s.reverse {
		from = 1
	}
	return ir.Map(vs, func(v ir.Value) ir.Value {
		var parts []ir.Value
		for k := range s.warps {
			parts = append(parts, s.extract(v, part, s.dim, (k+from)%s.warps))
		}
		return tileas.Concat(s.Builder, parts, s.dim)
	})
}

// combine applies the body of the scan to pairs of elements, as a scan along a dimension of two. At this level
// only reductions and scans have bodies, so a scan of two applies a body without another operation for it. Its
// lowering is the body once. Layout single is l with one dimension more.
func (s *scan) combine(before, elems []ir.Value, l, single linear.Layout) []ir.Value {
	last := l.Dims()
	both := s.reshape(before, single)
	for i, v := range s.reshape(elems, single) {
		both[i] = tileas.Concat(s.Builder, []ir.Value{both[i], v}, last)
	}
	scanned := ir.Map(s.scan(both, last, false), func(v ir.Value) ir.Value { return s.extract(v, single, last, 1) })
	return s.reshape(scanned, l)
}

// hasBefore returns whether each element is in another warp's part than the first. A range numbers the parts in
// the layout of the split dimension alone, so it costs one comparison before it is broadcast.
func (s *scan) hasBefore(l linear.Layout) ir.Value {
	shape := l.Shape()
	for d := range shape {
		if d != s.dim {
			shape[d] = 1
		}
	}
	source, _ := l.BroadcastSource(shape)     // of extents that are those of the layout or 1
	line, _ := source.Reshape([]int{s.warps}) // of as many elements
	c := s.Context()
	t := c.Tensor([]int64{int64(s.warps)}, c.Int(32), tileas.Layout(c, line))
	number := s.Create(tileas.Level.Range, nil, []ir.Type{t}).Result(0)
	first := int64(0)
	if s.reverse {
		first = int64(s.warps - 1)
	}
	later := arith.NewCmpI(s.Builder, "ne", number, arith.NewConstant(s.Builder, t, arith.OfType(c.IntAttr(t.Elem, first), t)))
	return each(s.Builder, tileas.Level.Broadcast, s.reshape([]ir.Value{later}, source), l)[0]
}

func (s *scan) reshape(vs []ir.Value, l linear.Layout) []ir.Value {
	return each(s.Builder, tileas.Level.Reshape, vs, l)
}

// extract takes the part of layout l at a position along dim.
func (s *scan) extract(v ir.Value, l linear.Layout, dim, position int) ir.Value {
	at := make([]int, l.Dims())
	at[dim] = position
	return tileas.TakePart(s.Builder, v, l, at)
}

// scan builds a scan of vs along dim with the body of the one that is split.
func (s *scan) scan(vs []ir.Value, dim int, reverse bool) []ir.Value {
	c := again(s.Builder, s.op, vs, dim, ir.Value.Type)
	if !reverse {
		c.SetAttr(tile.AttrReverse, nil)
	}
	return c.Results()
}
