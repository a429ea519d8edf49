package contract

import (
	"reflect"
	"testing"
)

// TestKernelSpecRows: each field of the record has one row, which is about that field and no other. A field without
// one would be lost in text.
func TestKernelSpecRows(t *testing.T) {
	t.Parallel()
	if n := reflect.TypeFor[KernelSpec]().NumField(); n != len(specFields) {
		t.Errorf("the record has %d fields, and the table %d rows", n, len(specFields))
	}
	seen := make(map[KernelSpec]string)
	for _, f := range specFields {
		var s KernelSpec
		want := f.name
		if f.flag != nil {
			*f.flag(&s) = true
		} else {
			*f.number(&s) = 1
			want += " = 1"
		}
		if got := s.String(); got != want {
			t.Errorf("%s alone prints as '%s'", f.name, got)
		}
		if other := seen[s]; other != "" {
			t.Errorf("%s is in the same place as %s", f.name, other)
		}
		seen[s] = f.name
	}
}
