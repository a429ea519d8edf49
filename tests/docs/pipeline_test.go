package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
)

// The marks around the table of passes in PIPELINE.md.
const (
	tableBegin = "<!-- the default pipeline: written by TILEWRIGHT_UPDATE=1 go test ./tests/docs -run TestPipelineDocument -->\n"
	tableEnd   = "<!-- end of the default pipeline -->\n"
)

// TestPipelineDocument: the table of passes in PIPELINE.md is that of the real plan.
func TestPipelineDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join(corpus.Root(), "PIPELINE.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	table, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("PIPELINE.md has no table between %q and %q", tableBegin, tableEnd)
	}
	want := pipelineTable(t)
	if table == want {
		return
	}
	if os.Getenv("TILEWRIGHT_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(before+tableBegin+want+tableEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table of passes in PIPELINE.md is not that of the plan (TILEWRIGHT_UPDATE=1 rewrites it): %s", kerneltest.FirstDifference(want, table))
}

// pipelineTable writes the default pipeline with all optimisations as a table.
func pipelineTable(t *testing.T) string {
	t.Helper()
	plan, err := pipeline.NewPlan(passes.Default, pipeline.Goal{From: property.CudaTile, To: property.PTX,
		Target: &passes.Target{GPU: passes.DefaultGPU, OptLevel: 3}})
	if err != nil {
		t.Fatal(err)
	}
	var sb strings.Builder
	sb.WriteString("| step | at | from | needs | makes | what it does |\n|---|---|---|---|---|---|\n")
	for _, v := range plan.Steps {
		fmt.Fprintf(&sb, "| `%s` | `%s` | -O%d | %s | %s | %s |\n", v.ID, v.Level.Level(), v.MinOpt, propertyCell(v.Pass.Requires), propertyCell(v.Pass.Establishes), v.Pass.Summary)
	}
	return sb.String()
}

// propertyCell lists properties; that a pass needs the level which it works at goes without saying.
func propertyCell(props []*passes.Property) string {
	var names []string
	for _, p := range props {
		if p.IsLevel() {
			continue
		}
		names = append(names, p.Name)
	}
	for _, p := range props {
		if p.IsLevel() && len(names) == 0 {
			names = append(names, "`"+p.Level()+"`")
		}
	}
	if names == nil {
		return "-"
	}
	return strings.Join(names, ", ")
}
