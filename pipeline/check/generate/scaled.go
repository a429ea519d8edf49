package generate

// A blockForm is the types of an MMA whose operands have a scale for each block along K.
type blockForm struct {
	operand, scale *elem
	block          int
}

var blockForms = []blockForm{{f8e4m3, f8e8m0, 32}, {f8e5m2, f8e8m0, 32}, {f4, f8e8m0, 32}, {f4, f8e8m0, 16}, {f4, f8e4m3, 16}}

// scaledLoop adds up block-scaled MMAs of tiles of two inputs. The scales are powers of two, constant or different in
// each iteration.
func (s *streamed) scaledLoop() {
	g := s.gen
	f := pick(g, blockForms)
	m, n, k := pick(g, []int{32, 64, 128, 128, 256}), 8<<g.r.IntN(5), 32<<g.r.IntN(3)
	for m*k > largeOperand || m*n > largeSum || m*n*k > 2*largeWork {
		m /= 2
	}
	for n*k > largeOperand {
		n /= 2
	}
	batch := shape{}
	if g.chance(5) && max(m, n)*k <= largeOperand/2 {
		batch = shape{2}
	}
	with := func(rows, columns int) shape { return append(append(shape{}, batch...), rows, columns) }
	last := len(batch) + 1
	from := f.operand
	if from == f4 { // of whose inputs there are none
		from = f16
	}
	a, b, sum := typ{with(m, k), from}, typ{with(k, n), from}, typ{with(m, n), f32}
	va, ta := s.view(a, last)
	vb, tb := s.view(b, last-1)
	ta8, tb8 := typ{with(m, k/f.block), f.scale}, typ{with(k/f.block, n), f.scale}
	as, bs := g.scale(ta8), g.scale(tb8)
	s.begin(g.constantZero(sum))
	if g.chance(2) {
		bs = g.scale(tb8)
	}
	x, y := s.load(a, va, ta, last), s.load(b, vb, tb, last-1)
	if f.operand == f4 {
		x = g.def(a.of(f4), true, "ftof %s : %s -> %s", x.name, a, a.of(f4))
		y = g.def(b.of(f4), true, "ftof %s : %s -> %s", y.name, b, b.of(f4))
	}
	s.end(g.def(sum, true, "mmaf_scaled %s, %s, %s, %s, %s : %s, %s, %s, %s, %s", x.name, y.name, s.args[0].name, as.name, bs.name, x.typ, y.typ, sum, as.typ, bs.typ))
}

// tilesLoop walks over tiles, as persistent kernels do: in each iteration another loop adds up products, and what it
// yields is added to what the loop carries, exactly.
func (s *streamed) tilesLoop() {
	g := s.gen
	outer := &streamed{gen: g, counter: s.counter}
	_, m, n, k := s.largeSides()
	f := pick(g, []mmaTypes{{f16, f32}, {bf16, f32}, {i8, i32}, {f8e4m3, f32}})
	a, b, sum := typ{shape{m, k}, f.operand}, typ{shape{k, n}, f.operand}, typ{shape{m, n}, f.acc}
	va, ta := s.view(a, 1)
	vb, tb := s.view(b, 0)
	zero := g.constantZero(sum)
	outer.begin(g.constantZero(sum))
	s.begin(zero)
	s.end(g.multiply(s.load(a, va, ta, 1), s.load(b, vb, tb, 0), s.args[0]))
	made := value{s.results[0], sum, true}
	op := "addi"
	rounding := ""
	if f.acc.float {
		op, rounding = "addf", " rounding<nearest_even>"
	}
	if g.chance(2) && m*n <= largeOperand { // as results are narrowed
		narrow := i8
		if f.acc.float {
			narrow = f16
		}
		view, viewType := s.view(sum.of(narrow), 0)
		at := s.iv
		s.iv = outer.iv
		bias := s.load(sum.of(narrow), view, viewType, 0)
		s.iv = at
		made = g.binary(op, made, g.widen(bias, sum), true, rounding)
	}
	outer.end(g.binary(op, outer.args[0], made, true, rounding))
	s.carried, s.results = outer.carried, outer.results
}

// widen converts small integers to a type that has them.
func (g *gen) widen(v value, t typ) value {
	if t.elem.float {
		return g.def(t, true, "ftof %s : %s -> %s", v.name, v.typ, t)
	}
	return g.def(t, true, "exti %s signed : %s -> %s", v.name, v.typ, t)
}
