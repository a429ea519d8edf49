package ir

import (
	"slices"
	"testing"
)

// TestWalks: the loops over nested operations agree with Walk, and Siblings and Earlier with where operations stand.
func TestWalks(t *testing.T) {
	t.Parallel()
	c := NewContext(testDialect)
	fn, b := buildFunc(t, c)
	i32 := c.Int(32)
	wrap := func() (Op, *Builder) {
		st := b.NewState(testWrap, nil)
		st.AddRegion()
		op := b.Insert(st)
		return op, BuilderAtEnd(op.Region(0).AddBlock())
	}
	number := func(b *Builder) Op {
		return b.Create(testConst, nil, []Type{i32}, NamedAttr{"value", c.IntAttr(i32, 7)})
	}
	first, in := wrap()
	inner := number(in)
	second, in := wrap()
	other := number(in)
	last := number(b)
	var walked []Op
	fn.Walk(func(op Op) WalkResult { walked = append(walked, op); return Advance })
	if got := slices.Collect(fn.All()); !slices.Equal(got, walked) || len(got) != 6 {
		t.Errorf("All yields %d operations, Walk %d", len(got), len(walked))
	}
	if got := fn.Collect(testConst.Is); !slices.Equal(got, []Op{inner, other, last}) {
		t.Errorf("Collect finds %d constants, want 3", len(got))
	}
	if !fn.Contains(testWrap.Is) || first.Contains(testAdd.Is) || !inner.Contains(testConst.Is) {
		t.Error("Contains is wrong")
	}
	if x, y := Siblings(inner, other); x != first || y != second {
		t.Error("the siblings of two operations in wraps are not the wraps")
	}
	if x, y := Siblings(inner, last); x != first || y != last {
		t.Error("the siblings of an operation in a wrap and one after it are wrong")
	}
	if Earliest(second, first) != first || Earliest(first, second) != first || Earliest(Op{}, last) != last || Earliest(last, Op{}) != last {
		t.Error("Earliest is wrong")
	}
	if Latest(second, Op{}, first) != second || !Latest().IsNil() {
		t.Error("Latest is wrong")
	}
	if isLast := func(op Op) bool { return op == last }; first.FindNext(isLast) != last || last.FindNext(isLast) != (Op{}) || first.FindPrev(isLast) != (Op{}) {
		t.Error("FindNext or FindPrev is wrong")
	}
	sum := b.Create(testAdd, []Value{last.Result(0), last.Result(0)}, []Type{i32})
	if v := last.Result(0); !v.UsedBy(testAdd.Is) || v.UsedBy(testConst.Is) {
		t.Error("UsedBy is wrong")
	}
	if got := slices.Collect(fn.Blocks()); !slices.Equal(got, []Block{fn.Body()}) {
		t.Errorf("Blocks yields %d blocks, want 1", len(got))
	}
	if FirstUser(last.Result(0)) != sum || !FirstUser(sum.Result(0)).IsNil() {
		t.Error("FirstUser is wrong")
	}
	same := b.CloneWith(sum, func(Value) Value { return other.Result(0) })
	if same.Operand(0) != other.Result(0) || sum.Operand(0) != last.Result(0) {
		t.Error("CloneWith does not replace the operands of the clone alone")
	}
	EraseUnused(same.Result(0), inner.Result(0))
	if !same.Erased() || !other.Erased() || !inner.Erased() || last.Erased() {
		t.Error("EraseUnused is wrong")
	}
	made := Extend(sum, nil, []Type{i32})
	if made.NumResults() != 2 || made.Next() != sum || !slices.Equal(made.Operands(), sum.Operands()) {
		t.Error("Extend is wrong")
	}
}
