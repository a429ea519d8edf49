package ir

import (
	"fmt"
	"math/rand"
	"testing"
	"unsafe"
)

// checkInvariants checks what doc.go states about everything in a region.
func checkInvariants(t *testing.T, r Region) {
	t.Helper()
	for b := range r.Blocks() {
		if b.Region() != r {
			t.Fatalf("block %d is on the list of a region that it is not in", b.ID())
		}
		for i, arg := range b.Args() {
			if arg.Block() != b || arg.Index() != i || !arg.IsBlockArg() {
				t.Fatalf("argument %d of block %d does not know its place", i, b.ID())
			}
			checkUses(t, arg)
		}
		var prev Op
		for op := range b.Ops() {
			if op.Block() != b || op.Prev().IsNil() != prev.IsNil() || !prev.IsNil() && op.Prev() != prev {
				t.Fatalf("operation %d is not linked well", op.ID())
			}
			if !prev.IsNil() && (!prev.IsBeforeInBlock(op) || op.IsBeforeInBlock(prev)) {
				t.Fatalf("operation %d is not ordered behind its predecessor", op.ID())
			}
			prev = op
			for i := range op.NumOperands() {
				if u := op.OperandUse(i); u.Owner() != op || u.Index() != i {
					t.Fatalf("operand %d of operation %d does not know its place", i, op.ID())
				}
				found := false
				for u := range op.Operand(i).Uses() {
					found = found || u == op.OperandUse(i)
				}
				if !found {
					t.Fatalf("operand %d of operation %d is not on the use list", i, op.ID())
				}
			}
			for i, v := range op.Results() {
				if v.DefiningOp() != op || v.Index() != i {
					t.Fatalf("result %d of operation %d does not know its place", i, op.ID())
				}
				checkUses(t, v)
			}
			for i := range op.NumSuccessors() {
				found := false
				for p, k := range op.Successor(i).Preds() {
					found = found || p == op && k == i
				}
				if !found {
					t.Fatalf("successor %d of operation %d does not know its predecessor", i, op.ID())
				}
			}
			for i := range op.NumRegions() {
				if op.Region(i).Op() != op || op.Region(i).Index() != i {
					t.Fatalf("region %d of operation %d does not know its place", i, op.ID())
				}
				checkInvariants(t, op.Region(i))
			}
		}
		if b.Last().IsNil() != prev.IsNil() || !prev.IsNil() && b.Last() != prev {
			t.Fatalf("block %d has the wrong last operation", b.ID())
		}
	}
}

func checkUses(t *testing.T, v Value) {
	t.Helper()
	for u := range v.Uses() {
		if u.Value() != v || u.Owner().Operand(u.Index()) != v {
			t.Fatalf("use list of value %d has an operand that uses another value", v.ID())
		}
	}
}

