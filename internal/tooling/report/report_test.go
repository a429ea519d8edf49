package report

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// kernelText has a loop, values that are read twice and a line of Python for each operation.
const kernelText = `cuda_tile.module @kernels {
  entry @scale(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %c = constant <f32: 3.0> : tile<f32> loc("k.py":3:5)
    %t = make_token : token
    for %i in (%zero to %n, step %one) : tile<i32> {
      %q = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>> loc("k.py":5:9)
      %x, %u = load_ptr_tko weak %q token = %t : tile<ptr<f32>> -> tile<f32>, token loc("k.py":6:9)
      %y = mulf %x, %c rounding<nearest_even> : tile<f32> loc("k.py":7:9)
      %v = store_ptr_tko weak %q, %y token = %u : tile<ptr<f32>>, tile<f32> -> token loc("k.py":8:9)
      continue
    }
    return
  }
}
`

func makePage(t *testing.T, name string, data []byte, opts compile.Options) *Page {
	t.Helper()
	return makeFrom(t, Kernel(name, data, opts))
}

func makeFrom(t *testing.T, in *Input) *Page {
	t.Helper()
	page, err := Make(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if page.Error != "" {
		t.Fatal(page.Error)
	}
	return page
}

// lines returns the lines of a document that have one of these labels.
func (p *Page) lines(d *Document, labels ...int) (out []string) {
	for i, of := range d.Labels {
		if slices.ContainsFunc(of, func(l int) bool { return slices.Contains(labels, l) }) {
			out = append(out, strings.TrimSpace(p.Text[d.Lines[i]]))
		}
	}
	return out
}

// labelOf returns the label of the only operation of that name in the input.
func (p *Page) labelOf(t *testing.T, op string) int {
	t.Helper()
	i := slices.IndexFunc(p.Labels, func(l Label) bool { return l.Op == op })
	if i < 0 {
		t.Fatalf("no %s in %v", op, p.Labels)
	}
	return i
}

func TestProvenance(t *testing.T) {
	t.Parallel()
	page := makePage(t, "k.mlir", []byte(kernelText), compile.Options{GPU: "sm_90", OptLevel: 3})
	mul := page.labelOf(t, "cuda_tile.mulf")
	if got := page.Labels[mul].Place; got != "k.py:7:9" {
		t.Errorf("the MMA is at '%s'", got)
	}
	for _, tc := range []struct{ level, has, not string }{
		{"cuda_tile", "mulf", "load_ptr"}, {"tileaa", "mulf", "load"}, {"tileas", "mulf", "load"}, {"nvvm", "mulf", "load"}, {"ptx", "mul", "ld.global"},
	} {
		var last *Document
		for _, d := range page.Docs {
			if d.Level == tc.level {
				last = d
			}
		}
		if last == nil {
			t.Errorf("no document of level %s", tc.level)
			continue
		}
		text := strings.Join(page.lines(last, mul), "\n")
		if !strings.Contains(text, tc.has) || strings.Contains(text, tc.not) {
			t.Errorf("%s: the MMA became\n%s", tc.level, text)
		}
	}
	// An operation with regions is lit where it begins and where it ends, and what is in it is not.
	loop := page.lines(page.Docs[0], page.labelOf(t, "cuda_tile.for"))
	if len(loop) != 2 || !strings.HasPrefix(loop[0], "for ") || loop[1] != "}" {
		t.Errorf("the loop is %q", loop)
	}
}

// TestSameCode holds the report to showing what the compiler makes without one.
func TestSameCode(t *testing.T) {
	t.Parallel()
	loc := regexp.MustCompile(`(?m)^\s*\.(loc|file)\s.*\n`)
	for i, name := range []string{"matmul_f16.v13.1", "softmax_rows", "gather_rows", "gemm_bias_gelu", "matmul_split_k"} {
		for k, opts := range []compile.Options{{GPU: "sm_80", OptLevel: 3}, {GPU: "sm_90", OptLevel: 3}, {GPU: "sm_100", OptLevel: 0}} {
			if !tier.Try(i+k, 3) {
				continue
			}
			t.Run(name+" "+opts.GPU, func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "bytecode", name+".tileirbc"))
				if err != nil {
					t.Fatal(err)
				}
				module, err := tileir.Read(tileir.NewContext(), name, data)
				if err != nil {
					t.Fatal(err)
				}
				result, err := compile.To(context.Background(), module, opts)
				if err != nil {
					t.Fatal(err)
				}
				page := makePage(t, name, data, opts)
				i := slices.IndexFunc(page.Docs, func(d *Document) bool { return d.Kind == kindPTX })
				var got strings.Builder
				for _, line := range page.Docs[i].Lines {
					got.WriteString(page.Text[line] + "\n")
				}
				if want := loc.ReplaceAllString(string(result.PTX), ""); strings.TrimSpace(got.String()) != strings.TrimSpace(want) {
					t.Errorf("the report shows other code than is made without it")
				}
			})
		}
	}
}

