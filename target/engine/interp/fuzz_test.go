package interp

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// argsFor returns arguments of the types of an entry's parameters: small buffers, and the same number.
func argsFor(entry ir.Op, n uint64) []launch.Arg {
	var args []launch.Arg
	for _, p := range entry.Body().Args() {
		elem := values.ElemOf(p)
		to, isPtr := values.Pointee(elem)
		if isPtr {
			elem = to
		}
		d, err := launch.ParseDType(ir.TypeString(elem))
		switch {
		case err != nil:
			return nil
		case isPtr:
			args = append(args, launch.Arg{Buffer: &launch.Buffer{DType: d, Data: make([]byte, 256*d.Size())}})
		default:
			args = append(args, launch.Arg{Scalar: launch.Scalar{DType: d, Bits: n & (1<<(8*d.Size()) - 1)}})
		}
	}
	return args
}

// FuzzRun executes mutants of the corpus's modules, with arguments that they do not expect: whatever a verified
// module does ends in a result or an error.
func FuzzRun(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join(corpus.Dir(f), "cases", "*", "k.tileirbc"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("found %d modules: %v", len(paths), err)
	}
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint64(i), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint64, races bool) {
		module, err := bytecode.Read(ir.NewContext(ops.Dialect), data)
		if err != nil || ir.Verify(module) != nil {
			return
		}
		e := New(module)
		e.scribble, e.Races, e.MaxSteps = true, races, 300
		module.Walk(func(op ir.Op) ir.WalkResult {
			if !op.Is(cudatile.Entry) {
				return ir.Advance
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err := e.Run(ctx, &launch.Request{Entry: op.SymbolName(), Grid: [3]uint32{2, 2, 1}, Args: argsFor(op, n)})
			if err != nil && err.Error() == "" {
				t.Error("an error without a text")
			}
			return ir.SkipBelow
		})
	})
}
