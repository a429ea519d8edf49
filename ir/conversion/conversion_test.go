package conversion

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

var (
	from = &ir.Dialect{Name: "a"}
	to   = &ir.Dialect{Name: "b"}
)

func row(d *ir.Dialect, name string, traits ir.Traits) *ir.OpDef {
	variadic := func(name string) []ir.Field { return []ir.Field{{Name: name, Type: ir.AnyType, Arity: ir.Variadic}} }
	return d.Op(ir.OpDef{Name: name, Traits: traits, Operands: variadic("in"), Results: variadic("out"),
		Regions: []ir.Field{{Name: "bodies", Arity: ir.Variadic}}, Successors: -1})
}

var (
	module = row(from, "module", ir.IsolatedFromAbove|ir.NoTerminator)
	aFn    = row(from, "fn", ir.IsolatedFromAbove)
	aAdd   = row(from, "add", ir.Pure)
	aMul   = row(from, "mul", ir.Pure)
	aPair  = row(from, "pair", ir.Pure) // a pair of two numbers
	aFirst = row(from, "first", ir.Pure)
	aUnit  = row(from, "unit", ir.Pure)
	aIf    = row(from, "if", 0)
	aTwice = row(from, "twice", 0) // does what is in its region twice
	aYield = row(from, "yield", ir.Terminator|ir.Pure)
	aRet   = row(from, "ret", ir.Terminator|ir.Pure)
	aBr    = row(from, "br", ir.Terminator|ir.Pure)
	aBad   = row(from, "bad", 0)
	aLazy  = row(from, "lazy", 0)  // its rule binds nothing
	aWrong = row(from, "wrong", 0) // its rule binds a value of another type
	aFar   = row(from, "far", 0)   // its rule asks for what it has no business with
	aPanic = row(from, "panic", 0)

	bFn  = row(to, "fn", ir.IsolatedFromAbove)
	bAdd = row(to, "add", ir.Pure)
	bIf  = row(to, "if", 0)
	bEnd = row(to, "end", ir.Terminator|ir.Pure)
)

// converter counts what it converts, to show that a converter may have a state of its own.
type converter struct {
	State
	adds int
}

func recreate(def *ir.OpDef) Rule[*converter] {
	return func(c *converter, op ir.Op) error { return c.Recreate(op, def) }
}

var rules = NewRules[*converter]("b").Add(map[*ir.OpDef]Rule[*converter]{
	aAdd: func(c *converter, op ir.Op) error { c.adds++; return c.Recreate(op, bAdd) },
	aPair: func(c *converter, op ir.Op) error {
		c.Bind(op.Result(0), c.Value(op.Operand(0)), c.Value(op.Operand(1)))
		return nil
	},
	aFirst: func(c *converter, op ir.Op) error {
		c.Bind(op.Result(0), c.Values(op.Operand(0))[0])
		return nil
	},
	aTwice: func(c *converter, op ir.Op) error {
		for range 2 {
			for i, v := range op.Body().Args() {
				c.Bind(v, c.Values(op.Operand(i))...)
			}
			for inner := range op.Body().Ops() {
				if !inner.Is(aYield) {
					if err := c.Op(inner); err != nil {
						return err
					}
				}
			}
		}
		return nil
	},
	aUnit: func(*converter, ir.Op) error { return nil },
	aIf:   recreate(bIf), aYield: recreate(bEnd), aRet: recreate(bEnd), aBr: recreate(bEnd),
	aLazy:  func(*converter, ir.Op) error { return nil },
	aWrong: func(c *converter, op ir.Op) error { c.Bind(op.Result(0), op.Operand(0)); return nil },
	aFar: func(c *converter, op ir.Op) error {
		c.Value(op.Next().Result(0))
		return nil
	},
	aPanic: func(*converter, ir.Op) error { panic("of a rule") },
}).Capability(func(op ir.Op) Rule[*converter] {
	if op.HasTrait(ir.Pure) && op.NumResults() == 1 {
		return recreate(bAdd)
	}
	return nil
})

