package asm

import (
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
)

// FuzzParse checks that no text makes the parser or printer panic or hang, and that what was printed once is printed
// again after parsing it.
func FuzzParse(f *testing.F) {
	for _, tt := range asmtest.RoundTrips {
		f.Add(tt.Src)
	}
	for _, tt := range asmtest.ParseErrors {
		if len(tt.Src) < 1000 {
			f.Add(tt.Src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		ctx, _ := asmtest.NewContext(t)
		op, err := Parse(ctx, "f", []byte(src), ParseOptions{ImplicitModule: asmtest.Module})
		if err != nil {
			if ctx.Diag.Errors() == 0 {
				t.Fatalf("error without diagnostic: %v", err)
			}
			return
		}
		valid := ir.Verify(op) == nil
		for _, opts := range []PrintOptions{{Generic: true, DebugInfo: true}, {}} {
			first := printed(t, op, opts)
			if !opts.Generic && !valid {
				continue // the custom syntax cannot say everything that is wrong
			}
			again, err := Parse(ctx, "f", []byte(first), ParseOptions{ImplicitModule: asmtest.Module})
			if err != nil {
				t.Fatalf("%v\n%s", err, first)
			}
			second := printed(t, again, opts)
			if first != second {
				t.Fatalf("first:\n%s\nsecond:\n%s", first, second)
			}
		}
	})
}
