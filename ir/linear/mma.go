package linear

import "fmt"

// MMA is a matrix instruction seen as three fragment layouts. M, N and K are its
// shape, ElemBits the width of the elements of A and B in registers. Warps is how
// many warps execute it together, each with its part of the rows; they share B,
// which then is not in registers.
//
// The package knows the rule that fragments follow, not which instructions there
// are: that is the table of package sm.
type MMA struct {
	M, N, K  int
	ElemBits int
	Warps    int
}

func (m MMA) String() string {
	s := fmt.Sprintf("m%dn%dk%d with %d-bit elements", m.M, m.N, m.K, m.ElemBits)
	if m.Warps > 1 {
		s += fmt.Sprintf(" over %d warps", m.Warps)
	}
	return s
}

// Check reports whether the instruction's fragments follow the rule. A warp has 8 or 16 rows of M, columns of N in
// pairs of 4 lanes, and along K words of 32 bits in 4 lanes. Elements wider than that are not packed.
func (m MMA) Check() error {
	_, okN := log2(m.N)
	_, okK := log2(m.K)
	bits, okB := log2(m.ElemBits)
	warps, okW := log2(m.Warps)
	if !okN || !okK || !okB || !okW || bits < 2 || bits > 6 || warps > 2 || m.N < 8 || m.N > 256 ||
		m.M != 8*m.Warps && m.M != 16*m.Warps || m.K < 4*m.perRegister() {
		return fmt.Errorf("there are no fragments of %s", m)
	}
	return nil
}

// perRegister is how many elements of A or B along K are in a register.
func (m MMA) perRegister() int { return max(1, 32/m.ElemBits) }

// side is one dimension of the MMA as a fragment sees it.
type side struct{ dim, bits, log int } // dimension of the tile, log2 of the instruction's extent and of the tile's

// fragment collects the bases of one operand.
type fragment struct {
	*builder
	mma     MMA
	m, n, k side
	// log2 of the warps along M and N, and of those that execute an instruction together, along M
	wm, wn, together int
}

// newFragment checks the arguments that the three operands have in common. rows
// and cols tell which sides of the product the last two dimensions of shape are.
func (m MMA) newFragment(shape []int, warpsM, warpsN int, rows, cols byte) (*fragment, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	log, err := logShape(shape)
	if err != nil {
		return nil, err
	}
	if len(log) < 2 {
		return nil, fmt.Errorf("operand of %s has shape %v, expected at least 2 dimensions", m, shape)
	}
	wm, ok1 := log2(warpsM)
	wn, ok2 := log2(warpsN)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("%d x %d warps are not powers of two", warpsM, warpsN)
	}
	together, _ := log2(m.Warps)
	if wm < together {
		return nil, fmt.Errorf("%s needs a multiple of %d warps along M, got %d", m, m.Warps, warpsM)
	}
	f := &fragment{builder: newBuilder(log), mma: m, wm: wm - together, wn: wn, together: together}
	for i, which := range [2]byte{rows, cols} {
		dim := len(log) - 2 + i
		s := side{dim: dim, log: int(log[dim])}
		switch which {
		case 'm':
			s.bits, _ = log2(m.M)
			f.m = s
		case 'n':
			s.bits, _ = log2(m.N)
			f.n = s
		case 'k':
			s.bits, _ = log2(m.K)
			f.k = s
			// A tile that is narrower in K would be summed several times.
			if s.log < s.bits {
				return nil, fmt.Errorf("operand of %s has shape %v: extent %d of K is less than %d", m, shape, 1<<s.log, m.K)
			}
		}
	}
	if m.Warps > 1 && cols == 'n' && f.n.log < f.n.bits {
		return nil, fmt.Errorf("accumulator of %s has shape %v: extent %d of N is less than %d", m, shape, 1<<f.n.log, m.N)
	}
	return f, nil
}

// pack is log2 of the elements of A or B along K in a register.
func (f *fragment) pack() int {
	n, _ := log2(f.mma.perRegister())
	return n
}

// rowsOfM gives the eight groups of four lanes, then the register for the second
// half of 16 rows, then the warps that work together, to M.
func (f *fragment) rowsOfM() {
	f.take(Lane, f.m.dim, 3, true)
	if f.mma.M == 16*f.mma.Warps {
		f.take(Register, f.m.dim, 1, true)
	}
	f.take(Warp, f.m.dim, f.together, true)
}

// warps gives what is left of M and N to registers and warps. Each warp owns a
// contiguous range, so the repetitions of the instruction come first. A side that
// the operand does not have is replicated over its warps.
func (f *fragment) warps(hasM, hasN bool) (Layout, error) {
	if hasN {
		f.take(Register, f.n.dim, f.left(f.n.dim)-f.wn, false)
	}
	if hasM {
		f.take(Register, f.m.dim, f.left(f.m.dim)-f.wm, false)
		f.take(Warp, f.m.dim, f.wm, true)
	} else {
		f.copies(f.wm)
	}
	if hasN {
		f.take(Warp, f.n.dim, f.wn, true)
	} else {
		f.copies(f.wn)
	}
	for dim := len(f.shape) - 3; dim >= 0; dim-- {
		f.take(Register, dim, f.left(dim), false)
	}
	return f.layout()
}

func (f *fragment) copies(n int) {
	for range n {
		f.bases[Warp] = append(f.bases[Warp], 0)
	}
}

// Accumulator returns the layout of C and D for a tile of shape [..., M, N] that
// warpsM x warpsN warps compute, warp number wm + warpsM*wn. Rows or columns that
// the tile is too small for are copies.
func (m MMA) Accumulator(shape []int, warpsM, warpsN int) (Layout, error) {
	f, err := m.newFragment(shape, warpsM, warpsN, 'm', 'n')
	if err != nil {
		return Layout{}, err
	}
	f.take(Register, f.n.dim, 1, true)
	f.take(Lane, f.n.dim, 2, true)
	f.rowsOfM()
	f.take(Register, f.n.dim, f.n.bits-3, true)
	return f.warps(true, true)
}

// OperandA returns the layout of A for a tile of shape [..., M, K], replicated
// over the warps along N.
func (m MMA) OperandA(shape []int, warpsM, warpsN int) (Layout, error) {
	f, err := m.newFragment(shape, warpsM, warpsN, 'm', 'k')
	if err != nil {
		return Layout{}, err
	}
	f.take(Register, f.k.dim, f.pack(), true)
	f.take(Lane, f.k.dim, 2, true)
	f.rowsOfM()
	f.take(Register, f.k.dim, f.left(f.k.dim), true)
	return f.warps(true, false)
}

// OperandB returns the layout of B for a tile of shape [..., K, N], replicated
// over the warps along M.
func (m MMA) OperandB(shape []int, warpsM, warpsN int) (Layout, error) {
	if m.Warps > 1 {
		return Layout{}, fmt.Errorf("operand B of %s is in no registers", m)
	}
	f, err := m.newFragment(shape, warpsM, warpsN, 'k', 'n')
	if err != nil {
		return Layout{}, err
	}
	f.take(Register, f.k.dim, f.pack(), true)
	f.take(Lane, f.k.dim, 2, true)
	f.take(Lane, f.n.dim, 3, true)
	f.take(Register, f.k.dim, f.left(f.k.dim), true)
	return f.warps(false, true)
}
