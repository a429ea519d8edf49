package conversion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

var (
	from = &ir.Dialect{Name: "a"}
	to   = &ir.Dialect{Name: "b"}
	cast = to.Op(ir.OpDef{Name: "cast", Traits: ir.Pure, Operands: variadic("in"), Results: variadic("out")})
)

func variadic(name string) []ir.Field {
	return []ir.Field{{Name: name, Type: ir.AnyType, Arity: ir.Variadic}}
}

func row(d *ir.Dialect, name string, traits ir.Traits) *ir.OpDef {
	return d.Op(ir.OpDef{Name: name, Traits: traits, Operands: variadic("in"), Results: variadic("out"),
		Regions: []ir.Field{{Name: "bodies", Arity: ir.Variadic}}, Successors: -1})
}

var (
	aModule = row(from, "module", ir.IsolatedFromAbove|ir.NoTerminator)
	aFn     = row(from, "fn", ir.IsolatedFromAbove)
	aAdd    = row(from, "add", ir.Pure)
	aMake   = row(from, "make", ir.Pure) // a pair of two numbers
	aFirst  = row(from, "first", ir.Pure)
	aIf     = row(from, "if", 0)
	aYield  = row(from, "yield", ir.Terminator|ir.Pure)
	aBr     = row(from, "br", ir.Terminator|ir.Pure)
	aRet    = row(from, "ret", ir.Terminator|ir.Pure)
	aBad    = row(from, "bad", 0)
	aTwice  = row(from, "twice", ir.Pure)

	bFn    = row(to, "fn", ir.IsolatedFromAbove)
	bAdd   = row(to, "add", ir.Pure)
	bIf    = row(to, "if", 0)
	bYield = row(to, "yield", ir.Terminator|ir.Pure)
	bBr    = row(to, "br", ir.Terminator|ir.Pure)
	bRet   = row(to, "ret", ir.Terminator|ir.Pure)
	bUse   = row(to, "use", 0) // legal, and takes numbers of the old type

)

func types(c *ir.Context) *TypeConverter {
	tc := &TypeConverter{}
	tc.Rule(func(t ir.Type) ([]ir.Type, bool) { return []ir.Type{t}, true })
	tc.OneToOne(func(t ir.Type) ir.Type {
		if t == ir.Type(c.Int(32)) {
			return c.Int(64)
		}
		return nil
	})
	tc.Rule(func(t ir.Type) ([]ir.Type, bool) {
		if o, ok := t.(*ir.OpaqueType); ok && o.Body == "pair" {
			return []ir.Type{c.Int(64), c.Int(64)}, true
		}
		return nil, false
	})
	tc.Rule(func(t ir.Type) ([]ir.Type, bool) {
		o, ok := t.(*ir.OpaqueType)
		return nil, ok && o.Body == "unit"
	})
	return tc
}

// same converts an operation to one of another row.
func same(root, n *ir.OpDef) Pattern {
	return Pattern{Name: "convert-" + root.Name, Root: root, Convert: func(c *Op) error { return c.Recreate(n) }}
}

func config(c *ir.Context) *Conversion {
	conv := &Conversion{Types: types(c), Target: NewTarget().IllegalDialects(from).LegalDialects(to).LegalOps(aModule), Cast: cast}
	conv.Patterns = []Pattern{
		same(aFn, bFn), same(aAdd, bAdd), same(aIf, bIf), same(aYield, bYield), same(aBr, bBr), same(aRet, bRet),
		{Name: "make", Root: aMake, Convert: func(c *Op) error {
			c.ReplaceN([]ir.Value{c.Operand(0), c.Operand(1)})
			return nil
		}},
		{Name: "first", Root: aFirst, Convert: func(c *Op) error {
			c.Replace(c.OperandN(0)[0])
			return nil
		}},
		{Name: "twice", Root: aTwice, Convert: func(c *Op) error {
			t := c.Context().Int(64)
			c.ReplaceWithNew(aAdd, []ir.Value{c.Operand(0), c.Operand(0)}, []ir.Type{t}) // is converted in turn
			return nil
		}},
		{Name: "never", Root: aBad, Benefit: 5, Convert: func(*Op) error { return ErrNoMatch }},
	}
	return conv
}

type maker struct{ *ir.Builder }

