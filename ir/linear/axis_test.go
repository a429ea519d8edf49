package linear

import (
	"fmt"
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for got, want := range map[fmt.Stringer]string{
		Register: "register", Offset: "offset", Axis(200): "axis(200)",
		LaneMove: "lanes", Class(9): "class(9)", MatrixTrans: "matrix.trans", Mode(7): "mode(7)",
		widths{Lane: 5, Warp: 1}: "32 lanes x 2 warps", widths{}: "a single element",
		MMA{64, 8, 16, 16, 4}: "m64n8k16 with 16-bit elements over 4 warps",
	} {
		if got.String() != want {
			t.Errorf("printed %q, want %q", got, want)
		}
	}
}

func TestAccessors(t *testing.T) {
	t.Parallel()
	l := must(New([]int{4, 8}, Bases{Register: {{0, 1}}, Lane: {{1, 2}, {2, 0}}, Warp: {{0, 4}}}))
	if l.Dims() != 2 || !slices.Equal(l.Base(Lane, 0), []int{1, 2}) || l.FlatBase(Lane, 1) != 16 {
		t.Errorf("dims %d, base %v, flat base %d", l.Dims(), l.Base(Lane, 0), l.FlatBase(Lane, 1))
	}
	m := l.Map()
	if m.Col(Warp, 0) != (Index{Element: 4}) || !m.Equal(l.Map()) || m.Equal(must(l.Reshape([]int{32})).Map()) != true {
		t.Errorf("map %+v", m)
	}
	if m.Equal(must(New([]int{4, 8}, Bases{})).Map()) {
		t.Error("maps between different spaces are equal")
	}
	swap := must(New([]int{4, 8}, Bases{Register: {{0, 1}}, Lane: {{2, 0}, {1, 2}}, Warp: {{0, 4}}}))
	flip := must(New([]int{4, 8}, Bases{Register: {{1, 2}}, Lane: {{0, 1}, {2, 0}}, Warp: {{0, 4}}}))
	if p := must(must(Convert(l, swap)).Shuffles()); p.XorLanes() {
		t.Errorf("lanes are swapped by %+v", p.Source)
	}
	// Exchanging a register bit with a lane bit takes one butterfly step.
	if p := must(must(Convert(l, flip)).Shuffles()); !p.XorLanes() || p.Shuffles() != 1 || len(p.Rounds) != 2 {
		t.Errorf("register and lane are swapped by %+v", p)
	}
}
