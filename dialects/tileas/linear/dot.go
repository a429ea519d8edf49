package linear

// RowsOf returns the layout of operand A, of shape [..., M, depth], of a product whose accumulator has layout l: each thread holds the whole rows of
// its elements, along K in its lowest registers.
func (l Layout) RowsOf(depth int) (Layout, error) { return l.lines(depth, len(l.shape)-1) }

// ColumnsOf returns the layout of operand B, of shape [..., depth, N]: each thread holds the whole columns of its elements, along N in its
// lowest registers.
func (l Layout) ColumnsOf(depth int) (Layout, error) { return l.lines(depth, len(l.shape)-2) }

// lines replaces dimension dim by one of extent depth, all of which every thread holds.
func (l Layout) lines(depth, dim int) (Layout, error) {
	shape := l.Shape()
	shape[dim] = depth
	var bases Bases
	for a := range Element {
		for i := range l.Bits(a) {
			base := l.Base(a, i)
			base[dim] = 0
			bases[a] = append(bases[a], base)
		}
	}
	var along [][]int
	for n := 1; n < depth; n *= 2 {
		base := make([]int, len(shape))
		base[dim] = n
		along = append(along, base)
	}
	if dim == len(shape)-1 {
		bases[Register] = append(along, bases[Register]...)
	} else {
		bases[Register] = append(bases[Register], along...)
	}
	out, err := New(shape, bases)
	if err != nil {
		return Layout{}, err
	}
	return out.CompactRegisters(), nil
}
