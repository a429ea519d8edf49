package asmtest

import (
	"fmt"
	"strings"
)

// RoundTrips are bodies of a module. Each prints as want (itself when empty) and that text prints as itself; so does
// the generic form.
var RoundTrips = []struct{ Name, Src, Want string }{
	{"empty op", `"u.x"() : () -> ()`, ""},
	{"results and groups", "%0:2 = \"u.x\"() : () -> (i32, f32)\n\"u.y\"(%0#1, %0#0) : (f32, i32) -> ()", ""},
	{"names are kept", "%a, %b:2 = \"u.x\"() : () -> (i32, f32, f32)\n\"u.y\"(%b#1, %a) : (f32, i32) -> ()", ""},
	{"numbers are not", "%7 = \"u.x\"() : () -> i32\n\"u.y\"(%7) : (i32) -> ()", "%0 = \"u.x\"() : () -> i32\n\"u.y\"(%0) : (i32) -> ()"},
	{"attributes", `"u.x"() {a = 1 : i32, b = "x\0A\22\\", c, d = [1, 2.500000e+00, 3 : i8], e = 5 : index, "odd name" = true, n = {x = unit, y}} : () -> ()`,
		`"u.x"() {a = 1 : i32, b = "x\0A\22\\", c, d = [1, 2.500000e+00, 3 : i8], e = 5 : index, n = {x, y}, "odd name" = true} : () -> ()`},
	{"symbols and types", `"u.x"() {f = @a::@"b c"::@d, g = i32, h = (i32, f32) -> (), i = () -> (() -> i1), j = tensor<2x3xf16>} : () -> ()`, ""},
	{"patterns", `"u.x"() {a = 0x7FF0000000000000 : f64, b = [0xFFF0000000000000 : f64, 1.500000e+00]} : () -> ()`, ""},
	{"dense", `"u.x"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, b = dense<-1> : tensor<4xi32>, c = dense<[true, false]> : tensor<2xi1>, d = dense<> : tensor<0xf32>, e = dense<[0x7FC0, 1.000000e+00]> : tensor<2xbf16>} : () -> ()`, ""},
	{"dense variants", `"u.x"() {a = dense<[1, 1]> : tensor<2xi8>, b = dense<"0x0102"> : tensor<2xi8>} : () -> ()`,
		`"u.x"() {a = dense<1> : tensor<2xi8>, b = dense<[1, 2]> : tensor<2xi8>} : () -> ()`},
	{"dense arrays", `"u.x"() {a = array<i32: 1, -2>, b = array<i1: true, false>, c = array<i64>, d = array<f32: 1.500000e+00, 0xFF800000>, e = array<i8: -1>} : () -> ()`, ""},
	{"opaque", `%0 = "u.x"() {a = #u.attr<1, "x>", [>]>} : () -> !u.ty<x -> {y}>`, `error`},
	{"opaque balanced", `%0 = "u.x"() {a = #u.attr<1, "x>", []>} : () -> !u.ty<x -> {y}>`, ""},
	{"properties", `%0 = "t.add"(%c, %c) <{mode = "fast"}> {z} : (i32, i32) -> i32
%c = "u.x"() : () -> i32`, "%sum = t.add %c, %c mode<fast> {z} : i32\n%c = \"u.x\"() : () -> i32"},
	{"regions", `"u.r"() ({
}, {
^bb0:
}, {
^bb0(%x: i32):
  "u.y"(%x) : (i32) -> ()
}) : () -> ()`, ""},
	{"cfg", `"u.r"() ({
  "u.br"()[^bb2, ^bb1] : () -> ()
^bb1:  // pred: ^bb0
  "u.use"(%0) : (i32) -> ()
^bb2(%a: i32, %1: f32):  // 2 preds: ^bb0, ^bb2
  %0 = "u.def"() : () -> i32
  "u.br"()[^bb2] : () -> ()
^bb3:  // no predecessors
  "u.end"() : () -> ()
}) : () -> ()`, `"u.r"() ({
  "u.br"()[^bb2, ^bb1] : () -> ()
^bb1:  // pred: ^bb0
  "u.use"(%1) : (i32) -> ()
^bb2(%a: i32, %0: f32):  // 2 preds: ^bb0, ^bb2
  %1 = "u.def"() : () -> i32
  "u.br"()[^bb2] : () -> ()
^bb3:  // no predecessors
  "u.end"() : () -> ()
}) : () -> ()`},
	{"hints", "%0 = t.add %1, %1 : i32\n%1 = t.add %0, %0 : i32\nt.func @f(%arg0: i32) {\n  %2 = t.add %arg0, %arg0 : i32\n}",
		"%sum = t.add %sum_0, %sum_0 : i32\n%sum_0 = t.add %sum, %sum : i32\nt.func @f(%arg0: i32) {\n  %sum = t.add %arg0, %arg0 : i32\n}"},
	{"hint groups", "%0, %1, %2 = t.pair : i32, f32\n\"u.x\"(%1, %2) : (i32, f32) -> ()", "%p:2, %third = t.pair : i32, f32\n\"u.x\"(%p#1, %third) : (i32, f32) -> ()"},
	{"functional type", "%0 = \"u.x\"() : () -> i32\n%1:2 = t.call @f(%0, %0) : (i32, i32) -> (i1, i2)\nt.call @g() {x} : () -> ()", ""},
	{"optional operands", `%p, %m, %c = "u.x"() : () -> (i64, i8, i1)
%0:2 = t.load %p : i64 -> f32
%1:2 = t.load %p, %m : i64, i8 -> f32
%2:2 = t.load %p or %m : i8 if %c align=16 volatile : i64 -> f32
%3:2 = t.load %p, %m if %c times 3 {x} : i64, i8 -> f32`, ""},
	{"alike optional operands", `%a, %b, %c = "u.x"() : () -> (i1, i8, i16)
t.alike %a : i1
t.alike %a, %a : i1, i1
t.alike %a, %b : i1, i8
t.alike %a, %c : i1, i16
t.alike %a, %a, %b : i1, i1, i8
t.alike %a, %b, %a {x} : i1, i8, i1
t.alike %a, %a, %a : i1, i1, i1
t.alike %a, %a, %b, %c : i1, i1, i8, i16
"t.alike"(%a, %b) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (i1, i8) -> ()
"t.alike"(%a, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (i1, i16) -> ()`, ""},
	{"default attribute", "%p = \"u.x\"() : () -> i64\n%0:2 = t.load %p times 1 : i64 -> f32", "%p = \"u.x\"() : () -> i64\n%0:2 = t.load %p : i64 -> f32"},
	{"successors", "\"u.r\"() ({\n  t.br ^bb1\n^bb1:  // 2 preds: ^bb0, ^bb1\n  %0 = \"u.x\"() : () -> i32\n  t.br ^bb1, ^bb2(%0 : i32) {x}\n^bb2:  // pred: ^bb1\n  t.ret %0 : i32\n}) : () -> ()", ""},
	{"format regions", "t.region hot {\n  \"u.x\"() : () -> ()\n} else {\n} attributes {a = 1 : i32}\nt.region {\n} else {\n^bb0:\n}", ""},
	{"directive", "t.flags set_x set_y\nt.flags  {z}", ""},
	{"alternative", "t.alt none\n%0 = \"u.x\"() : () -> i32\nt.alt some %0 : i32 {a}", ""},
	{"inferred type", "%0 = \"u.x\"() : () -> i32\n%1 = t.infer %0 : i32\n\"u.y\"(%1) : (tensor<i32>) -> ()", ""},
	{"short dialect", "s.kernel {\n^bb0(%x: !s.box<f32>):\n  %0 = id %x : box<f32>\n  %1 = s.id %0 : !s.box<f32>\n  %2 = const <[[1.0, 2.0], [3.0, 4.0]]> : box<f32>\n" +
		"  %3 = id %2 {a = !s.tok} : box<f32>\n  t.region {\n    %4 = s.const <1.0> : box<f32>\n  } else {\n  }\n}",
		"s.kernel {\n^bb0(%x: !s.box<f32>):\n  %0 = id %x : box<f32>\n  %1 = id %0 : box<f32>\n  %2 = const <[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : box<f32>\n" +
			"  %3 = id %2 {a = !s.tok} : box<f32>\n  t.region {\n    %4 = s.const <1.000000e+00> : box<f32>\n  } else {\n  }\n}"},
	{"nested types", "%0 = \"u.x\"() : () -> !t.box<!t.box<!s.box<box<!s.tok>>>>",
		"%0 = \"u.x\"() : () -> !t.box<!t.box<!s.box<box<tok>>>>"},
	{"names of closed regions", "t.region {\n  %x = \"u.x\"() : () -> i32\n} else {\n  %x = \"u.x\"() : () -> i32\n}\n%y = \"u.x\"() : () -> i32", ""},
	{"name of a region reused around it", "t.region {\n  %x = \"u.x\"() : () -> i32\n} else {\n}\n%x = \"u.x\"() : () -> i32",
		"t.region {\n  %x_0 = \"u.x\"() : () -> i32\n} else {\n}\n%x = \"u.x\"() : () -> i32"},
	{"forward out of a region", "t.region {\n  \"u.use\"(%y) : (i32) -> ()\n} else {\n  \"u.use\"(%y, %z#1) : (i32, f32) -> ()\n}\n%y = \"u.x\"() : () -> i32\n%z:2 = \"u.x\"() : () -> (i32, f32)", ""},
	{"variadic regions", "t.try {\n} catch {\n  \"u.x\"() : () -> ()\n}, {\n} finally {\n^bb0:\n} {a}\nt.try {\n}\nt.both {\n}, {\n}", ""},
	{"segments", "%x = \"u.x\"() : () -> i8\n%0:3 = t.split(%x, %x) : i8, i8 -> i1, i2 | i3", ""},
	{"type of the constraint", "%c = \"u.x\"() : () -> i1\n%0 = t.only %c @f / \"text\" -3 {z}\n%1 = t.only %0", "*"},
	{"hooks", "%x = \"u.x\"() : () -> i32\n%0 = t.loop (%a = %x, %b = %x) : i32, i32 loc(\"f\":1:2) [1, -2] dims<2x?x0x4xf32> \"te\\0Axt\" @s use %x : (i32) -> (i8)\n" +
		"    7 {\n  \"u.y\"(%a, %b) : (i32, i32) -> ()\n}\nt.loop () {\n}", "*"},
	{"odd names", "\"u.r\"() ({\n^bb0(%a-b$: i32, %_.x: i32):\n  \"u.y\"(%a-b$, %_.x) : (i32, i32) -> ()\n^entry.1:\n}) : () -> ()", "*"},
	{"comments and lines", "// start\n\"u.x\"() // here\n  : () // there\n -> ()\n// end", "\"u.x\"() : () -> ()"},
	{"verbose symbols", `"u.x"() {a = #t<layout<3>>, b = !t<box<i32>>} : () -> ()`, "*"},
}