// TestFailure makes a page of what does not compile.
func TestFailure(t *testing.T) {
	t.Parallel()
	text := strings.Replace(kernelText, "%t = make_token : token", "%t = make_token : token\n %big = constant <f32: 0.0> : tile<16777216xf32>", 1)
	in := Kernel("k.mlir", []byte(text), compile.Options{GPU: "sm_10", OptLevel: 3})
	if _, err := Make(context.Background(), in); err == nil {
		t.Error("a report for an architecture that there is none of")
	}
	in = Kernel("k.mlir", []byte("cuda_tile.module @k { entry @e() { frob } }"), compile.Options{})
	if _, err := Make(context.Background(), in); err == nil {
		t.Error("a report of text that is none")
	}
}

func TestMarks(t *testing.T) {
	t.Parallel()
	b := newBook()
	lines, labels := b.split("f {\n  a\x017\n  if {\n    b\x011,2\n  } else {\n    c\n  }\x013\n}\x014\n")
	want := [][]int{{4}, {7}, {3}, {1, 2}, {3}, nil, {3}, {4}}
	if len(lines) != len(want) {
		t.Fatalf("%d lines", len(lines))
	}
	for i := range want {
		if !slices.Equal(labels[i], want[i]) || strings.Contains(b.text[lines[i]], mark) {
			t.Errorf("line %d, %q: labels %v, want %v", i, b.text[lines[i]], labels[i], want[i])
		}
	}
}

// TestSources reads what looks like a source, and nothing else of this machine.
func TestSources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.py", []byte("# 1\n# 2\nx = 3.0\n"))
	secret := write("secret.txt", []byte("password\n"))
	binary := write("binary.py", []byte("\x00\x01"))
	huge := write("huge.py", bytes.Repeat([]byte("#\n"), 2<<20))
	text := kernelText
	for i, name := range []string{good, secret, binary, huge, filepath.Join(dir, "absent.py"), dir + ".py"} {
		text = strings.Replace(text, `"k.py":`+[]string{"3", "5", "6", "7", "8", "9"}[i], `"`+name+`":3`, 1)
	}
	page := makePage(t, "k.tileirbc", []byte(text), compile.Options{GPU: "sm_80"})
	var titles []string
	for _, d := range page.Docs {
		if d.Kind == kindSource {
			titles = append(titles, d.Title)
			if d.Title == good {
				if got := page.lines(d, page.labelOf(t, "cuda_tile.constant")+2); len(got) != 1 || got[0] != "x = 3.0" {
					t.Errorf("the third constant is of %q", got)
				}
			}
		}
	}
	slices.Sort(titles)
	if want := []string{good, "k.tileirbc"}; !slices.Equal(titles, want) {
		t.Errorf("sources %q, want %q", titles, want)
	}
	if got := strings.Join(page.Missing, "\n"); !strings.Contains(got, "secret.txt': its name is not that of a source") || !strings.Contains(got, "binary.py': it is no text") ||
		!strings.Contains(got, "huge.py': it is too large") || !strings.Contains(got, "absent.py': it cannot be read here") {
		t.Errorf("missing: %s", got)
	}
}
