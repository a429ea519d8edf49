package syncreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// required are the properties that the schema of SARIF 2.1.0 demands of an object, by its place.
var required = map[string][]string{
	"":                       {"version", "runs"},
	"runs":                   {"tool"},
	"runs.tool":              {"driver"},
	"runs.tool.driver":       {"name"},
	"runs.invocations":       {"executionSuccessful"},
	"runs.results":           {"message"},
	"runs.results.message":   {"text"},
	"runs.tool.driver.rules": {"id"},
}

// validate checks an object and those in it. It also checks what the schema says of URIs, lines and levels.
func validate(t *testing.T, at string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			validate(t, at, e)
		}
	case map[string]any:
		for _, name := range required[at] {
			if v[name] == nil {
				t.Errorf("an object at '%s' lacks '%s'", at, name)
			}
		}
		for name, e := range v {
			switch name {
			case "uri":
				if _, err := url.Parse(e.(string)); err != nil {
					t.Errorf("%s: %v", at, err)
				}
			case "startLine", "startColumn":
				if e.(float64) < 1 {
					t.Errorf("%s.%s is %v", at, name, e)
				}
			case "level":
				if !slices.Contains([]string{"none", "note", "warning", "error"}, e.(string)) {
					t.Errorf("%s.level is %v", at, e)
				}
			case "properties":
				continue
			}
			below := name
			if at != "" {
				below = at + "." + name
			}
			validate(t, below, e)
		}
	}
}

// TestSARIF checks logs of findings, of a deadlock and of nothing against what the schema demands.
func TestSARIF(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body    string
		results int
		ended   bool
	}{
		{"st.shared.u32 [%r3], %r31; bar.sync 0; ld.shared.u32 %r0, [%r4];", 0, true},
		{"st.shared.u32 [%r3], %r31; ld.shared.u32 %r0, [%r4];", 2, true},
		{"setp.lt.u32 %p1, %r31, 32; @%p1 bar.sync 1, 64;", 1, false},
	} {
		body := ".shared .align 4 .b8 s[256]; mov.u32 %r1, s; shl.b32 %r2, %r31, 2; add.u32 %r3, %r1, %r2; xor.b32 %r4, %r2, 128; add.u32 %r4, %r4, %r1; " + tt.body
		found, err := emutest.Checked(t, emutest.Kernel(body), emu.Launch{Grid: [3]uint32{1}, Block: [3]uint32{64}}, 64, emutest.Numbered(64))
		r := New("dir/k 1.ptx", "k", found, err)
		if r == nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := r.Write(&text, "sarif"); err != nil {
			t.Fatal(err)
		}
		var log map[string]any
		if err := json.Unmarshal(text.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		validate(t, "", log)
		if log["version"] != "2.1.0" {
			t.Errorf("the version is %v", log["version"])
		}
		run := r.sarif().Runs[0]
		if len(run.Results) < tt.results || len(run.Results) > 0 != (tt.results > 0) || run.Invocations[0].ExecutionSuccessful != tt.ended {
			t.Errorf("%s: %d results, ended %v\n%s", tt.body, len(run.Results), run.Invocations[0].ExecutionSuccessful, &text)
		}
		for _, result := range run.Results {
			if result.RuleIndex < 0 || run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID {
				t.Errorf("rule %d is not '%s'", result.RuleIndex, result.RuleID)
			}
			if uri := result.Locations[0].PhysicalLocation.Artifact.URI; uri != "dir/k%201.ptx" {
				t.Errorf("the URI is %s", uri)
			}
		}
	}
}

// TestRules holds the rules to the kinds that the emulator has.
func TestRules(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(corpus.Root(), "target", "engine", "emu", "hb", "report.go"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`(?m)^\t\w+ +Kind = ("[a-z-]+")`).FindAllSubmatch(text, -1)
	if len(kinds) != len(rules)-1 {
		t.Errorf("there are %d kinds and %d rules, of which one is for launches that stop", len(kinds), len(rules))
	}
	for _, k := range kinds {
		if !slices.ContainsFunc(rules, func(r sarifRule) bool { return fmt.Sprintf("%q", r.ID) == string(k[1]) }) {
			t.Errorf("no rule for kind %s", k[1])
		}
	}
}
