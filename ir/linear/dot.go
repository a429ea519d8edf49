package linear

// RowsOf returns the layout of operand A of an MMA whose accumulator has layout l. A has the shape [..., M, K]. Each
// thread holds all of the rows of its elements, along K in its lowest registers.
func (l Layout) RowsOf(kExtent int) (Layout, error) { return l.lines(kExtent, len(l.shape)-1) }

// ColumnsOf returns the layout of operand B, of shape [..., K, N]: each thread holds all of the columns of its
// elements, along N in its lowest registers.
func (l Layout) ColumnsOf(kExtent int) (Layout, error) { return l.lines(kExtent, len(l.shape)-2) }

// lines replaces dimension dim by one of extent depth, all of which every thread holds.
func (l Layout) lines(kExtent, dim int) (Layout, error) {
	shape := l.Shape()
	shape[dim] = kExtent
	var bases Bases
	for a := range Element {
		for i := range l.Bits(a) {
			base := l.Base(a, i)
			base[dim] = 0
			bases[a] = append(bases[a], base)
		}
	}
	var along [][]int
	for n := 1; n < kExtent; n *= 2 {
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
