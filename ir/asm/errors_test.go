package asm

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

// Each text is rejected with a diagnostic that starts with line:column and message, and mentions note.
var parseErrors = []struct{ name, src, want, note string }{
	{"no name", `%0 = `, "1:6: error: expected operation name in quotes", ""},
	{"stray token", `)`, "1:1: error: expected operation name in quotes", ""},
	{"bad character", "\"u.x\"() : () -> ()\n  ~", "2:3: error: unexpected character", ""},
	{"open string", `"u.x`, `1:1: error: expected '"' in string literal`, ""},
	{"bad escape", `"u.x\q"() : () -> ()`, "1:1: error: unknown escape in string literal", ""},
	{"missing colon", `"u.x"() -> ()`, "1:9: error: expected ':', but got '->'", ""},
	{"missing type", `"u.x"() : (i32, ) -> ()`, "1:17: error: expected type", ""},
	{"function as result", `"u.x"() : () -> () -> ()`, "1:20: error: expected operation name in quotes", ""},
	{"unclosed region", "\"u.r\"() ({\n", "2:1: error: expected operation name in quotes", ""},
	{"unknown op", `x.y`, "1:1: error: custom op 'x.y' is unknown", ""},
	{"unknown op in default dialect", "s.kernel {\n  what\n}", "2:3: error: custom op 'what' is unknown (tried 's.what' as well)", ""},
	{"op of another dialect", `"t.what"() : () -> ()`, "1:1: error: unregistered operation 't.what' found in dialect ('t') that does not allow unknown operations", ""},
	{"no custom form", "t.module {\n}", "1:1: error: op 't.module' has no custom assembly form", ""},
	{"undeclared value", "\"u.x\"(%a) : (i32) -> ()", "1:7: error: use of undeclared SSA value name", ""},
	{"undeclared in isolated op", "%a = \"u.x\"() : () -> i32\nt.func @f() {\n  \"u.y\"(%a) : (i32) -> ()\n}", "3:9: error: use of undeclared SSA value name", ""},
	{"value of a closed region", "t.region {\n  %a = \"u.x\"() : () -> i32\n} else {\n}\n\"u.y\"(%a) : (i32) -> ()", "5:7: error: use of undeclared SSA value name", ""},
	{"redefinition", "%a = \"u.x\"() : () -> i32\n%a = \"u.x\"() : () -> i32", "2:1: error: redefinition of SSA value '%a'", "1:1: note: previously defined here"},
	{"type of use", "%a = \"u.x\"() : () -> i32\n\"u.y\"(%a) : (f32) -> ()", "2:7: error: use of value '%a' expects different type than prior uses: 'f32' vs 'i32'", "1:1: note: prior use here"},
	{"type of forward use", "\"u.y\"(%a) : (f32) -> ()\n%a = \"u.x\"() : () -> i32", "2:1: error: use of value '%a' expects different type than prior uses: 'i32' vs 'f32'", "1:7: note: prior use here"},
	{"types of two forward uses", "\"u.y\"(%a) : (f32) -> ()\n\"u.y\"(%a) : (i32) -> ()", "2:7: error: use of value '%a' expects different type than prior uses: 'i32' vs 'f32'", "1:7: note: prior use here"},
	{"result number", "%a:2 = \"u.x\"() : () -> (i32, i32)\n\"u.y\"(%a#2) : (i32) -> ()", "2:7: error: reference to invalid result number", ""},
	{"too many names", "%a, %b = \"u.x\"() : () -> i32", "1:10: error: operation defines 1 results but was provided 2 to bind", ""},
	{"names without results", "%a = \"u.x\"() : () -> ()", "1:6: error: cannot name an operation with no results", ""},
	{"no such result count", "%a:0 = \"u.x\"() : () -> ()", "1:4: error: expected named operation to have at least 1 result", ""},
	{"operand types", "%a = \"u.x\"() : () -> i32\n\"u.y\"(%a) : () -> ()", "2:13: error: expected 1 operand type but had 0", ""},
	{"undefined block", "\"u.r\"() ({\n  t.br ^a\n}) : () -> ()", "2:8: error: reference to an undefined block", ""},
	{"redefined block", "\"u.r\"() ({\n^a:\n^a:\n}) : () -> ()", "3:1: error: redefinition of block '^a'", "2:1: note: previously defined here"},
	{"successor at the top", "t.br ^a", "1:6: error: operation outside of a region has no successors", ""},
	{"label behind arguments", "t.func @f(%a: i32) {\n^bb0:\n}", "2:1: error: invalid block name in region with named arguments", ""},
	{"undefined alias", "\"u.x\"() {a = #b} : () -> ()", "1:14: error: undefined symbol alias id 'b'", ""},
	{"undefined type alias", "%0 = \"u.x\"() : () -> !b", "1:22: error: undefined symbol alias id 'b'", ""},
	{"redefined alias", "#a = 1\n#a = 2", "2:1: error: redefinition of attribute alias id 'a'", ""},
	{"alias with a dot", "#a.b = 1", "1:1: error: attribute names with a '.' are reserved for dialect-defined names", ""},
	{"undefined location", "\"u.x\"() : () -> () loc(#l)", "1:24: error: operation location alias was never defined", ""},
	{"alias that is no location", "\"u.x\"() : () -> () loc(#l)\n#l = 1", "1:24: error: expected location, but found an attribute that is none", ""},
	{"bad location", "\"u.x\"() : () -> () loc(5)", "1:24: error: expected location instance", ""},
	{"duplicate key", "\"u.x\"() {a, a} : () -> ()", "1:13: error: duplicate key 'a' in dictionary attribute", ""},
	{"attribute of a hook given twice", "t.func @f() attributes {sym_name = \"g\"} {\n}", "1:1: error: attribute 'sym_name' occurs more than once in the attribute list", ""},
	{"attribute of the dictionary set by a hook", "t.tag {tag = 1} 2", "1:1: error: attribute 'tag' occurs more than once in the attribute list", ""},
	{"attribute of the dictionary spelled behind it", "t.late {n = 1 : i32} 2", "1:1: error: attribute 'n' occurs more than once in the attribute list", ""},
	{"segment sizes in the dictionary", "%a = \"u.x\"() : () -> i32\n%b, %c = t.load %a {operandSegmentSizes = array<i32: 1, 0, 0, 0>} : i32 -> i32, i32",
		"2:10: error: attribute 'operandSegmentSizes' occurs more than once in the attribute list", ""},
	{"one of many attributes given twice", "t.func @f() attributes {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, sym_name} {\n}",
		"1:1: error: attribute 'sym_name' occurs more than once in the attribute list", ""},
	{"attribute given twice", "\"t.add\"() <{mode = \"fast\"}> {mode = \"slow\"} : () -> ()", "1:30: error: duplicate key 'mode' in dictionary attribute", ""},
	{"no attribute", "\"u.x\"() {a = } : () -> ()", "1:14: error: expected attribute value", ""},
	{"integer range", "\"u.x\"() {a = 256 : i8} : () -> ()", "1:14: error: integer constant out of range for type", ""},
	{"negative range", "\"u.x\"() {a = -129 : i8} : () -> ()", "1:14: error: integer constant out of range for type", ""},
	{"integer too large", "\"u.x\"() {a = 99999999999999999999} : () -> ()", "1:14: error: integer value too large", ""},
	{"float as integer", "\"u.x\"() {a = 1.5 : i8} : () -> ()", "1:14: error: floating point value not valid for specified type", ""},
	{"integer as float", "\"u.x\"() {a = 1 : f32} : () -> ()", "1:14: error: unexpected decimal integer literal for a floating point value", "add a trailing dot"},
	{"hex range", "\"u.x\"() {a = 0x1FFFF : f16} : () -> ()", "1:14: error: hexadecimal float constant out of range for type", ""},
	{"number of a type", "\"u.x\"() {a = 1 : !t.tok} : () -> ()", "1:14: error: integer or float literal not valid for type !t.tok", ""},
	{"wide integer", "\"u.x\"() {a = 1 : i65} : () -> ()", "1:18: error: integer bitwidth is limited to 64 bits", ""},
	{"dense shape", "\"u.x\"() {a = dense<[1, 2]> : tensor<3xi8>} : () -> ()", "1:20: error: inferred shape of elements literal ([2]) does not match type ([3])", ""},
	{"dense ragged", "\"u.x\"() {a = dense<[[1, 2], [3]]> : tensor<2x2xi8>} : () -> ()", "1:32: error: tensor literal is invalid; ranks are not consistent between elements", ""},
	{"dense depth", "\"u.x\"() {a = dense<[[1, 2], 3]> : tensor<2x2xi8>} : () -> ()", "1:29: error: tensor literal is invalid", ""},
	{"dense depth 2", "\"u.x\"() {a = dense<[1, [3]]> : tensor<2x2xi8>} : () -> ()", "1:24: error: tensor literal is invalid", ""},
	{"dense type", "\"u.x\"() {a = dense<1> : i8} : () -> ()", "1:25: error: elements literal must be a shaped type, but got i8", ""},
	{"dense hex", "\"u.x\"() {a = dense<\"0x123456\"> : tensor<2xi8>} : () -> ()", "1:20: error: elements hex data size is invalid for provided type", ""},
	{"tensor size", "\"u.x\"() : () -> tensor<9999999x9999999x9999999xi8>", "1:24: error: tensor has too many elements", ""},
	{"tensor dimension", "\"u.x\"() : () -> tensor<4 x i8>", "1:26: error: expected 'x' in dimension list", ""},
	{"unbalanced over lines", "\"u.x\"() {a = #u.b<(\n>} : () -> ()", "1:14: error: unbalanced '<' character in pretty dialect name", ""},
	{"unbalanced", "\"u.x\"() {a = #u.b<(>} : () -> ()", "1:14: error: unbalanced '<' character in pretty dialect name", ""},
	{"unknown dialect type", "%0 = \"u.x\"() : () -> !t.what", "1:22: error: unknown type 'what' in dialect 't'", ""},
	{"format literal", "%0 = t.add %0 : i32", "1:15: error: expected ',', but got ':'", ""},
	{"format operand", "t.add", "1:6: error: expected SSA operand", ""},
	{"format keyword", "%0 = \"u.x\"() : () -> i32\n%1 = t.add %0, %0 mode<never> : i32", "2:24: error: custom op 't.add' expected mode, one of {fast, slow}, but got 'never'", ""},
	{"format types", "%0 = \"u.x\"() : () -> i32\nt.ret %0, %0 : i32", "2:16: error: custom op 't.ret' number of operands and types do not match: got 2 operands and 1 types", ""},
	{"format call types", "%0 = \"u.x\"() : () -> i32\nt.call @f(%0) : () -> ()", "2:17: error: custom op 't.call' number of operands and types do not match", ""},
	{"format type of absent operand", "%0 = \"u.x\"() : () -> i32\n%1:2 = t.load %0 : i32, i8 -> i32", "2:25: error: custom op 't.load' type of operand 'mask', which is absent", ""},
	{"format operand without type", "%0 = \"u.x\"() : () -> i32\n%1:2 = t.load %0, %0 : i32 -> i32", "2:19: error: custom op 't.load' expected the type of operand 'mask'", ""},
	{"short type outside", "%0 = \"u.x\"() : () -> box<i32>", "1:22: error: expected non-function type", ""},
	{"short type in an attribute", "s.kernel {\n  %0 = id %0 {a = tok} : tok\n}", "2:19: error: expected attribute value", ""},
	{"hook keyword", "%0 = \"u.x\"() : () -> i32\nt.loop () use : () -> () what {\n}", "2:26: error: expected '{', but got 'what'", ""},
	{"hook integer", "t.loop () [x] {\n}", "1:12: error: custom op 't.loop' expected integer value", ""},
	{"hook symbol", "t.func f() {\n}", "1:8: error: custom op 't.func' expected valid '@'-identifier for symbol name", ""},
	{"empty symbol", "t.func @\"\"() {\n}", "1:8: error: expected non-empty symbol name", ""},
	{"hook operands", "%0 = \"u.x\"() : () -> i32\nt.loop (%a = %0) : i32, i32 {\n}", "2:20: error: custom op 't.loop' number of operands and types do not match: got 1 operands and 2 types", ""},
	{"argument with a result number", "t.func @f(%a#1: i32) {\n}", "1:11: error: result number not allowed in argument list", ""},
	{"no argument", "t.func @f(i32) {\n}", "1:11: error: expected SSA identifier", ""},
	{"static shape", "\"u.x\"() : () -> tensor<?xi8>", "1:24: error: expected static shape", ""},
	{"bad result number", "\"u.x\"(%a#01) : (i32) -> ()", "1:9: error: invalid SSA value result number", ""},
	{"location line", "\"u.x\"() : () -> () loc(\"f\":5000000000:1)", "1:28: error: line number is out of range", ""},
	{"metadata", "{-# what: {} #-}", "1:5: error: unknown key 'what' in file metadata dictionary", ""},
	{"deep types", "%0 = \"u.x\"() : () -> " + strings.Repeat("!t.box<", 300) + "i32" + strings.Repeat(">", 300), "1:1814: error: nesting is deeper than 256 levels", ""},
	{"deep attributes", "\"u.x\"() {a = " + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "} : () -> ()", "1:269: error: nesting is deeper than 256 levels", ""},
	{"deep regions", strings.Repeat("\"u.r\"() ({\n", 300), "257:10: error: nesting is deeper than 256 levels", ""},
	{"deep locations", "\"u.x\"() : () -> () loc(" + strings.Repeat("\"a\"(", 300), "1:1048: error: nesting is deeper than 256 levels", ""},
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range parseErrors {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, diags := newCtx(t)
			_, err := Parse(ctx, "f", []byte(tt.src), ParseOptions{ImplicitModule: testModule})
			var d *ir.Diagnostic
			if err == nil || !errors.As(err, &d) || ctx.Diag.Errors() != 1 {
				t.Fatalf("got %v and %d diagnostics", err, ctx.Diag.Errors())
			}
			if want := "f:" + tt.want; !strings.HasPrefix(diags.String(), want) {
				t.Errorf("got:  %s\nwant: %s", diags, want)
			}
			if !strings.Contains(diags.String(), tt.note) {
				t.Errorf("got %s, want note %s", diags, tt.note)
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
		ctx, _ := newCtx(t)
		_, err := Parse(ctx, "f", []byte(tt.src), ParseOptions{ImplicitModule: testModule})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
}

func TestUnregisteredDialects(t *testing.T) {
	t.Parallel()
	for _, src := range []string{`"u.x"() : () -> ()`, `"t.region"() {a = #u.x} : () -> ()`, `"t.region"() : () -> !u.x`} {
		ctx := ir.NewContext(testDialect)
		_, err := Parse(ctx, "f", []byte(src), ParseOptions{ImplicitModule: testModule})
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
	ctx, diags := newCtx(t)
	for i, c := range chunks {
		_, err := Parse(ctx, "f", c.Text, ParseOptions{ImplicitModule: testModule, LineOffset: c.LineOffset, Whole: src})
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
	ctx, _ := newCtx(t)
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
