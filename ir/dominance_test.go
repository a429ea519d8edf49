package ir

import (
	"math/rand"
	"testing"
)

// newCFG returns the blocks of a function whose branches are given by block number.
func newCFG(c *Context, succs [][]int) (fn Op, blocks []Block) {
	_, fn, _ = newModule(c)
	r := fn.Region(0)
	blocks = []Block{r.First()}
	for range len(succs) - 1 {
		blocks = append(blocks, r.AddBlock())
	}
	for i, ss := range succs {
		b := BuilderAtEnd(blocks[i])
		st := b.NewState(c.UnregisteredOp("u.br"), nil)
		for _, s := range ss {
			st.Succs = append(st.Succs, blocks[s])
		}
		b.Insert(st)
	}
	return fn, blocks
}

// reaches reports whether to is reached from from without passing avoid.
func reaches(succs [][]int, from, to, avoid int) bool {
	if from == avoid {
		return false
	}
	seen := map[int]bool{from: true}
	work := []int{from}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == to {
			return true
		}
		for _, s := range succs[n] {
			if s != avoid && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// The trees agree with the definition on random graphs, most of them irreducible.
func TestDominatorsAgainstDefinition(t *testing.T) {
	t.Parallel()
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		n := 1 + rng.Intn(12)
		succs := make([][]int, n)
		for i := range succs {
			for range rng.Intn(3) {
				if n > 1 {
					succs[i] = append(succs[i], 1+rng.Intn(n-1))
				}
			}
		}
		fn, blocks := newCFG(NewContext(verifyDialect), succs)
		dom, post := NewDominance(), NewPostDominance()
		order := map[Block]int{}
		for i, b := range dom.Order(fn.Region(0)) {
			order[b] = i
		}
		for b := range n {
			reachable := reaches(succs, 0, b, -1)
			if got := dom.Reachable(blocks[b]); got != reachable {
				t.Fatalf("seed %d: block %d reachable: got %v", seed, b, got)
			}
			if _, ok := order[blocks[b]]; ok != reachable {
				t.Fatalf("seed %d: block %d in order: got %v", seed, b, ok)
			}
			ends := false
			for e := range n {
				ends = ends || len(succs[e]) == 0 && reaches(succs, b, e, -1)
			}
			for a := range n {
				want := a == b || !reachable || !reaches(succs, 0, b, a)
				if got := dom.BlockDominates(blocks[a], blocks[b]); got != want {
					t.Fatalf("seed %d: %v: %d dominates %d: got %v", seed, succs, a, b, got)
				}
				if want && reachable && order[blocks[a]] > order[blocks[b]] {
					t.Fatalf("seed %d: %d stands behind %d, which it dominates", seed, a, b)
				}
				want = ends
				for e := range n {
					want = want && (len(succs[e]) > 0 || !reaches(succs, b, e, a))
				}
				if got := post.BlockPostDominates(blocks[a], blocks[b]); got != (a == b || want) {
					t.Fatalf("seed %d: %v: %d post-dominates %d: got %v", seed, succs, a, b, got)
				}
			}
			if id := dom.IDom(blocks[b]); !id.IsNil() {
				for a := range n {
					if a != b && dom.BlockDominates(blocks[a], blocks[b]) && !dom.BlockDominates(blocks[a], id) {
						t.Fatalf("seed %d: the immediate dominator of %d is not the nearest", seed, b)
					}
				}
				if dom.CommonDominator(id, blocks[b]) != id {
					t.Fatalf("seed %d: common dominator", seed)
				}
			} else if b != 0 && reachable {
				t.Fatalf("seed %d: %d has no immediate dominator", seed, b)
			}
		}
	}
}

// Long chains with a branch back and forth at each block are neither deep recursion nor quadratic.
func TestDominatorsOfLargeGraph(t *testing.T) {
	t.Parallel()
	const n = 50000
	succs := make([][]int, n)
	for i := range n - 1 {
		succs[i] = []int{i + 1, max(1, i-1), 1 + (n-i)%(n-1)}
	}
	fn, blocks := newCFG(NewContext(verifyDialect), succs)
	dom := NewDominance()
	if got := len(dom.Order(fn.Region(0))); got != n {
		t.Fatalf("%d blocks are reachable, want %d", got, n)
	}
	if !dom.BlockDominates(blocks[0], blocks[n-1]) {
		t.Error("the entry does not dominate the end")
	}
}

func TestDominanceOfOps(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	module, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	a1 := b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
	st := b.NewState(vIf, nil)
	st.Operands, st.Types = []Value{x}, []Type{c.Int(32)}
	inner := BuilderAtEnd(st.AddRegion().AddBlock())
	in := inner.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
	other := BuilderAtEnd(st.AddRegion().AddBlock()).Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
	ifOp := b.Insert(st)
	a2 := b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
	fn2, _ := addFunc(module, "g")
	d := NewDominance()
	for _, tc := range []struct {
		name string
		got  bool
		want bool
	}{
		{"earlier op dominates later", d.ProperlyDominates(a1, a2), true},
		{"later op does not dominate earlier", d.ProperlyDominates(a2, a1), false},
		{"op does not properly dominate itself", d.ProperlyDominates(a1, a1), false},
		{"op dominates what is nested behind it", d.ProperlyDominates(a1, in), true},
		{"op behind does not", d.ProperlyDominates(a2, in), false},
		{"op dominates what is inside it", d.ProperlyDominates(ifOp, in), true},
		{"inner does not dominate outer", d.ProperlyDominates(in, a2), false},
		{"siblings do not", d.ProperlyDominates(in, other), false},
		{"result is not available inside", d.Dominates(ifOp.Result(0), in), false},
		{"result is available behind", d.Dominates(ifOp.Result(0), a2), true},
		{"argument is available inside", d.Dominates(x, in), true},
		{"graph region has no order", d.ProperlyDominates(fn2, fn), true},
		{"across isolated operations", d.ProperlyDominates(fn2, in), true},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: got %v", tc.name, tc.got)
		}
	}
	p := NewPostDominance()
	if !p.PostDominates(a2, in) || p.PostDominates(a1, in) || !p.PostDominates(a2, a1) {
		t.Error("post-dominance within a block")
	}
}

