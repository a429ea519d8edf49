package asm

import (
	"testing"

	"github.com/tilewright/tilewright/ir"
)

// FuzzParse checks that no text makes the parser or printer panic or hang, and that what was printed once is printed again after parsing it.
func FuzzParse(f *testing.F) {
	for _, tt := range roundTrips {
		f.Add(tt.src)
	}
	for _, tt := range parseErrors {
		if len(tt.src) < 1000 {
			f.Add(tt.src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		ctx, _ := newCtx(t)
		op, err := Parse(ctx, "f", []byte(src), ParseOptions{ImplicitModule: testModule})
		if err != nil {
			if ctx.Diag.Errors() == 0 {
				t.Fatalf("error without diagnostic: %v", err)
			}
			return
		}
		valid := ir.Verify(op) == nil
		for _, opts := range []PrintOptions{{Generic: true, DebugInfo: true}, {}} {
			first := print(t, op, opts)
			if !opts.Generic && !valid {
				continue // the custom syntax cannot say everything that is wrong
			}
			again, err := Parse(ctx, "f", []byte(first), ParseOptions{ImplicitModule: testModule})
			if err != nil {
				t.Fatalf("%v\n%s", err, first)
			}
			second := print(t, again, opts)
			if first != second {
				t.Fatalf("first:\n%s\nsecond:\n%s", first, second)
			}
		}
	})
}
