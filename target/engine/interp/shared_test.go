package interp

import "testing"

// TestClearSplits: what is cleared from the middle of the only extent leaves two.
func TestClearSplits(t *testing.T) {
	t.Parallel()
	s := &sharedMemory{extents: []*extent{{lo: 0, hi: 384, bytes: make([]byte, 384), undef: make([]bool, 384)}}}
	s.clear(&machine{}, 128, 256)
	if len(s.extents) != 2 || s.extents[0].hi != 128 || s.extents[1].lo != 256 || len(s.extents[1].bytes) != 128 {
		t.Errorf("%+v", s.extents)
	}
	s.clear(&machine{}, 0, 384)
	if len(s.extents) != 0 {
		t.Errorf("%+v", s.extents)
	}
}
