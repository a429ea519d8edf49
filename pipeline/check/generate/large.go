package generate

// MMAs as large as those of asynchronous instructions (wgmma, tcgen05), of tiles that TMA loads.

// largeTypes are their types, the more often the more the target does with them.
var largeTypes = []mmaTypes{{f16, f32}, {f16, f32}, {f16, f32}, {bf16, f32}, {bf16, f32}, {i8, i32}, {f8e4m3, f32}, {f8e5m2, f32}, {tf32, f32}}

// What their tiles have at most: operands of seven turns must fit an input, sums the registers, and a kernel the
// patience of whoever waits for an emulator.
const (
	largeOperand = 1 << 13
	largeSum     = 1 << 14
	largeWork    = 1 << 19
)

// largeSides returns the sides of such a product: from 64 rows on, which a group of four warps has at least.
func (s *streamed) largeSides() (batch shape, m, n, k int) {
	g := s.gen
	for {
		m, n, k = pick(g, []int{64, 64, 128, 128, 256, 32}), 8<<g.r.IntN(6), 16<<g.r.IntN(4)
		batch = nil
		most := largeOperand
		if g.chance(8) {
			batch, most = shape{2}, most/2
		}
		if m*k <= most && k*n <= most && m*n <= largeSum && m*n*k <= largeWork {
			return batch, m, n, k
		}
	}
}

// large writes a loop over large MMAs and stores what it yields. Kinds that were added later follow from the seed, so
// that the other kernels of a seed do not change.
func (g *gen) large(seed uint64) {
	s := &streamed{gen: g, counter: scalar(pick(g, []*elem{i32, i32, i32, i64}))}
	switch {
	case seed%8 == 3:
		s.scaledLoop()
	case seed%8 == 6:
		s.tilesLoop()
	case hasIndices(seed):
		s.indexed()
	case g.chance(3):
		s.twice()
	default:
		s.products()
	}
	for i, v := range s.carried {
		if i == 0 || g.chance(2) {
			g.storeTo(exact, value{s.results[i], v.typ, true})
		}
	}
}

// early loads a tile before the loop.
func (s *streamed) early(t typ) value {
	view, viewType := s.view(t, 0)
	s.iv = s.number(s.counter, int64(s.r.IntN(2)))
	return s.load(t, view, viewType, 0)
}

// cut lets the tile reach over the edge in the dimensions too along which the loop does not go.
func (g *gen) cut(dims, tile shape, along int) {
	for d := range dims {
		if d != along && g.chance(4) {
			dims[d] -= g.r.IntN(tile[d])
		}
	}
}
