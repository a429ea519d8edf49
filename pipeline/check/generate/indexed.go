package generate

// Loops whose tiles have their coordinates in memory: block tables of paged attention, numbers of gathered rows. The
// numbers are loaded in the same loop, or before it.

// hasIndices reports whether the loops of the kernel of a seed are of that kind. Kinds that came later have seeds of
// their own, so that other kernels stay what they were.
func hasIndices(seed uint64) bool { return seed/128%4 == 1 }

// indexed adds up MMAs of tiles, some of which are found by loaded numbers. There is one accumulator, or there are
// several whose MMAs share an operand, or an MMA reads the result of another, as in paged attention.
func (s *streamed) indexed() {
	g := s.gen
	if g.chance(3) {
		s.attend(s.table(s.counter))
		return
	}
	f := pick(g, []mmaTypes{{f16, f32}, {f16, f32}, {bf16, f32}, {i8, i32}, {f8e4m3, f32}})
	_, m, n, k := s.sides()
	a, b, sum := typ{shape{m, k}, f.operand}, typ{shape{k, n}, f.operand}, typ{shape{m, n}, f.acc}
	left := s.operand(a, 1)
	var rights []func() value
	var zeros, next []value
	for range 1 + g.r.IntN(2) {
		rights, zeros = append(rights, s.operand(b, 0)), append(zeros, g.constantZero(sum))
		if 2*m*n > largeSum {
			break
		}
	}
	s.begin(zeros...)
	x := left()
	for i, right := range rights {
		next = append(next, g.multiply(x, right(), s.args[i]))
	}
	s.end(next...)
}

// operand prepares a factor, and returns what makes it in the loop: a tile of this iteration, of a page, gathered
// rows, or one that stays.
func (s *streamed) operand(t typ, along int) func() value {
	g := s.gen
	kind := g.r.IntN(6)
	switch {
	case kind == 0:
		v := g.small(t)
		return func() value { return v }
	case kind < 3 && t.shape.size()/t.shape[0]*rowCount <= g.fewSize():
		return s.rows(t)
	}
	view, viewType := s.view(t, along)
	if kind == 3 {
		return func() value { return s.load(t, view, viewType, along) }
	}
	page := s.table(s.counter)
	if g.chance(3) { // a table of tables
		inner := s.table(s.counter)
		outer := page
		page = func() value {
			at := s.iv
			s.iv = outer()
			v := inner()
			s.iv = at
			return v
		}
	}
	return func() value {
		at := s.iv
		s.iv = page()
		v := s.load(t, view, viewType, along)
		s.iv = at
		return v
	}
}

// pages is how many pages tables speak of, and rowCount how many rows.
const pages, rowCount = 4, 8

// table makes a table of numbers of pages, and returns what loads the one of an iteration.
func (s *streamed) table(index typ) func() value {
	g, e := s.gen, pick(s.gen, []*elem{i32, i32, i64})
	t := typ{shape{1}, e}
	view, viewType := s.view(t, 0)
	through := g.chance(3)
	return func() value {
		var v value
		if through { // by a pointer
			p, _ := g.address("%few_"+e.name, e, s.iv)
			v = value{g.name(), scalar(e), true}
			g.line("%s, %s = load_ptr_tko weak %s : %s -> %s, token", v.name, g.name(), p, v.typ.ptr(), v.typ)
		} else {
			v = g.reshape(s.load(t, view, viewType, 0), nil)
		}
		v = g.masked(v, pages-1)
		switch {
		case e.width < index.elem.width:
			return g.def(index, true, "exti %s unsigned : %s -> %s", v.name, v.typ, index)
		case e.width > index.elem.width:
			return g.def(index, true, "trunci %s : %s -> %s", v.name, v.typ, index)
		}
		return v
	}
}

// rows makes a table of numbers of rows, and returns what gathers those of an iteration.
func (s *streamed) rows(t typ) func() value {
	g := s.gen
	g.few[t.elem] = true
	n, width := t.shape[0], t.shape[1]
	list := typ{shape{n}, i32}
	view, viewType := s.view(list, 0)
	column := g.def(typ{shape{width}, i32}, true, "iota : %s", typ{shape{width}, i32})
	column = g.reshape(column, shape{1, width})
	columns := g.def(t.of(i32), true, "broadcast %s : %s -> %s", column.name, column.typ, t.of(i32))
	stride := g.number(t.of(i32), int64(width))
	base := "%few_" + t.elem.name
	if !g.chance(4) {
		base = g.name()
		g.line("%s = assume div_by<16>, %%few_%s : %s", base, t.elem.name, scalar(t.elem).ptr())
	}
	return func() value {
		row := g.masked(s.load(list, view, viewType, 0), rowCount-1)
		row = g.reshape(row, shape{n, 1})
		rows := g.def(t.of(i32), true, "broadcast %s : %s -> %s", row.name, row.typ, t.of(i32))
		at := g.binary("muli", rows, stride, true, "")
		at = g.binary("addi", at, columns, true, "")
		p, _ := g.address(base, t.elem, at)
		v := value{g.name(), t, true}
		g.line("%s, %s = load_ptr_tko weak %s : %s -> %s, token", v.name, g.name(), p, t.ptr(), t)
		g.values = append(g.values, v)
		return v
	}
}
