package synccheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestScenarios runs small kernels of our own that have the mistakes of public bug reports. In a file, "// expect:" has
// the kind and words of the finding, a line after "//+" is in the mended form only, and one that ends with "//-" is not.
func TestScenarios(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("scenarios/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			_, rest, ok := strings.Cut(text, "// expect: ")
			expect, _, _ := strings.Cut(rest, "\n")
			kind, missing, ok2 := strings.Cut(expect, ": ")
			if !ok || !ok2 || !strings.Contains(text, "// source: https://") || !strings.Contains(text, "//+") {
				t.Fatal("the file lacks its source, what is expected, or its mended form")
			}
			found := false
			findings := checkScenario(t, text)
			for i := range findings {
				found = found || string(findings[i].Kind) == kind && strings.Contains(findings[i].Missing, missing)
			}
			if !found {
				t.Errorf("want a finding of kind %q that says %q, got %v", kind, missing, findings)
			}
			var mended strings.Builder
			for _, line := range strings.Split(text, "\n") {
				if !strings.HasSuffix(line, "//-") {
					mended.WriteString(strings.TrimPrefix(line, "//+") + "\n")
				}
			}
			for _, f := range checkScenario(t, mended.String()) {
				t.Errorf("the mended form has the report: %v", &f)
			}
		})
	}
}

// checkScenario runs a scenario, which must end, and must say that its report holds for all schedules.
func checkScenario(t *testing.T, text string) []emu.Finding {
	t.Helper()
	m := module(t, text)
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 4096, 0)
	if err != nil {
		t.Fatal(err)
	}
	in, err := mem.Alloc("in", 4096, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := new(emu.SyncReport)
	if _, err := m.Run(t.Context(), mem, emu.Launch{Entry: "k", Params: [][]byte{emutest.LE64(out), emutest.LE64(in)}, Sync: r, MaxSteps: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	if !r.AllSchedules {
		t.Errorf("the report is of %s", r.Schedule())
	}
	return r.Findings
}
