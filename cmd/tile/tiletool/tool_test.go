package tiletool

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]int{"": 2, "nurse": 2, "doctor x": 2, "check": 2, "--frobnicate": 2, "doctor --frobnicate": 2, "--help": 0, "check --help": 0, "--help check": 0, "doctor --help": 0,
		"--version": 0, "--man": 0, "--completion=fish": 0, "--completion=csh": 2} {
		var out, errs bytes.Buffer
		status := Main(context.Background(), strings.Fields(args), strings.NewReader(""), &out, &errs)
		if status != want || (errs.Len() == 0) != (want == 0) {
			t.Errorf("%s: status %d, want %d: %s", args, status, want, &errs)
		}
	}
}
