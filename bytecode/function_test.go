package bytecode_test

import (
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// A function that is read alone comes with the globals, and without the others.
func TestReadFunction(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(ops.Dialect)
	module := cudatile.NewModule(c, nil, "kernels")
	for i := range 3 {
		entry := cudatile.NewEntry(ir.BuilderAtEnd(module.Body()), fmt.Sprintf("k%d", i), nil, nil)
		ir.BuilderAtEnd(entry.Body()).Create(cudatile.Return, nil, nil)
	}
	f, err := bytecode.Open(ir.NewContext(ops.Dialect), encode(t, module, cudatile.V13_5))
	if err != nil {
		t.Fatal(err)
	}
	for i, function := range f.Functions {
		alone, err := f.ReadFunction(i)
		if err != nil {
			t.Fatal(err)
		}
		if err := ir.Verify(alone); err != nil {
			t.Error(err)
		}
		var names []string
		for op := range alone.Body().Ops() {
			names = append(names, op.SymbolName())
		}
		if want := fmt.Sprintf("k%d", i); function.Name != want || len(names) != 1 || names[0] != want {
			t.Errorf("function %d, '%s': got %q", i, function.Name, names)
		}
	}
}