// Random edits keep the invariants.
func TestStressEdits(t *testing.T) {
	t.Parallel()
	for seed := range int64(20) {
		rng := rand.New(rand.NewSource(seed))
		c := NewContext(verifyDialect)
		c.AllowUnregistered = true
		_, fn, _ := newModule(c)
		r := fn.Region(0)
		any := c.UnregisteredOp("u.any")
		var values []Value
		values = append(values, fn.Body().Arg(0))
		var ops []Op
		pick := func() Value { return values[rng.Intn(len(values))] }
		block := func() Block {
			n := rng.Intn(4)
			b := r.First()
			for ; n > 0 && !b.Next().IsNil(); n-- {
				b = b.Next()
			}
			return b
		}
		for range 400 {
			switch k := rng.Intn(12); {
			case k < 4 || len(ops) == 0:
				b := BuilderAtEnd(block())
				if len(ops) > 0 && k > 0 {
					b = BuilderBefore(ops[rng.Intn(len(ops))])
				}
				st := b.NewState(any, nil)
				for range rng.Intn(4) {
					st.Operands = append(st.Operands, pick())
				}
				for range rng.Intn(3) {
					st.Types = append(st.Types, c.Int(32))
				}
				if rng.Intn(3) == 0 {
					st.Succs = append(st.Succs, block(), block())
				}
				op := b.Insert(st)
				ops = append(ops, op)
				values = append(values, op.Results()...)
			case k == 4:
				pick().ReplaceAllUsesWith(pick())
			case k == 5:
				op := ops[rng.Intn(len(ops))]
				vs := make([]Value, rng.Intn(6))
				for i := range vs {
					vs[i] = pick()
				}
				op.SetOperands(vs)
			case k == 6:
				i := rng.Intn(len(ops))
				op := ops[i]
				if op.HasUses() {
					break
				}
				for range op.NumResults() {
					for j, v := range values {
						if v.DefiningOp() == op {
							values = append(values[:j], values[j+1:]...)
							break
						}
					}
				}
				op.Erase()
				ops = append(ops[:i], ops[i+1:]...)
			case k == 7:
				ops[rng.Intn(len(ops))].MoveBefore(ops[rng.Intn(len(ops))])
			case k == 8:
				ops[rng.Intn(len(ops))].MoveAfter(ops[rng.Intn(len(ops))])
			case k == 9:
				op := ops[rng.Intn(len(ops))]
				op.Block().SplitBefore(op)
			case k == 10:
				// Merge a block into the one before it.
				b := block()
				next := b.Next()
				if next.IsNil() || next.NumArgs() > 0 || next.HasPreds() {
					break
				}
				for op := range next.Ops() {
					op.MoveToEnd(b)
				}
				next.Erase()
			case k == 11:
				op := ops[rng.Intn(len(ops))]
				for i := range op.NumSuccessors() {
					op.SetSuccessor(i, block())
				}
			}
			checkInvariants(t, r)
		}
		top := NewBuilder(c.NewArena())
		copied := top.Clone(fn, NewMapping())
		checkInvariants(t, copied.Region(0))
		if got, want := opNames(copied), opNames(fn); got != want {
			t.Fatalf("seed %d: clone differs:\n%s\n%s", seed, got, want)
		}
		fn.Erase()
	}
}

// opNames spells the graph structure of an operation with values numbered in order of appearance.
func opNames(root Op) string {
	nums := map[Value]int{}
	blocks := map[Block]int{}
	num := func(v Value) int {
		if _, ok := nums[v]; !ok {
			nums[v] = len(nums)
		}
		return nums[v]
	}
	for i := range root.NumRegions() {
		for b := range root.Region(i).Blocks() {
			blocks[b] = len(blocks)
		}
	}
	out := ""
	root.Walk(func(op Op) WalkResult {
		if op != root {
			out += fmt.Sprintf("^%d ", blocks[op.Block()])
		}
		out += op.Name() + "("
		for _, v := range op.Operands() {
			out += fmt.Sprintf("%d,", num(v))
		}
		out += ")["
		for i := range op.NumSuccessors() {
			out += fmt.Sprintf("^%d,", blocks[op.Successor(i)])
		}
		out += "]:"
		for _, v := range op.Results() {
			out += fmt.Sprintf("%d,", num(v))
		}
		out += "\n"
		return Advance
	})
	return out
}

// A nested operation that uses a value of a block that stands later is cloned with the copy of that value, within an
// arena and across.
func TestCloneForwardReferenceFromNestedRegion(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	_, fn, b := newModule(c)
	r := fn.Region(0)
	late := r.AddBlock()
	def := BuilderAtEnd(late).Create(vConst, nil, []Type{c.Int(32)}, NamedAttr{"value", c.IntAttr(c.Int(32), 1)})
	st := b.NewState(vIf, nil)
	st.Operands = []Value{fn.Body().Arg(0)}
	inner := BuilderAtEnd(st.AddRegion().AddBlock())
	user := inner.Create(vAdd, []Value{def.Result(0), def.Result(0)}, []Type{c.Int(32)})
	st.AddRegion()
	ifOp := b.Insert(st)

	m := NewMapping()
	other := NewBuilder(c.NewArena()).Clone(fn, m)
	copied := m.Values[user.Result(0)].DefiningOp()
	if copied.Operand(0) != m.Values[def.Result(0)] || copied.Operand(1).Arena() != other.InnerArena() {
		t.Error("the operands of the copy are not the copies of the operands")
	}
	checkInvariants(t, other.Region(0))

	// Within the arena: a value from outside of what is cloned stays.
	m = NewMapping()
	b.Clone(ifOp, m)
	if again := m.Values[user.Result(0)].DefiningOp(); again.Operand(0) != def.Result(0) {
		t.Error("a value from outside was replaced")
	}
	checkInvariants(t, r)
}

