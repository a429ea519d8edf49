package bound_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/check/bound"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// TestCases compares what the interpreter computes with what NumPy computed in double precision and rounded.
func TestCases(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	bounded := 0
	for i, name := range names {
		if !tier.Try(i, 8) {
			continue
		}
		c, err := launch.LoadCase(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.ReadModule()
		if err != nil {
			t.Fatal(err)
		}
		bounds, err := bound.Of(read(t, string(data)), c.Request())
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		bounded++
		req := c.Request()
		e := interp.New(read(t, string(data)))
		e.AsCompiled()
		if err := e.Run(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		for _, x := range c.Expect {
			b, ok := bounds[x.Arg]
			f, float := x.Want.DType.Format()
			if !ok || !float {
				continue
			}
			b.Relative += 2 * math.Ldexp(1, -f.Precision()) // the expectation was rounded too
			b.Absolute += math.Ldexp(1, 1-f.Spec().Bias-f.Spec().Man)
			d, err := launch.Compare(req.Args[x.Arg].Buffer, x.Want, b)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: argument %d: %+v", name, x.Arg, b)
			if !d.OK() {
				t.Errorf("%s: argument %d: %d of %d elements differ by more than %+v, first element %d: %s", name, x.Arg, d.Mismatches, d.Elements, b, d.First, d.FirstPair)
			}
		}
	}
	t.Logf("%d cases have bounds", bounded)
	if bounded == 0 {
		t.Error("no case has a bound")
	}
}
