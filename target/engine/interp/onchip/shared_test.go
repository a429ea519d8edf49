package onchip

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// TestClearSplits: what is cleared from the middle of the only extent leaves two.
func TestClearSplits(t *testing.T) {
	t.Parallel()
	s := &SharedMemory{Extents: []*Extent{{Lo: 0, Hi: 384, Bytes: make([]byte, 384), Undef: make([]bool, 384)}}}
	s.Clear(&values.Pool{}, 128, 256)
	if len(s.Extents) != 2 || s.Extents[0].Hi != 128 || s.Extents[1].Lo != 256 || len(s.Extents[1].Bytes) != 128 {
		t.Errorf("%+v", s.Extents)
	}
	s.Clear(&values.Pool{}, 0, 384)
	if len(s.Extents) != 0 {
		t.Errorf("%+v", s.Extents)
	}
}
