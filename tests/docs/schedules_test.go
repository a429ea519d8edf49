package docs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
)

// A written part of a page stands between a line that names it and a line that ends it.
func writtenMarks(part string) (begin, end string) {
	return "<!-- " + part + ": written by TILEWRIGHT_UPDATE=1 go test ./tests/docs -run TestSchedulesDocument -->\n", "<!-- end of " + part + " -->\n"
}

// TestSchedulesDocument: the levels of optimisation and the schedules that the pages show are those of the compiler.
func TestSchedulesDocument(t *testing.T) {
	t.Parallel()
	const schedules, attention = "docs/lowering/schedules.md", "docs/lowering/attention.md"
	parts := []struct{ page, name, want string }{{"PIPELINE.md", "levels of optimisation", levelTable(t)}}
	for _, kernel := range []string{"product", "attention", "attention-two-slots", "reduction"} {
		parts = append(parts, struct{ page, name, want string }{schedules, "schedule of " + kernel, scheduleTable(t, kernel, "--gpu-name=sm_80")})
	}
	for _, way := range []struct{ name, flags string }{
		{"on sm_90", "--gpu-name=sm_90"}, {"on sm_90 without roles", "--gpu-name=sm_90 --warp-roles=none"}, {"on sm_100 without roles", "--gpu-name=sm_100 --warp-roles=none"},
	} {
		parts = append(parts, struct{ page, name, want string }{attention, "schedule of attention-128 " + way.name, scheduleTable(t, "attention-128", strings.Fields(way.flags)...)})
	}
	for _, p := range parts {
		path := filepath.Join(corpus.Root(), filepath.FromSlash(p.page))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		begin, end := writtenMarks(p.name)
		before, rest, ok := strings.Cut(string(text), begin)
		got, after, ok2 := strings.Cut(rest, end)
		switch {
		case !ok || !ok2:
			t.Fatalf("%s has nothing between %q and %q", p.page, begin, end)
		case got == p.want:
		case os.Getenv("TILEWRIGHT_UPDATE") == "1":
			if err := os.WriteFile(path, []byte(before+begin+p.want+end+after), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s in %s is not what the compiler does (TILEWRIGHT_UPDATE=1 rewrites it): %s", p.name, p.page, kerneltest.FirstDifference(p.want, got))
		}
	}
}

// levelTable says which steps of the way from cuda_tile to PTX each level of optimisation adds.
func levelTable(t *testing.T) string {
	t.Helper()
	var sb strings.Builder
	sb.WriteString("| level | steps | adds |\n|---|---|---|\n")
	seen := make(map[string]bool)
	for level := range 4 {
		plan, err := pipeline.NewPlan(passes.Default, pipeline.Goal{From: property.CudaTile, To: property.PTX, Target: &passes.Target{GPU: passes.DefaultGPU, OptLevel: level}})
		if err != nil {
			t.Fatal(err)
		}
		var added []string
		for _, v := range plan.Steps {
			if !seen[v.ID] {
				added = append(added, "`"+v.ID+"`")
			}
			seen[v.ID] = true
		}
		fmt.Fprintf(&sb, "| `-O%d` | %d | %s |\n", level, len(plan.Steps), strings.Join(added, ", "))
	}
	return sb.String()
}

// scheduleTable is the schedule of the first loop of a kernel, as tile-opt prints it.
func scheduleTable(t *testing.T, kernel string, way ...string) string {
	t.Helper()
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		if status := opttool.TileOpt().Main(args, strings.NewReader(""), &out, &errs); status != 0 {
			t.Fatalf("%v: status %d\n%s", args, status, &errs)
		}
		return out.String()
	}
	file := filepath.Join(t.TempDir(), "scheduled.mlir")
	run(append(way, "--lower-to=loops-scheduled", "-o", file, filepath.Join("testdata", kernel+".mlir"))...)
	table, _, _ := strings.Cut(run("--test-print-schedule=rows=16", file), "\n\nloop ") // a loop that has versions is there again
	return "```\n" + strings.TrimRight(table, "\n") + "\n```\n"
}