func newModule() (ir.Op, maker) {
	c := ir.NewContext(from, to)
	c.AllowUnregistered = true
	top := ir.NewBuilder(c.NewArena())
	st := top.NewState(aModule, nil)
	body := st.AddRegion().AddBlock()
	return top.Insert(st), maker{ir.BuilderAtEnd(body)}
}

func (m maker) i32() ir.Type  { return m.Context().Int(32) }
func (m maker) pair() ir.Type { return m.Context().OpaqueType("a", "pair") }
func (m maker) unit() ir.Type { return m.Context().OpaqueType("a", "unit") }
func (m maker) op(def *ir.OpDef, t ir.Type, operands ...ir.Value) ir.Value {
	return m.Create(def, operands, []ir.Type{t}).Result(0)
}
func (m maker) fn(args ...ir.Type) (maker, []ir.Value) {
	st := m.NewState(aFn, m.Context().FileLoc("f", uint32(m.Arena().NumOps()+1), 1))
	body := st.AddRegion().AddBlock(args...)
	m.Insert(st)
	return maker{ir.BuilderAtEnd(body)}, body.Args()
}

// text spells what is inside op with values and blocks numbered from 0.
func text(op ir.Op) string {
	nums, blocks := map[ir.Value]int{}, map[ir.Block]int{}
	num := func(v ir.Value) string {
		if _, ok := nums[v]; !ok {
			nums[v] = len(nums)
		}
		return fmt.Sprintf("%d:%s", nums[v], ir.TypeString(v.Type()))
	}
	list := func(vs []ir.Value) string {
		out := make([]string, len(vs))
		for i, v := range vs {
			out[i] = num(v)
		}
		return strings.Join(out, ",")
	}
	var region func(r ir.Region) string
	region = func(r ir.Region) string {
		for b := range r.Blocks() {
			blocks[b] = len(blocks)
		}
		out := ""
		for b := range r.Blocks() {
			out += fmt.Sprintf("^%d(%s) ", blocks[b], list(b.Args()))
			for op := range b.Ops() {
				if op.NumResults() > 0 {
					out += list(op.Results()) + "="
				}
				out += op.Name() + "(" + list(op.Operands()) + ")"
				for i := range op.NumSuccessors() {
					out += fmt.Sprintf("^%d", blocks[op.Successor(i)])
				}
				for i := range op.NumRegions() {
					out += "{" + region(op.Region(i)) + "}"
				}
				out += " "
			}
		}
		return strings.TrimSpace(out)
	}
	return region(op.Region(0))
}