// types makes i32 i64, a pair two of them, a unit nothing; other opaque types have no counterpart.
func types(c *ir.Context) Types {
	return func(t ir.Type) ([]ir.Type, error) {
		switch {
		case t == ir.Type(c.Int(32)):
			return []ir.Type{c.Int(64)}, nil
		case t == ir.Type(c.OpaqueType("a", "pair")):
			return []ir.Type{c.Int(64), c.Int(64)}, nil
		case t == ir.Type(c.OpaqueType("a", "unit")):
			return nil, nil
		}
		return nil, errors.New("has no counterpart")
	}
}

func convertAll(m ir.Op, workers int) error {
	return Replace(context.Background(), workers, m.Body().Ops(), func(op ir.Op, u *Unit) (bool, error) {
		if !op.Is(aFn) {
			return false, nil
		}
		st := u.NewState(bFn, op.Loc())
		body := st.AddRegion()
		fn := u.Insert(st)
		c := &converter{State: NewState(ir.NewBuilder(fn.InnerArena()), types(op.Context()))}
		u.Body(func() error { return rules.Run(c, func() error { return c.Region(op.Region(0), body) }) })
		u.After(func() error {
			fn.SetAttr("adds", op.Context().IntAttr(op.Context().Int(32), int64(c.adds)))
			return nil
		})
		return true, nil
	})
}

type maker struct{ *ir.Builder }

func newModule() (ir.Op, maker) {
	c := ir.NewContext(from, to)
	c.AllowUnregistered = true
	top := ir.NewBuilder(c.NewArena())
	st := top.NewState(module, nil)
	body := st.AddRegion().AddBlock()
	return top.Insert(st), maker{ir.BuilderAtEnd(body)}
}

func (m maker) typ(name string) ir.Type {
	if name == "i32" {
		return m.Context().Int(32)
	}
	return m.Context().OpaqueType("a", name)
}

// op makes an operation with a result of the type, or with none.
func (m maker) op(def *ir.OpDef, t string, operands ...ir.Value) ir.Value {
	m.Loc = m.Context().FileLoc("f", uint32(m.Arena().NumOps()+1), 1)
	if t == "" {
		m.Create(def, operands, nil)
		return ir.Value{}
	}
	return m.Create(def, operands, []ir.Type{m.typ(t)}).Result(0)
}

func (m maker) fn(args ...string) (maker, []ir.Value) {
	st := m.NewState(aFn, m.Context().FileLoc("f", uint32(m.Arena().NumOps()+1), 1))
	b := st.AddRegion().AddBlock()
	for _, a := range args {
		b.AddArg(m.typ(a))
	}
	m.Insert(st)
	return maker{ir.BuilderAtEnd(b)}, b.Args()
}

// region makes an operation with one region, and returns it and what makes operations in there.
func (m maker) region(def *ir.OpDef, result string, args []string, operands ...ir.Value) (ir.Op, maker) {
	st := m.NewState(def, nil)
	st.Operands = operands
	if result != "" {
		st.Types = []ir.Type{m.typ(result)}
	}
	b := st.AddRegion().AddBlock()
	for _, a := range args {
		b.AddArg(m.typ(a))
	}
	return m.Insert(st), maker{ir.BuilderAtEnd(b)}
}

// text spells what is inside an operation, with values numbered from 0.
func text(op ir.Op) string {
	nums := map[ir.Value]int{}
	list := func(vs []ir.Value) string {
		out := make([]string, len(vs))
		for i, v := range vs {
			if _, ok := nums[v]; !ok {
				nums[v] = len(nums)
			}
			out[i] = fmt.Sprintf("%d:%s", nums[v], ir.TypeString(v.Type()))
		}
		return strings.Join(out, ",")
	}
	var inside func(op ir.Op) string
	inside = func(op ir.Op) (out string) {
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				out += fmt.Sprintf("{%s| ", list(b.Args()))
				for op := range b.Ops() {
					if op.NumResults() > 0 {
						out += list(op.Results()) + "="
					}
					out += op.Name() + "(" + list(op.Operands()) + ")" + inside(op) + " "
				}
				out += "}"
			}
		}
		return out
	}
	return inside(op)
}

