package linear

// MMATile is a product of tiles split into instructions: the layouts of its
// operands and the registers that each instruction of a warp works on.
type MMATile struct {
	A, B, C Layout // B is the zero Layout where several warps share it
	// The instructions of a warp form a grid of Batch x M x N x K.
	Batch, M, N, K int
	// Registers of one fragment, as they follow each other in the layouts.
	SizeA, SizeB, SizeC int
}

// Tile splits the product of an [batch..., rows, depth] tile with a [batch...,
// depth, cols] tile over warpsM x warpsN warps.
func (m MMA) Tile(batch []int, rows, cols, depth, warpsM, warpsN int) (MMATile, error) {
	shape := func(x, y int) []int { return append(append(make([]int, 0, len(batch)+2), batch...), x, y) }
	var t MMATile
	var err error
	if t.A, err = m.OperandA(shape(rows, depth), warpsM, warpsN); err != nil {
		return MMATile{}, err
	}
	if t.C, err = m.Accumulator(shape(rows, cols), warpsM, warpsN); err != nil {
		return MMATile{}, err
	}
	lanes := 32 * m.Warps
	if m.Warps == 1 {
		if t.B, err = m.OperandB(shape(depth, cols), warpsM, warpsN); err != nil {
			return MMATile{}, err
		}
		t.SizeB = m.K * m.N / lanes
	}
	t.SizeA, t.SizeC = m.M*m.K/lanes, m.M*m.N/lanes
	t.Batch = 1
	for _, n := range batch {
		t.Batch *= n
	}
	// Each count divides what is left of a layout's registers.
	t.K = depth / m.K
	t.M = t.A.Size(Register) / (t.SizeA * t.K * t.Batch)
	t.N = t.C.Size(Register) / (t.SizeC * t.M * t.Batch)
	return t, nil
}

// FirstA returns the first of the SizeA registers of A for row m and step k of
// the grid.
func (t MMATile) FirstA(batch, m, k int) int { return ((batch*t.M+m)*t.K + k) * t.SizeA }

// FirstB returns the first of the SizeB registers of B.
func (t MMATile) FirstB(batch, n, k int) int { return ((batch*t.N+n)*t.K + k) * t.SizeB }

// FirstC returns the first of the SizeC registers of C and D.
func (t MMATile) FirstC(batch, m, n int) int { return ((batch*t.M+m)*t.N + n) * t.SizeC }
