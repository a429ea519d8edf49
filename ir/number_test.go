package ir

import "testing"

// TestTables: a table has a place for each operation and value, for those that are newer than it, and for those of
// other arenas.
func TestTables(t *testing.T) {
	t.Parallel()
	c := NewContext(groupDialect, verifyDialect)
	module, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	old := b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
	ops, values := NewOpTable[int](fn), NewValueTable[int](fn)
	late := b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)})
	for i, op := range []Op{module, fn, old, late} {
		*ops.At(op) = i + 1
	}
	for i, v := range []Value{x, old.Result(0), late.Result(0)} {
		*values.At(v) = i + 1
	}
	for i, op := range []Op{module, fn, old, late} {
		if got := *ops.At(op); got != i+1 {
			t.Errorf("operation #%d has %d", i, got)
		}
	}
	for i, v := range []Value{x, old.Result(0), late.Result(0)} {
		if got := *values.At(v); got != i+1 {
			t.Errorf("value #%d has %d", i, got)
		}
	}
}

// TestValueClasses: a class is named by its first value, whatever was united first.
func TestValueClasses(t *testing.T) {
	t.Parallel()
	c := NewContext(groupDialect, verifyDialect)
	_, fn, b := newModule(c)
	x := fn.Body().Arg(0)
	var vs []Value
	for range 4 {
		vs = append(vs, b.Create(vAdd, []Value{x, x}, []Type{c.Int(32)}).Result(0))
	}
	classes := NewValueClasses(fn)
	classes.Union(vs[3], vs[2])
	classes.Union(vs[2], vs[0])
	for i, want := range []Value{vs[0], vs[1], vs[0], vs[0]} {
		if got := classes.Find(vs[i]); got != want.ID() {
			t.Errorf("value #%d is in class %d, want %d", i, got, want.ID())
		}
	}
}