func TestConversion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		make func(m maker)
		want string
	}{
		{"one value becomes two, none or one of another type", func(m maker) {
			f, a := m.fn("i32", "pair", "unit")
			p := f.op(aPair, "pair", a[0], a[0])
			f.op(aUnit, "unit")
			f.op(aRet, "", p, a[1], a[2], f.op(aFirst, "i32", a[1]))
		}, "{| b.fn(){0:i64,1:i64,2:i64| b.end(0:i64,0:i64,1:i64,2:i64,1:i64) } }"},
		{"a region keeps its shape, with arguments and results of several values", func(m maker) {
			f, a := m.fn("pair")
			op, in := f.region(aIf, "pair", []string{"pair"}, a[0])
			in.op(aYield, "", op.Body().Arg(0))
			f.op(aRet, "", op.Result(0))
		}, "{| b.fn(){0:i64,1:i64| 2:i64,3:i64=b.if(0:i64,1:i64){4:i64,5:i64| b.end(4:i64,5:i64) } b.end(2:i64,3:i64) } }"},
		{"a region is converted as often as a rule likes", func(m maker) {
			f, a := m.fn("i32")
			op, in := f.region(aTwice, "", []string{"i32"}, a[0])
			in.op(aAdd, "i32", op.Body().Arg(0))
			in.op(aYield, "")
			f.op(aRet, "")
		}, "{| b.fn(){0:i64| 1:i64=b.add(0:i64) 2:i64=b.add(0:i64) b.end() } }"},
		{"a capability stands in where there is no row", func(m maker) {
			f, a := m.fn("i32")
			f.op(aRet, "", f.op(aMul, "i32", a[0]))
		}, "{| b.fn(){0:i64| 1:i64=b.add(0:i64) b.end(1:i64) } }"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root, m := newModule()
			tt.make(m)
			if err := convertAll(root, 0); err != nil {
				t.Fatal(err)
			}
			if got := text(root); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		make func(f maker, x ir.Value)
		want string
	}{
		{"an operation without a rule", func(f maker, x ir.Value) { f.op(aBad, "") }, "f:1:1: error: 'a.bad' op is not lowered to b yet"},
		{"an operand of an operation that stands for nothing", func(f maker, x ir.Value) {
			// What comes later in the text has not been converted; only broken IR has it.
			late := f.op(aAdd, "i32", x)
			f.op(aAdd, "i32", late)
			late.DefiningOp().MoveToEnd(f.Block())
		}, "f:2:1: error: 'a.add' op has an operand #0 that stands for nothing: what defines it was not converted"},
		{"a result that a rule forgets", func(f maker, x ir.Value) { f.op(aLazy, "i32") }, "f:1:1: error: 'a.lazy' op was converted, but its result #0 stands for nothing"},
		{"a result of another type", func(f maker, x ir.Value) { f.op(aWrong, "i32", x) },
			"f:1:1: error: 'a.wrong' op was converted to type 'i32' where type 'i32' becomes 'i64'"},
		{"a type without counterpart", func(f maker, x ir.Value) { f.op(aAdd, "thing", x) }, "f:1:1: error: 'a.add' op type '!a.thing' has no counterpart"},
		{"a value that was not converted", func(f maker, x ir.Value) { f.op(aFar, ""); f.op(aAdd, "i32", x) },
			"f:1:1: error: 'a.far' op needs a value that stands for nothing: what defines it was not converted"},
		{"one value where there are two", func(f maker, x ir.Value) { p := f.op(aPair, "pair", x, x); f.op(aPair, "pair", p, p) },
			"f:2:1: error: 'a.pair' op needs one value where type '!a.pair' became 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root, m := newModule()
			f, a := m.fn("i32")
			tt.make(f, a[0])
			before := text(root)
			err := convertAll(root, 0)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if after := text(root); after != before {
				t.Errorf("the input was changed:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

func TestSuccessors(t *testing.T) {
	t.Parallel()
	root, m := newModule()
	f, _ := m.fn()
	next := f.Block().Region().AddBlock()
	st := f.NewState(aBr, nil)
	st.Succs = []ir.Block{next}
	f.Insert(st)
	maker{ir.BuilderAtEnd(next)}.op(aRet, "")
	if err := convertAll(root, 0); err == nil || !strings.Contains(err.Error(), "'a.br' op has successors") {
		t.Errorf("got %v", err)
	}
}

// TestParallel: output and errors do not depend on how many bodies are converted at a time, and errors leave the
// module unchanged.
func TestParallel(t *testing.T) {
	t.Parallel()
	const n = 50
	run := func(workers int, bad func(i int) bool) (string, error) {
		root, m := newModule()
		for i := range n {
			f, a := m.fn("i32")
			v := a[0]
			for range i {
				v = f.op(aAdd, "i32", v)
			}
			if bad(i) {
				f.op(aBad, "")
			}
			f.op(aRet, "", v)
		}
		err := convertAll(root, workers)
		out := text(root)
		for op := range root.Body().Ops() {
			adds, _ := op.IntAttr("adds")
			out += fmt.Sprint(" ", adds)
		}
		return out, err
	}
	good, err := run(1, func(int) bool { return false })
	if err != nil || strings.Contains(good, "a.fn") || !strings.HasSuffix(good, " 48 49") {
		t.Fatalf("%v %s", err, good)
	}
	broken, first := run(1, func(i int) bool { return i%7 == 3 })
	if first == nil || strings.Count(first.Error(), "\n") != 6 || strings.Contains(broken, "b.") {
		t.Fatalf("%v %s", first, broken)
	}
	for _, workers := range []int{2, 7, 0} {
		if got, err := run(workers, func(int) bool { return false }); err != nil || got != good {
			t.Errorf("%d workers: %v, or another output", workers, err)
		}
		if got, err := run(workers, func(i int) bool { return i%7 == 3 }); err == nil || err.Error() != first.Error() || got != broken {
			t.Errorf("%d workers: %v\nwith one: %v", workers, err, first)
		}
	}
}

// TestBodiesMeet: bodies are converted at the same time, as two that wait for each other show, and what comes after
// them runs in the order of the module.
func TestBodiesMeet(t *testing.T) {
	t.Parallel()
	root, m := newModule()
	m.fn()
	m.fn()
	meet := make(chan int)
	var order []int
	err := Replace(context.Background(), 2, root.Body().Ops(), func(op ir.Op, u *Unit) (bool, error) {
		first := op == root.Body().First()
		u.Body(func() error {
			if first {
				meet <- 1
				return nil
			}
			<-meet
			return nil
		})
		u.After(func() error {
			order = append(order, op.ID())
			return nil
		})
		return true, nil
	})
	if err != nil || len(order) != 2 || order[0] > order[1] || !root.Body().Empty() {
		t.Errorf("%v %v", err, order)
	}
}

// TestPanic: a panic in a rule reaches the guard of the run, and the input is unchanged.
func TestPanic(t *testing.T) {
	t.Parallel()
	root, m := newModule()
	f, _ := m.fn()
	f.op(aPanic, "")
	before := text(root)
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "of a rule") {
			t.Errorf("got %v", p)
		}
		if after := text(root); after != before {
			t.Errorf("the input was changed: %s", after)
		}
	}()
	_ = convertAll(root, 0)
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	root, m := newModule()
	m.fn()
	ctx, cancel := context.WithCancelCause(context.Background())
	signal := errors.New("stopped by a signal") // what a user is told, and not that a context ended
	cancel(signal)
	err := Replace(ctx, 0, root.Body().Ops(), func(_ ir.Op, u *Unit) (bool, error) {
		u.Body(func() error { t.Error("ran"); return nil })
		return true, nil
	})
	if !errors.Is(err, signal) {
		t.Errorf("got %v", err)
	}
}

func TestTwoRules(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a second rule was taken")
		}
	}()
	NewRules[*converter]("b").Add(map[*ir.OpDef]Rule[*converter]{aAdd: nil, aMul: recreate(bAdd)}).Add(map[*ir.OpDef]Rule[*converter]{aMul: recreate(bAdd)})
}
