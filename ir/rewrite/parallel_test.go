package rewrite

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

// manyFns returns a function with functions of all kinds in it.
func manyFns() ir.Op {
	root, m, _ := newFn()
	for i := range 200 {
		_, in, x := addFn(m.Builder)
		for k := range i % 17 * 10 {
			switch k % 4 {
			case 0:
				in.print(in.op(add, in.c(int64(k)), in.op(add, in.c(int64(i)), in.c(2))))
			case 1:
				in.print(in.op(mul, x, in.c(2)))
			case 2:
				in.op(mul, x, in.op(mul, x, x))
			default:
				s := in.region(scope)
				s.print(s.op(add, s.c(1), s.c(int64(k))))
			}
		}
	}
	return root
}

// What comes out, and what is counted, does not depend on the number of workers.
func TestParallelIsDeterministic(t *testing.T) {
	t.Parallel()
	serial := manyFns()
	want := Apply(serial, Canonical(serial.Context()), Config{Workers: 1})
	if want.Folded == 0 || want.Erased == 0 || want.Applied["inline-scope"] == 0 {
		t.Fatalf("nothing much was rewritten: %+v", want)
	}
	for _, workers := range []int{0, 2, 16} {
		op := manyFns()
		if got := Apply(op, Canonical(op.Context()), Config{Workers: workers}); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %+v, want %+v", workers, got, want)
		}
		if text(op) != text(serial) {
			t.Errorf("%d workers: the result differs", workers)
		}
	}
}

// A panic on a worker reaches the caller.
func TestParallelPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if v, ok := recover().(string); !ok || !strings.Contains(v, "oops") {
			t.Errorf("recovered %v", v)
		}
	}()
	Apply(manyFns(), NewSet(Pattern{Name: "bad", Root: print, Rewrite: func(ir.Op, *Rewriter) bool { panic("oops") }}), Config{Workers: 4})
	t.Error("no panic")
}
