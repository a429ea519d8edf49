package tests

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/interp"
)

// mbarrierRing exchanges the named barriers of ringKernel for mbarriers: one for each slot that says that it is full, one that it is empty. The parity that a role waits for is that of its
// round over the ring; the producer's first round finds the phase before the first one over.
var mbarrierRing = []string{
	"%c6 = arith.constant 6 : i32", `%c6 = arith.constant 6 : i32
  %full = nv_tileas.alloc_shared : MBARS
  %empty = nv_tileas.alloc_shared : MBARS
  scf.for %s = %c0 to %c3 step %c1 : i32 {
    %f = nv_tileas.buffer_slot %full[%s] : MBARS, i32
    nv_tileas.mbarrier_init %f, 1 : MBAR
    %e = nv_tileas.buffer_slot %empty[%s] : MBARS, i32
    nv_tileas.mbarrier_init %e, 1 : MBAR
    scf.continue
  }
  nv_tileas.barrier`,
	"EMPTY", waitOn("empty", "p", "%p1 = arith.subi %c1, %p0 : i32", "%p1"), "FULL", arriveOn("full", "pf"),
	"FILLED", waitOn("full", "c", "", "%c0p"), "DRAINED", arriveOn("empty", "ce"),
}

func waitOn(ring, name, more, parity string) string {
	low := "%" + name + "0"
	if name == "c" {
		low = "%c0p"
	}
	return "%" + name + "r = arith.divsi %i, %c3 : i32\n" + low + " = arith.remsi %" + name + "r, %c2 : i32\n" + more + "\n%" + name + "s = nv_tileas.buffer_slot %" + ring +
		"[%k] : MBARS, i32\nnv_tileas.mbarrier_wait %" + name + "s, " + parity + " : MBAR, i32"
}

func arriveOn(ring, name string) string {
	return "%" + name + " = nv_tileas.buffer_slot %" + ring + "[%k] : MBARS, i32\nnv_tileas.mbarrier_arrive %" + name + ", 1 : MBAR"
}

// mbarrierEdits are those, with the types written out, behind edits of their own.
func mbarrierEdits(edits ...string) []string {
	var out []string
	for _, text := range append(edits, mbarrierRing...) {
		text = strings.ReplaceAll(text, "MBARS", `!nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier], #nv_tileas.shared<"{shape = [1], offset = []}">>`)
		out = append(out, strings.ReplaceAll(text, "MBAR", `!nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>`))
	}
	return out
}

// TestRolesOverMbarriers: producer and consumer meet at mbarriers in every order, and an arrival that is missing is found.
func TestRolesOverMbarriers(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	k := scheduled{out: 128, want: func(i int) uint64 { return uint64(6*(i/4) + 15) }}
	eachOrder(ringModule(t, &said, mbarrierEdits()...), func(what string, e *interp.Engine) { k.check(t, what, e) })
	for name, edits := range map[string][]string{
		"nobody says that a slot is full":  {"FULL", "", "FILLED", ""},
		"the producer does not say it":     {"FULL", ""},
		"the consumer does not say it":     {"DRAINED", ""},
		"the consumer does not wait":       {"FILLED", ""},
		"the producer does not wait":       {"EMPTY", ""},
		"the parity of the round to come":  {"FILLED", waitOn("full", "c", "%cx = arith.subi %c1, %c0p : i32", "%cx")},
		"the ring that says the other way": {"FULL", arriveOn("empty", "pf")},
	} {
		var said bytes.Buffer
		eachOrder(ringModule(t, &said, mbarrierEdits(edits...)...), func(what string, e *interp.Engine) {
			if err := e.Run(context.Background(), scheduled{out: 128}.request()); err == nil {
				t.Errorf("%s, %s: nobody noticed", name, what)
			}
		})
	}
}