func TestRegionHandlesStayValid(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	_, fn, b := newModule(c)
	st := b.NewState(vIf, nil)
	st.Operands = []Value{fn.Body().Arg(0)}
	r, other := st.AddRegion(), st.AddRegion()
	if !r.Op().IsNil() {
		t.Error("a detached region has an operation")
	}
	op := b.Insert(st)
	blk := other.AddBlock()
	if op.Region(0) != r || op.Region(1) != other || blk.ParentOp() != op {
		t.Error("the regions that were added are not those of the operation")
	}
}

func TestManyRegionsAndSuccessors(t *testing.T) {
	t.Parallel()
	c := NewContext()
	c.AllowUnregistered = true
	b := NewBuilder(c.NewArena())
	st := b.NewState(c.UnregisteredOp("u.many"), nil)
	const n = 1<<16 + 3
	for range n {
		st.AddRegion()
	}
	if got := b.Insert(st).NumRegions(); got != n {
		t.Errorf("got %d regions, want %d", got, n)
	}
}

// Insertions at one place with order queries between them do not renumber the block each time.
func TestOrderNumbersLast(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	_, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	add := func(b *Builder) Op { return b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)}) }
	first := add(b)
	for range 5000 {
		add(b)
	}
	anchor := add(b)
	renumbered := 0
	for range 2000 {
		op := add(BuilderBefore(anchor))
		if !anchor.Block().rec().ordered {
			renumbered++
		}
		if !first.IsBeforeInBlock(op) || !op.IsBeforeInBlock(anchor) {
			t.Fatal("wrong order")
		}
	}
	if renumbered > 100 {
		t.Errorf("numbered the block anew %d times in 2000 insertions", renumbered)
	}
}

func TestKeysOfNamesWithAnyBytes(t *testing.T) {
	t.Parallel()
	c := NewContext()
	u := c.Unit()
	one := c.Dict(NamedAttr{"a", u}, NamedAttr{"b", u})
	id := appendID(nil, u.id)
	two := c.Dict(NamedAttr{"a\x00" + string(id) + "b", u})
	if one == two {
		t.Error("two dictionaries share a key")
	}
	if c.SymbolRef("r", "a\x00b") == c.SymbolRef("r", "a", "b") {
		t.Error("two symbol references share a key")
	}
}

// The sizes that docs/measurements/ir-storage.md reckons with.
func TestRecordSizes(t *testing.T) {
	t.Parallel()
	for _, r := range []struct {
		name      string
		got, want uintptr
	}{
		{"opRec", unsafe.Sizeof(opRec{}), 64}, // a cache line
		{"useRec", unsafe.Sizeof(useRec{}), 16},
		{"valueRec", unsafe.Sizeof(valueRec{}), 16},
		{"blockRec", unsafe.Sizeof(blockRec{}), 40},
		{"regionRec", unsafe.Sizeof(regionRec{}), 16},
		{"succRec", unsafe.Sizeof(succRec{}), 16},
		{"Op", unsafe.Sizeof(Op{}), 16},
	} {
		if r.got != r.want {
			t.Errorf("%s takes %d bytes, want %d", r.name, r.got, r.want)
		}
	}
}

// An arena of a few operations stays small, and a large one wastes little.
func TestArenaMemory(t *testing.T) {
	t.Parallel()
	bytes := func(ops int) int {
		c := NewContext(verifyDialect)
		_, fn, b := newModule(c)
		for range ops {
			b.Create(vAdd, []Value{fn.Body().Arg(0), fn.Body().Arg(0)}, []Type{c.Int(32)})
		}
		return fn.InnerArena().Bytes()
	}
	if got := bytes(10); got > 2500 {
		t.Errorf("10 operations take %d bytes", got)
	}
	if got := bytes(100_000); got > 115*100_000 {
		t.Errorf("100000 operations take %d bytes", got)
	}
}

func TestTableGrowth(t *testing.T) {
	t.Parallel()
	var tab table[uint32]
	want := uint32(1)
	for _, n := range []uint32{0, 1, 3, 0, 7, 100, 1, 3 * pageSize, 1, pageSize} {
		got := tab.alloc(n)
		if n > 0 && got != want {
			t.Fatalf("alloc(%d) = %d, want %d", n, got, want)
		}
		for i := range n {
			if *tab.at(got + i) != 0 {
				t.Fatalf("record %d is not zero", got+i)
			}
			*tab.at(got + i) = got + i
		}
		want += n
	}
	for i := uint32(1); i < want; i++ {
		if *tab.at(i) != i {
			t.Fatalf("record %d was lost", i)
		}
	}
}