func TestConvert(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		build   func(m maker)
		partial bool
		want    string
	}{
		{"one to one", func(m maker) {
			f, x := m.fn(m.i32())
			f.Create(aRet, []ir.Value{f.op(aAdd, m.i32(), x[0], x[0])}, nil)
		}, false, "^0() b.fn(){^1(0:i64) 1:i64=b.add(0:i64,0:i64) b.ret(1:i64)}"},
		{"one to many, and to none", func(m maker) {
			f, x := m.fn(m.pair(), m.unit(), m.i32())
			p := f.op(aMake, m.pair(), x[2], f.op(aFirst, m.i32(), x[0]))
			f.Create(aRet, []ir.Value{p, x[1]}, nil)
		}, false, "^0() b.fn(){^1(0:i64,1:i64,2:i64) b.ret(2:i64,0:i64)}"},
		{"nested regions", func(m maker) {
			f, x := m.fn(m.i32())
			st := f.NewState(aIf, nil)
			st.Operands, st.Types = x, []ir.Type{m.pair()}
			in := maker{ir.BuilderAtEnd(st.AddRegion().AddBlock(m.i32()))}
			in.Create(aYield, []ir.Value{in.op(aMake, m.pair(), x[0], in.Block().Arg(0))}, nil)
			f.Create(aRet, f.Insert(st).Results(), nil)
		}, false, "^0() b.fn(){^1(0:i64) 1:i64,2:i64=b.if(0:i64){^2(3:i64) b.yield(0:i64,3:i64)} b.ret(1:i64,2:i64)}"},
		{"blocks in another order than that of dominance; one that is not reached", func(m maker) {
			f, x := m.fn(m.i32())
			r := f.Block().Region()
			last := r.AddBlock(m.i32())
			mid := r.AddBlock()
			dead := r.AddBlock()
			br := func(b ir.Block, to ir.Block, vs ...ir.Value) {
				bb := ir.BuilderAtEnd(b)
				st := bb.NewState(aBr, nil)
				st.Operands, st.Succs = vs, []ir.Block{to}
				bb.Insert(st)
			}
			br(f.Block(), mid)
			v := maker{ir.BuilderAtEnd(mid)}.op(aAdd, m.i32(), x[0], x[0])
			br(mid, last, v)
			ir.BuilderAtEnd(last).Create(aRet, []ir.Value{last.Arg(0), v}, nil)
			br(dead, last, v)
		}, false, "^0() b.fn(){^1(0:i64) b.br()^3 ^2(1:i64) b.ret(1:i64,2:i64) ^3() 2:i64=b.add(0:i64,0:i64) b.br(2:i64)^2}"},
		{"a pattern creates what is illegal", func(m maker) {
			f, x := m.fn(m.i32())
			f.Create(aRet, []ir.Value{f.op(aTwice, m.i32(), x[0])}, nil)
		}, false, "^0() b.fn(){^1(0:i64) 1:i64=b.add(0:i64,0:i64) b.ret(1:i64)}"},
		{"casts where old and new meet", func(m maker) {
			f, x := m.fn(m.i32())
			u := f.op(bUse, m.i32(), x[0])
			f.Create(aRet, []ir.Value{f.op(aAdd, m.i32(), u, u)}, nil)
		}, true, "^0() b.fn(){^1(0:i64) 1:i32=b.cast(0:i64) 2:i32=b.use(1:i32) 3:i64=b.cast(2:i32) 4:i64=b.add(3:i64,3:i64) b.ret(4:i64)}"},
		{"a cast of the input is resolved", func(m maker) {
			f, x := m.fn(m.Context().Int(64))
			f.Create(aRet, []ir.Value{f.op(cast, m.i32(), x[0])}, nil)
		}, false, "^0() b.fn(){^1(0:i64) b.ret(0:i64)}"},
		{"unknown operations stay in a partial conversion", func(m maker) {
			f, x := m.fn(m.i32())
			f.Create(m.Context().UnregisteredOp("u.x"), nil, nil)
			f.Create(aRet, x, nil)
		}, true, "^0() b.fn(){^1(0:i64) u.x() b.ret(0:i64)}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			module, m := newModule()
			tc.build(m)
			conv := config(module.Context())
			conv.Partial = tc.partial
			if err := conv.Run(module); err != nil {
				t.Fatal(err)
			}
			if got := text(module); got != tc.want {
				t.Errorf("\n got  %s\n want %s", got, tc.want)
			}
			if ds := ir.Check(module); ds != nil {
				t.Errorf("the output is not valid: %v", ds[0])
			}
		})
	}
}