func TestEffects(t *testing.T) {
	t.Parallel()
	d := &Dialect{Name: "e"}
	load := d.Op(OpDef{Name: "load", Operands: []Field{{Name: "p", Type: AnyType}}, Results: []Field{{Name: "r", Type: AnyType}},
		Caps: []CapImpl{MemoryEffects.Is(func(op Op, add func(Effect)) { add(Effect{Kind: Read, Value: op.Operand(0)}) })}})
	store := d.Op(OpDef{Name: "store", Operands: []Field{{Name: "p", Type: AnyType}},
		Caps: []CapImpl{MemoryEffects.Is(func(op Op, add func(Effect)) { add(Effect{Kind: Write, Value: op.Operand(0)}) })}})
	alloc := d.Op(OpDef{Name: "alloc", Results: []Field{{Name: "r", Type: AnyType}},
		Caps: []CapImpl{MemoryEffects.Is(func(op Op, add func(Effect)) { add(Effect{Kind: Allocate, Value: op.Result(0)}) })}})
	div := d.Op(OpDef{Name: "div", Results: []Field{{Name: "r", Type: AnyType}},
		Caps: []CapImpl{MemoryEffects.Is(func(Op, func(Effect)) {})}})
	wrap := d.Op(OpDef{Name: "wrap", Regions: []Field{{Name: "body"}}, Traits: RecursiveEffects | NoTerminator})
	leave := d.Op(OpDef{Name: "leave", Traits: Terminator | Pure,
		Caps: []CapImpl{RegionExitOp.Is(func(term Op) Op { return term.ParentOp().ParentOp() })}})
	unknown := d.Op(OpDef{Name: "unknown"})
	pure := d.Op(OpDef{Name: "pure", Traits: Pure})

	c := NewContext(d, verifyDialect)
	_, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	i32 := []Type{c.Int(32)}
	wrapped := func(fill func(b *Builder)) Op {
		st := b.NewState(wrap, nil)
		fill(BuilderAtEnd(st.AddRegion().AddBlock()))
		return b.Insert(st)
	}
	for _, tc := range []struct {
		name                              string
		op                                Op
		reads, writes, dead, pure, mayRun bool
	}{
		{"pure", b.Create(pure, nil, nil), false, false, true, true, true},
		{"load", b.Create(load, []Value{x}, i32), true, false, true, false, false},
		{"store", b.Create(store, []Value{x}, nil), false, true, false, false, false},
		{"alloc", b.Create(alloc, nil, i32), false, false, true, false, false},
		{"no effects but undefined behaviour", b.Create(div, nil, i32), false, false, true, false, false},
		{"unknown", b.Create(unknown, nil, nil), true, true, false, false, false},
		{"region of pure", wrapped(func(b *Builder) { b.Create(pure, nil, nil) }), false, false, true, true, true},
		{"region that loads", wrapped(func(b *Builder) { b.Create(load, []Value{x}, i32) }), true, false, true, false, false},
		{"region that stores", wrapped(func(b *Builder) { b.Create(store, []Value{x}, nil) }), false, true, false, false, false},
		{"region with its own memory", wrapped(func(b *Builder) {
			b.Create(store, []Value{b.Create(alloc, nil, i32).Result(0)}, nil)
		}), false, true, true, false, false},
		{"region that is left", wrapped(func(b *Builder) { b.Create(leave, nil, nil) }), false, true, false, false, true},
		{"region of unknown", wrapped(func(b *Builder) { b.Create(unknown, nil, nil) }), true, true, false, false, false},
		{"terminator", b.Create(leave, nil, nil), false, false, false, true, true},
	} {
		if MayRead(tc.op) != tc.reads || MayWrite(tc.op) != tc.writes || IsTriviallyDead(tc.op) != tc.dead ||
			IsPure(tc.op) != tc.pure || IsSpeculatable(tc.op) != tc.mayRun {
			t.Errorf("%s: reads %v, writes %v, dead %v, pure %v, speculatable %v", tc.name,
				MayRead(tc.op), MayWrite(tc.op), IsTriviallyDead(tc.op), IsPure(tc.op), IsSpeculatable(tc.op))
		}
	}
}

