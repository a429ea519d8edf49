package tileaa_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// TestKernelSpecErrorsHavePlaces: what is wrong in the attribute is reported at the field or the value, not at the
// kernel, which may have several.
func TestKernelSpecErrorsHavePlaces(t *testing.T) {
	t.Parallel()
	for text, at := range map[string]string{
		"warps = 4":                                     "warps",
		"num_warps = 4, num_stages = 0":                 "0",
		"num_warps = 4, num_ctas = 3":                   "3",
		"num_warps = 99999999999999":                    "99999999999999",
		"occupancy = 1, num_warps = 4, occupancy = 1":   "occupancy = 1",
		"persistent, num_warps = 2, persistent":         "persistent",
		"num_warps = 4.0":                               "4.0",
		"num_warps":                                     ">",
		"num_warps = 4, persistent = true":              "= true",
		"num_warps = 4 : i32":                           ": i32",
		"num_warps = 4,":                                ">",
		"num_warps = \"4\"":                             "\"4\"",
		"num_warps = 0xffffffffffffffff, num_ctas = 1 ": "0xf",
	} {
		whole := "#nv_tileaa.kernel_spec<" + text + ">"
		_, err := asm.ParseAttr(ir.NewContext(tileaa.Dialect), whole, nil)
		var d *ir.Diagnostic
		if !errors.As(err, &d) {
			t.Errorf("%s: got %v, want an error", whole, err)
			continue
		}
		if want := uint32(strings.LastIndex(whole, at)) + 1; ir.FileLocOf(d.Loc).Column != want {
			t.Errorf("%s: the error '%v' is in column %d, want %d", whole, err, ir.FileLocOf(d.Loc).Column, want)
		}
	}
}

// TestKernelSpecOfNothing: a record that says nothing is no attribute, so that there is one way to say it.
func TestKernelSpecOfNothing(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(tileaa.Dialect)
	if a := tileaa.KernelSpec(c, contract.KernelSpec{}); a != nil {
		t.Errorf("got %s", ir.AttrString(a))
	}
	spec := contract.KernelSpec{NumWarps: 4, NumStages: 2, Persistent: true}
	a := tileaa.KernelSpec(c, spec)
	if b, err := asm.ParseAttr(c, ir.AttrString(a), nil); err != nil || b != a {
		t.Errorf("%s reads as %v, %v", ir.AttrString(a), b, err)
	}
}
