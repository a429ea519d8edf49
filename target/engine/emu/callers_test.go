package emu_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestFaultCallers checks that a fault names the callers that the last .loc lines say: the same call may be inlined
// in two places.
func TestFaultCallers(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, `.file 1 "k.py"`+"\n"+emutest.Kernel(`.loc 1 10 1
mov.u32 %r1, 1;
.loc 1 5 1, function_name $L, inlined_at 1 10 1
mov.u32 %r2, 2;
.loc 1 2 1, function_name $L, inlined_at 1 5 1
mov.u32 %r3, 3;
.loc 1 20 1
mov.u32 %r1, 1;
.loc 1 5 1, function_name $L, inlined_at 1 20 1
mov.u32 %r2, 2;
.loc 1 2 1, function_name $L, inlined_at 1 5 1
trap;`))
	_, err := emutest.TryLaunch(m, 1, 4, nil)
	var f *emu.Fault
	if !errors.As(err, &f) {
		t.Fatalf("got error %v, want a fault", err)
	}
	var lines []int
	for _, p := range f.Source {
		lines = append(lines, p.Line)
	}
	if want := []int{2, 5, 20}; !slices.Equal(lines, want) {
		t.Errorf("the fault is at lines %v, want %v", lines, want)
	}
}