func TestConvertFails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		build func(m maker)
		setup func(conv *Conversion)
		want  string
	}{
		{"illegal", func(m maker) {
			f, x := m.fn(m.i32())
			f.Loc = m.Context().FileLoc("k.mlir", 7, 3)
			f.Create(aBad, x, nil)
			f.Create(aRet, nil, nil)
		}, nil, "k.mlir:7:3: error: failed to legalize operation 'a.bad' that was explicitly marked illegal"},
		{"unknown in a full conversion", func(m maker) {
			f, _ := m.fn()
			f.Create(m.Context().UnregisteredOp("u.x"), nil, nil)
			f.Create(aRet, nil, nil)
		}, nil, "failed to legalize operation 'u.x'"},
		{"cast that remains", func(m maker) {
			f, x := m.fn(m.i32())
			f.op(bUse, m.i32(), x[0])
			f.Create(aRet, nil, nil)
		}, nil, "failed to legalize unresolved materialization from ('i64') to ('i32') that remained live after conversion"},
		{"no cast", func(m maker) {
			f, x := m.fn(m.i32())
			f.op(bUse, m.i32(), x[0])
			f.Create(aRet, nil, nil)
		}, func(conv *Conversion) { conv.Cast = nil }, "'b.use' op needs a conversion from ('i64') to ('i32'), which nothing makes"},
		{"type without rule", func(m maker) {
			f, x := m.fn(m.i32())
			f.Create(aRet, x, nil)
		}, func(conv *Conversion) { conv.Types = &TypeConverter{} }, "'a.fn' op has block argument #0 of type 'i32', which cannot be converted"},
		{"error of a pattern", func(m maker) {
			f, x := m.fn(m.i32())
			f.Create(aBad, x, nil)
			f.Create(aRet, nil, nil)
		}, func(conv *Conversion) {
			conv.Patterns = append(conv.Patterns, Pattern{Name: "hopeless", Root: aBad, Convert: func(*Op) error { return fmt.Errorf("no such thing on sm_50") }})
		}, "'a.bad' op cannot be converted by hopeless: no such thing on sm_50"},
		{"patterns that go round", func(m maker) {
			f, x := m.fn(m.i32())
			f.op(aTwice, m.i32(), x[0])
			f.Create(aRet, nil, nil)
		}, func(conv *Conversion) {
			conv.Patterns = append(conv.Patterns, Pattern{Name: "round", Root: aTwice, Benefit: 9, Convert: func(c *Op) error {
				c.ReplaceWithNew(aTwice, []ir.Value{c.Operand(0)}, []ir.Type{c.Operand(0).Type()})
				return nil
			}})
		}, "patterns keep creating illegal operations"},
		{"several functions, in order", func(m maker) {
			for range 20 {
				f, x := m.fn(m.i32())
				f.Create(aBad, x, nil)
				f.Create(aRet, nil, nil)
			}
		}, nil, strings.TrimSuffix(strings.Repeat("loc(unknown): error: failed to legalize operation 'a.bad' that was explicitly marked illegal\n", 20), "\n")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			module, m := newModule()
			tc.build(m)
			before := text(module)
			conv := config(module.Context())
			if tc.setup != nil {
				tc.setup(conv)
			}
			err := conv.Run(module)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("\n got  %v\n want %s", err, tc.want)
			}
			if got := text(module); got != before {
				t.Errorf("the input was changed:\n%s\n%s", before, got)
			}
		})
	}
}

// An if becomes branches: what follows goes to the block at which the pattern leaves its builder.
func TestPatternThatSplitsTheBlock(t *testing.T) {
	t.Parallel()
	module, m := newModule()
	f, x := m.fn(m.i32())
	st := f.NewState(aIf, nil)
	st.Operands, st.Types = x, []ir.Type{m.i32()}
	in := maker{ir.BuilderAtEnd(st.AddRegion().AddBlock())}
	in.Create(aYield, []ir.Value{in.op(aAdd, m.i32(), x[0], x[0])}, nil)
	f.Create(aRet, []ir.Value{f.op(bUse, m.i32(), f.Insert(st).Result(0))}, nil)

	conv := config(module.Context())
	conv.Partial = true
	var cont ir.Block // a pass would keep one for each if
	conv.Patterns = append(conv.Patterns, Pattern{Name: "flatten-if", Root: aIf, Benefit: 2, Convert: func(c *Op) error {
		r := c.Block().Region()
		cont = r.InsertBlock(c.Block().Next(), c.Context().Int(64))
		body := c.Arena().NewRegion()
		next := cont
		if err := c.ConvertRegion(c.Op.Region(0), body, nil); err != nil {
			return err
		}
		first := body.First()
		for b := range body.Blocks() {
			b.MoveBefore(next)
		}
		st := c.NewState(bBr, c.Op.Loc())
		st.Succs = []ir.Block{first}
		c.Insert(st)
		c.SetInsertionPointToEnd(next)
		c.Replace(next.Arg(0))
		return nil
	}}, Pattern{Name: "flatten-yield", Root: aYield, Benefit: 2, Convert: func(c *Op) error {
		st := c.NewState(bBr, c.Op.Loc())
		st.Operands, st.Succs = c.Operands(), []ir.Block{cont}
		c.Insert(st)
		return nil
	}})
	if err := conv.Run(module); err != nil {
		t.Fatal(err)
	}
	want := "^0() b.fn(){^1(0:i64) b.br()^2 ^2() 1:i64=b.add(0:i64,0:i64) b.br(1:i64)^3 " +
		"^3(2:i64) 3:i32=b.cast(2:i64) 4:i32=b.use(3:i32) 5:i64=b.cast(4:i32) b.ret(5:i64)}"
	if got := text(module); got != want {
		t.Errorf("\n got  %s\n want %s", got, want)
	}
	if ds := ir.Check(module); ds != nil {
		t.Error(ds[0])
	}
}

