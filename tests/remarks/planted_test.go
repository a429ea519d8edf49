package remarks

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
)

// A planted kernel is a file of testdata/planted: a header, the kernel with a mistake, and behind "// -----" the same
// kernel with the cure. The header says
//
//	gpu:      the target
//	why:      the question that --why is asked
//	bug:      the kind of remark that must come, and must be gone with the cure
//	cause:    what its text must say
//	lost:     where the fact was lost
//	cure:     what it must say to change
//	worth:    what the trial of the cure must speak of
//	good:     what the code has with the cure, and has not with the mistake
//	without:  what the code has with the mistake, and has not with the cure
//	cured:    the kind of remark that comes with the cure alone
type planted struct {
	says       map[string]string
	bug, cured string
}

func read(t *testing.T, file string) planted {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bug, cured, ok := strings.Cut(string(text), "// -----\n")
	if !ok {
		t.Fatalf("%s has no second part", file)
	}
	p := planted{make(map[string]string), bug, cured}
	for line := range strings.Lines(bug) {
		if key, value, ok := strings.Cut(strings.TrimPrefix(line, "// "), ": "); ok && strings.HasPrefix(line, "// ") && !strings.Contains(key, " ") {
			p.says[key] = strings.TrimSpace(value)
		}
	}
	return p
}

// tilec runs the compiler on a text.
func tilec(t *testing.T, kernel string, args ...string) string {
	t.Helper()
	in := filepath.Join(t.TempDir(), "k.mlir")
	if err := os.WriteFile(in, []byte(kernel), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := compiletool.Main(context.Background(), "tilec", append(args, in), nil, &out, &errs); status != 0 {
		t.Fatalf("tilec %v: status %d: %s", args, status, errs.String())
	}
	return out.String()
}

func remarksOf(t *testing.T, kernel, gpu string) []Remark {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.yaml")
	tilec(t, kernel, "--gpu-name="+gpu, "--remarks=all", "--remark-format=yaml", "--remarks-output-file="+file, "-o", filepath.Join(t.TempDir(), "k.ptx"))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func has(rs []Remark, name string) (Remark, bool) {
	for _, r := range rs {
		if r.Name == "Remark"+name {
			return r, true
		}
	}
	return Remark{}, false
}

func TestPlantedMistakes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/planted/*.mlir")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d kernels, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mlir"), func(t *testing.T) {
			t.Parallel()
			p := read(t, file)
			gpu := p.says["gpu"]
			bug, cured := remarksOf(t, p.bug, gpu), remarksOf(t, p.cured, gpu)
			r, ok := has(bug, p.says["bug"])
			if !ok {
				t.Fatalf("no remark %s among %v", p.says["bug"], bug)
			}
			for _, key := range []string{"cause", "lost", "cure"} {
				field := map[string]string{"cause": "", "lost": "LostAt", "cure": "Cure"}[key]
				said := strings.Join(r.Field(field), "\n")
				if key == "cause" {
					said = strings.Join(append(r.Field("Remark"), append(r.Field("Reason"), r.Field("Detail")...)...), "\n")
				}
				if want := p.says[key]; !strings.Contains(said, want) {
					t.Errorf("%s: %q does not say %q", key, said, want)
				}
			}
			if again, ok := has(cured, p.says["bug"]); ok {
				t.Errorf("with the cure there is still %v", again)
			}
			if name := p.says["cured"]; name != "" {
				if _, ok := has(cured, name); !ok {
					t.Errorf("with the cure there is no %s", name)
				}
				if _, ok := has(bug, name); ok {
					t.Errorf("with the mistake there is a %s too", name)
				}
			}
			ptx := [2]string{tilec(t, p.bug, "--gpu-name="+gpu), tilec(t, p.cured, "--gpu-name="+gpu)}
			if what := p.says["good"]; what != "" && (!strings.Contains(ptx[1], what) || strings.Count(ptx[1], what) <= strings.Count(ptx[0], what)) {
				t.Errorf("the cure brings no more of %q: %d, then %d", what, strings.Count(ptx[0], what), strings.Count(ptx[1], what))
			}
			if what := p.says["without"]; what != "" && (strings.Contains(ptx[1], what) || !strings.Contains(ptx[0], what)) {
				t.Errorf("%q: %d, then %d, but the cure was to take it away", what, strings.Count(ptx[0], what), strings.Count(ptx[1], what))
			}
			answer := tilec(t, p.bug, "--gpu-name="+gpu, "--why="+p.says["why"])
			for _, key := range []string{"lost", "cure", "worth"} {
				if want := p.says[key]; want != "" && !strings.Contains(answer, want) {
					t.Errorf("--why=%s does not speak of %q:\n%s", p.says["why"], want, answer)
				}
			}
			if strings.Count(answer, p.says["cure"]) > 4 {
				t.Errorf("--why=%s repeats itself:\n%s", p.says["why"], answer)
			}
		})
	}
}
