package pipeline

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/passes"
)

type testOptions struct {
	N     int      `opt:"n" help:"a number"`
	Flag  bool     `opt:"flag" help:"a flag"`
	Text  string   `opt:"text" help:"a text"`
	Names []string `opt:"names" help:"a list"`
}

func nothing(*passes.Run) error { return nil }

// testPass returns a pass that passes.Validate accepts, edited.
func testPass(name string, edit ...func(*passes.Pass)) *passes.Pass {
	p := &passes.Pass{Name: name, Summary: "does nothing", Doc: "Nothing at all.", Run: nothing}
	for _, e := range edit {
		e(p)
	}
	return p
}

func on(op string) func(*passes.Pass) { return func(p *passes.Pass) { p.On = op } }

func withOptions(p *passes.Pass) {
	p.Options = func() any { return &testOptions{N: 10, Text: "x"} }
}

func registryOf(t testing.TB, ps ...*passes.Pass) *passes.Registry {
	t.Helper()
	reg := new(passes.Registry)
	for _, p := range ps {
		if err := reg.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	return reg
}

func textRegistry(t testing.TB) *passes.Registry {
	return registryOf(t, testPass("cse"), testPass("canonicalize", withOptions), testPass("fuse-fma", on("test.func")), testPass("on-module", on("builtin.module")))
}

func TestParseNormalForm(t *testing.T) {
	t.Parallel()
	reg := textRegistry(t)
	tests := []struct{ in, want string }{
		{"builtin.module(cse)", ""},
		{"builtin.module()", ""},
		{" builtin.module ( test.func( fuse-fma , cse ) ,\n any(cse), on-module ) ", "builtin.module(test.func(fuse-fma,cse),any(cse),on-module)"},
		{"any(canonicalize{n=3})", ""},
		{"any(canonicalize{n=10})", "any(canonicalize)"},
		{"any(canonicalize{})", "any(canonicalize)"},
		{"any(canonicalize{ names=a,b   n=0x3 flag })", "any(canonicalize{n=3 flag=true names=a,b})"},
		{"any(canonicalize{text='a b'})", `any(canonicalize{text="a b"})`},
		{`any(canonicalize{text="say \"hi\" \\ {"})`, ""},
		{"any(canonicalize{text={a {b} c}})", `any(canonicalize{text="a {b} c"})`},
		{"any(canonicalize{text=})", `any(canonicalize{text=""})`},
		{"any(canonicalize{text=a/b:c})", ""},
	}
	for _, tt := range tests {
		if tt.want == "" {
			tt.want = tt.in
		}
		p, err := Parse(reg, tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if got := p.String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
		again, err := Parse(reg, p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%s: normal form reads back as %v, %v", tt.in, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	reg := textRegistry(t)
	deep := strings.Repeat("any(", 100) + strings.Repeat(")", 100)
	tests := []struct{ in, want string }{
		{"", "pass pipeline:1:1: error: expected the name of a pass or an operation, but got the end"},
		{"cse", "1:1: error: expected a pipeline anchored on an operation, as in 'builtin.module(cse)', but got 'cse'"},
		{"builtin.module(cse", "1:15: error: '(' of 'builtin.module' is not closed"},
		{"builtin.module(cse cse)", `1:20: error: expected ',' or ')' after 'cse', but got "c"`},
		{"builtin.module(cse))", `1:20: error: expected the end of the pipeline, but got ")"`},
		{"builtin.module(\n  cse,,cse)", `2:7: error: expected the name of a pass or an operation, but got ","`},
		{"builtin.module(cce)", "1:16: error: unknown pass 'cce' (did you mean 'cse'?)"},
		{"builtin.module(fuse-fma)", "1:16: error: pass 'fuse-fma' runs on 'test.func' and cannot run on 'builtin.module'; nest it: test.func(fuse-fma)"},
		{"any(fuse-fma)", "pass 'fuse-fma' runs on 'test.func' and cannot run on 'any'"},
		{"builtin.module(canonicalize(cse))", "'canonicalize' is a pass, not an operation; its options stand in '{...}'"},
		{"module(cse)", "1:1: error: expected the full name of an operation or 'any', but got 'module'"},
		{"any(test.func)", "operation 'test.func' needs a list of passes in '(...)'"},
		{"any(canonicalize{m=1})", "1:18: error: pass 'canonicalize': no option 'm'; it has 'n', 'flag', 'text', 'names'"},
		{"any(canonicalize{n=x})", "option 'n' must be an integer, but got 'x'"},
		{"any(cse{n=1})", "pass 'cse': no option 'n': it takes no options"},
		{"any(canonicalize{n=1", "1:17: error: '{' of 'canonicalize' is not closed"},
		{"any(canonicalize{text='a)", "1:23: error: the quoted value of option 'text' is not closed"},
		{"any(canonicalize{text={a)", "'{' of the value of option 'text' is not closed"},
		{"any(canonicalize{text='a'b})", `expected a blank or '}' after option 'text', but got "b"`},
		{"any(canonicalize{=1})", "expected the name of an option"},
		{deep, "nested more than 32 deep"},
		{"any(" + strings.Repeat("cse,", maxElements) + "cse)", "more than 65536 elements"},
		{strings.Repeat("a", maxTextLen+1), "longer than the limit"},
	}
	for _, tt := range tests {
		_, err := Parse(reg, tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: got %v, want %q", tt.in, err, tt.want)
		}
	}
}

func TestSyntaxErrorDetail(t *testing.T) {
	t.Parallel()
	_, err := Parse(textRegistry(t), "builtin.module(\n  test.func(fuse-fmaa))")
	want := "pass pipeline:2:13: error: unknown pass 'fuse-fmaa' (did you mean 'fuse-fma'?)\n" +
		"  test.func(fuse-fmaa))\n" +
		"            ^\n"
	if got := err.(*SyntaxError).Detail(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	_, err = Parse(textRegistry(t), "any("+strings.Repeat("cse,", 100)+"cce)")
	lines := strings.Split(err.(*SyntaxError).Detail(), "\n")
	if caret := strings.Index(lines[2], "^"); len(lines[1]) > 120 || !strings.HasPrefix(lines[1][caret:], "cce") {
		t.Errorf("long text is not cut around the error:\n%s\n%s", lines[1], lines[2])
	}
}

func TestParsePass(t *testing.T) {
	t.Parallel()
	reg := textRegistry(t)
	it, err := ParsePass(reg, "canonicalize", "n=3 flag")
	if err != nil || it.Options.(*testOptions).N != 3 || !it.Options.(*testOptions).Flag {
		t.Errorf("got %+v, %v", it.Options, err)
	}
	for _, bad := range []string{"n=x", "}", "},cse{", "n"} {
		if _, err := ParsePass(reg, "canonicalize", bad); err == nil {
			t.Errorf("options %q are accepted", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"builtin.module(cse)", "any(canonicalize{n=3 text='a b' names={a,b}})", "any(cse,test.func(fuse-fma))", `any(canonicalize{text="\""})`} {
		f.Add(s)
	}
	reg := textRegistry(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(reg, text)
		if err != nil {
			e, ok := err.(*SyntaxError)
			if !ok || e.Offset < 0 || e.Offset > len(e.Text) || e.Detail() == "" {
				t.Fatalf("error without a position: %v", err)
			}
			return
		}
		again, err := Parse(reg, p.String())
		if err != nil {
			t.Fatalf("normal form %q is rejected: %v", p, err)
		}
		if again.String() != p.String() {
			t.Fatalf("normal form %q reads back as %q", p, again)
		}
	})
}