func TestSignatureAndMaterialisationHooks(t *testing.T) {
	t.Parallel()
	module, m := newModule()
	f, x := m.fn(m.i32(), m.i32())
	f.op(bUse, m.i32(), x[0])
	f.Create(aRet, []ir.Value{x[1]}, nil)
	c := module.Context()
	conv := config(c)
	narrow, load := c.UnregisteredOp("u.narrow"), c.UnregisteredOp("u.load")
	conv.Types.Source(func(b *ir.Builder, want []ir.Type, have []ir.Value) []ir.Value {
		return b.Create(narrow, have, want).Results()
	})
	conv.Patterns[0] = Pattern{Name: "fn", Root: aFn, Convert: func(o *Op) error {
		st := o.NewState(bFn, o.Op.Loc())
		st.AddRegion()
		n := o.Insert(st)
		return o.ConvertRegion(o.Op.Region(0), n.Region(0), &Signature{
			Types: [][]ir.Type{{}, nil},
			Entry: func(b *ir.Builder, args [][]ir.Value) ([][]ir.Value, error) {
				return [][]ir.Value{b.Create(load, nil, []ir.Type{c.Int(64)}).Results(), nil}, nil
			},
		})
	}}
	if err := conv.Run(module); err != nil {
		t.Fatal(err)
	}
	want := "^0() b.fn(){^1(0:i64) 1:i64=u.load() 2:i32=u.narrow(1:i64) 3:i32=b.use(2:i32) b.ret(0:i64)}"
	if got := text(module); got != want {
		t.Errorf("\n got  %s\n want %s", got, want)
	}
}

// A body can be converted inside its own isolated operation as well, which stays.
func TestConvertInPlace(t *testing.T) {
	t.Parallel()
	module, m := newModule()
	f, x := m.fn(m.i32())
	f.Create(aRet, []ir.Value{f.op(aFirst, m.i32(), f.op(aMake, m.pair(), f.op(cast, m.i32(), f.op(cast, m.Context().Int(64), x[0])), x[0]))}, nil)
	conv := config(module.Context())
	conv.Partial = true
	if err := conv.Run(module.Body().First()); err != nil {
		t.Fatal(err)
	}
	// The function keeps its argument, so that its old and new type meet.
	if got, want := text(module), "^0() a.fn(){^1(0:i32) 1:i64=b.cast(0:i32) b.ret(1:i64)}"; got != want {
		t.Errorf("\n got  %s\n want %s", got, want)
	}
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	module, m := newModule()
	f, x := m.fn(m.i32())
	wide := f.op(cast, m.Context().Int(64), x[0])
	back := f.op(cast, m.i32(), wide)
	other := f.op(cast, m.Context().Int(8), wide)
	f.Create(aRet, []ir.Value{back, other}, nil)
	if n := Reconcile(module, cast); n != 2 {
		t.Errorf("%d casts remain, want 2", n)
	}
	want := "^0() a.fn(){^1(0:i32) 1:i64=b.cast(0:i32) 2:i8=b.cast(1:i64) a.ret(0:i32,2:i8)}"
	if got := text(module); got != want {
		t.Errorf("\n got  %s\n want %s", got, want)
	}
}

// A bug in a pattern reaches the caller, whichever goroutine it showed on.
func TestPanicReachesTheCaller(t *testing.T) {
	t.Parallel()
	module, m := newModule()
	for range 4 {
		f, x := m.fn(m.i32())
		f.Create(aBad, x, nil)
	}
	conv := config(module.Context())
	conv.Patterns = append(conv.Patterns, Pattern{Name: "buggy", Root: aBad, Convert: func(c *Op) error { c.Operand(3); return nil }})
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "index out of range") {
			t.Errorf("got %s", got)
		}
	}()
	conv.Run(module)
}

// Many functions are converted in parallel, with the same output as one after the other.
func TestParallel(t *testing.T) {
	t.Parallel()
	convert := func(workers int) string {
		module, m := newModule()
		for i := range 100 {
			f, x := m.fn(m.i32())
			v := x[0]
			for range i {
				v = f.op(aAdd, m.i32(), v, x[0])
			}
			f.Create(aRet, []ir.Value{v}, nil)
		}
		conv := config(module.Context())
		conv.Workers = workers
		if err := conv.Run(module); err != nil {
			t.Fatal(err)
		}
		return text(module)
	}
	if convert(1) != convert(8) {
		t.Error("the output depends on the number of workers")
	}
}
