package asm

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/asmtest"
)

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range asmtest.ParseErrors {
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()
			ctx, diags := asmtest.NewContext(t)
			_, err := Parse(ctx, "f", []byte(tt.Src), ParseOptions{ImplicitModule: asmtest.Module})
			var d *ir.Diagnostic
			if err == nil || !errors.As(err, &d) || ctx.Diag.Errors() != 1 {
				t.Fatalf("got %v and %d diagnostics", err, ctx.Diag.Errors())
			}
			if want := "f:" + tt.Want; !strings.HasPrefix(diags.String(), want) {
				t.Errorf("got:  %s\nwant: %s", diags, want)
			}
			if !strings.Contains(diags.String(), tt.Note) {
				t.Errorf("got %s, want note %s", diags, tt.Note)
			}
		})
	}
}

// A short text must not stand for a huge or deep module.
func TestAliasBombs(t *testing.T) {
	t.Parallel()
	chain := func(n int, first, next string) string {
		var sb strings.Builder
		sb.WriteString(strings.ReplaceAll(first, "$", "0") + "\n")
		for i := 1; i < n; i++ {
			sb.WriteString(strings.NewReplacer("$", strconv.Itoa(i), "@", strconv.Itoa(i-1)).Replace(next) + "\n")
		}
		return sb.String()
	}
	for _, tt := range []struct{ name, src, want string }{
		{"deep attribute", chain(1000, "#a$ = []", "#a$ = [#a@]"), "nesting is deeper"},
		{"deep type", chain(1000, "!a$ = i32", "!a$ = !t.box<!a@>"), "nesting is deeper"},
		{"deep type in a function", chain(1000, "!a$ = i32", "!a$ = () -> !t.box<!a@>"), "nesting is deeper"},
		{"deep location", chain(1000, "#a$ = loc(unknown)", "#a$ = loc(\"x\"(#a@))"), "nesting is deeper"},
		{"wide attribute", chain(64, "#a$ = []", "#a$ = [#a@, #a@]"), "more than"},
		{"wide type", chain(64, "!a$ = i32", "!a$ = (!a@, !a@) -> ()"), "more than"},
		{"wide location", chain(64, "#a$ = loc(unknown)", "#a$ = loc(fused[#a@, #a@])"), "more than"},
		{"many uses", "#a = \"" + strings.Repeat("x", 100000) + "\"\n" + strings.Repeat("\"u.x\"() {a = #a} : () -> ()\n", 1000), "aliases stand for more than"},
		{"many uses in a type", "!a = (" + strings.Repeat("i32,", 30000) + "i32) -> ()\n" + strings.Repeat("\"u.x\"() : () -> (!t.box<!a>)\n", 1000), "aliases stand for more than"},
	} {
		ctx, _ := asmtest.NewContext(t)
		_, err := Parse(ctx, "f", []byte(tt.src), ParseOptions{ImplicitModule: asmtest.Module})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
}

func TestUnregisteredDialects(t *testing.T) {
	t.Parallel()
	for _, src := range []string{`"u.x"() : () -> ()`, `"t.region"() {a = #u.x} : () -> ()`, `"t.region"() : () -> !u.x`} {
		ctx := ir.NewContext(asmtest.Dialect)
		_, err := Parse(ctx, "f", []byte(src), ParseOptions{ImplicitModule: asmtest.Module})
		if err == nil || !strings.Contains(err.Error(), "-allow-unregistered-dialect") {
			t.Errorf("%s: got %v", src, err)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	src := []byte("\"u.x\"() : () -> ()\n// -----\n\n\"u.x\"( : () -> ()\n  // -----\n// -----  \n")
	chunks := Split(src)
	if len(chunks) != 3 {
		t.Fatalf("got %d chunks", len(chunks))
	}
	ctx, diags := asmtest.NewContext(t)
	for i, c := range chunks {
		_, err := Parse(ctx, "f", c.Text, ParseOptions{ImplicitModule: asmtest.Module, LineOffset: c.LineOffset, Whole: src})
		if (err != nil) != (i == 1) {
			t.Errorf("chunk %d: %v", i, err)
		}
	}
	if want := "f:4:8: error: expected ')', but got ':'\n\"u.x\"( : () -> ()\n       ^\n"; diags.String() != want {
		t.Errorf("got:\n%swant:\n%s", diags, want)
	}
}

func TestStandalone(t *testing.T) {
	t.Parallel()
	ctx, _ := asmtest.NewContext(t)
	typ, err := ParseType(ctx, "tensor<2x!t.box<i8>, #t.layout<3>>")
	if err != nil || TypeString(typ) != "tensor<2x!t.box<i8>, #t.layout<3>>" {
		t.Errorf("got %v %v", typ, err)
	}
	a, err := ParseAttr(ctx, "0x10", ctx.Int(8))
	if err != nil || AttrString(a) != "16 : i8" {
		t.Errorf("got %v %v", a, err)
	}
	for _, text := range []string{"", "i32 i32", "tensor<"} {
		if _, err := ParseType(ctx, text); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
	if _, err := ParseAttr(ctx, "1 2", nil); err == nil || err.Error() != "<attribute>:1:3: error: expected end of text, but got '2'" {
		t.Errorf("got %v", err)
	}
}