// Each text is rejected with a diagnostic that starts with line:column and message, and mentions note.
var ParseErrors = []struct{ Name, Src, Want, Note string }{
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
	{"label after arguments", "t.func @f(%a: i32) {\n^bb0:\n}", "2:1: error: invalid block name in region with named arguments", ""},
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
	{"attribute of the dictionary spelled after it", "t.late {n = 1 : i32} 2", "1:1: error: attribute 'n' occurs more than once in the attribute list", ""},
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

// BenchText is a module of n operations in functions of a thousand.
func BenchText(n int, op func(sb *strings.Builder, i int)) string {
	var sb strings.Builder
	for f := 0; f*1000 < n; f++ {
		fmt.Fprintf(&sb, "t.func @f%d(%%a: i32, %%b: f32) {\n  %%0 = \"u.first\"() : () -> i32\n", f)
		for i := 1; i < 1000; i++ {
			op(&sb, i)
		}
		sb.WriteString("}\n")
	}
	return sb.String()
}

var BenchTexts = []struct {
	Name string
	Op   func(sb *strings.Builder, i int)
}{
	{"generic", func(sb *strings.Builder, i int) {
		fmt.Fprintf(sb, "  %%%d = \"t.add\"(%%%d, %%a) : (i32, i32) -> i32\n", i, i-1)
	}},
	{"format", func(sb *strings.Builder, i int) { fmt.Fprintf(sb, "  %%%d = t.add %%%d, %%a : i32\n", i, i-1) }},
	{"attrs", func(sb *strings.Builder, i int) {
		fmt.Fprintf(sb, "  %%%d = \"t.add\"(%%%d, %%a) <{mode = \"fast\"}> {n = %d : i32} : (i32, i32) -> i32\n", i, i-1, i%100)
	}},
	{"named", func(sb *strings.Builder, i int) {
		fmt.Fprintf(sb, "  %%name_%d = \"t.add\"(%%a, %%a) : (i32, i32) -> i32\n", i)
	}},
}