func TestTextOfTypesAndAttributes(t *testing.T) {
	t.Parallel()
	c := NewContext()
	f32 := c.F32()
	for want, got := range map[string]string{
		"(i32, index) -> f32":     TypeString(c.Func([]Type{c.Int(32), c.Index()}, []Type{f32})),
		"() -> ()":                TypeString(c.Func(nil, nil)),
		"tensor<2x4xf32>":         TypeString(c.Tensor([]int64{2, 4}, f32, nil)),
		"!u.x<1>":                 TypeString(c.OpaqueType("u", "x<1>")),
		"-1 : i8":                 AttrString(c.IntAttr(c.Int(8), 255)),
		"true":                    AttrString(c.BoolAttr(true)),
		"1.000000e+00 : f32":      AttrString(c.FloatAttr(f32, 0x3f800000)),
		"1.000000e-01 : f32":      AttrString(c.FloatAttr(f32, 0x3dcccccd)),
		"1.2345679e+00 : f32":     AttrString(c.FloatAttr(f32, 0x3f9e0652)),
		"0x7F800000 : f32":        AttrString(c.FloatAttr(f32, 0x7f800000)),
		`"a\22\\\0A"`:             AttrString(c.String("a\"\\\n")),
		`{a, "b c" = @s::@"t u"}`: AttrString(c.Dict(NamedAttr{"a", c.Unit()}, NamedAttr{"b c", c.SymbolRef("s", "t u")})),
		"array<i32: 1, -2>":       AttrString(c.DenseI32(1, -2)),
		"dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>": AttrString(c.Dense(c.Tensor([]int64{2, 2}, c.Int(8), nil), []byte{1, 2, 3, 0xfc})),
		"dense<7> : tensor<4xi8>":                   AttrString(c.Dense(c.Tensor([]int64{4}, c.Int(8), nil), []byte{7})),
		`loc("f":1:2)`:                              AttrString(c.FileLoc("f", 1, 2)),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	// Each type doubles the text; a message stays short.
	var ty Type = c.Int(1)
	for range 60 {
		ty = c.Func([]Type{ty, ty}, nil)
	}
	if n := len(TypeString(ty)); n > 2*maxText {
		t.Errorf("a type of exponential length is spelled with %d bytes", n)
	}
}
