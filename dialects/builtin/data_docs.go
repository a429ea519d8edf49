package builtin

import "github.com/tilewright/tilewright/ir"

// The types and attributes that text spells without a dialect. Package ir defines them; they are described here, with
// the rest of what no other dialect owns.
func init() {
	Dialect.Types = []ir.DataDef{
		{Mnemonic: "integer", Summary: "A number of bits. Operations say whether they read it as signed.", Syntax: "`i`width", Examples: []string{"i1", "i32", "i64"}},
		{Mnemonic: "float", Summary: "A floating-point number in one of the formats of Tile IR.",
			Examples: []string{"f16", "bf16", "tf32", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"}},
		{Mnemonic: "index", Summary: "An integer of the width of an address.", Examples: []string{"index"}},
		{Mnemonic: "tensor", Summary: "A value of static shape, with an optional encoding, whose meaning a dialect defines.", Syntax: "`<` (size `x`)* element (`,` encoding)? `>`",
			Examples: []string{"tensor<4x8xf32>", `tensor<4xi8, "e">`},
			Rules:    []ir.DataRule{{Text: "sizes are not negative", Rejected: "tensor<-4xf32>"}}},
		{Mnemonic: "function", Summary: "The types of arguments and results.", Syntax: "`(` types `)` `->` (type | `(` types `)`)", Examples: []string{"(i32, f32) -> f32", "() -> ()"}},
		{Mnemonic: "none", Summary: "The type without values.", Examples: []string{"none"}},
	}
	Dialect.Attrs = []ir.DataDef{
		{Mnemonic: "number", Summary: "An integer or floating-point number with its type; hexadecimal digits give the bits of a NaN or an " +
			"infinity.",
			Syntax: "number `:` type", Examples: []string{"7 : i32", "-1 : i8", "1.500000e+00 : f32", "0x7FC00000 : f32"},
			Rules: []ir.DataRule{{Text: "the number fits the type", Rejected: "256 : i8"}}},
		{Mnemonic: "bool", Summary: "A boolean, which is an i1.", Examples: []string{"true", "false"}},
		{Mnemonic: "string", Summary: "Bytes. A byte that is not printable is written as two hexadecimal digits.", Examples: []string{`"text"`, `"line\0A"`}},
		{Mnemonic: "unit", Summary: "A flag: only its presence counts.", Examples: []string{"unit"}},
		{Mnemonic: "symbol reference", Summary: "The name of a symbol; a nested one follows the names of the symbols around it.", Examples: []string{"@f", "@m::@f"}},
		{Mnemonic: "list", Summary: "Attributes in order.", Syntax: "`[` attributes `]`", Examples: []string{`[1 : i32, "two"]`, "[]"}},
		{Mnemonic: "dictionary", Summary: "Attributes by name.", Syntax: "`{` (name (`=` attribute)?)* `}`", Examples: []string{`{a = 1 : i32, b}`},
			Rules: []ir.DataRule{{Text: "a name occurs once", Rejected: "{a = 1 : i32, a = 2 : i32}"}}},
		{Mnemonic: "dense array", Summary: "Numbers of one type in order.", Syntax: "`array` `<` type (`:` numbers)? `>`", Examples: []string{"array<i32: 1, 2>", "array<i1: true>", "array<i64>"},
			Rules: []ir.DataRule{{Text: "numbers fit the type", Rejected: "array<i8: 256>"}}},
		{Mnemonic: "dense elements", Summary: "The elements of a tensor. A single number stands for all of them.", Syntax: "`dense` `<` elements `>` `:` type",
			Examples: []string{"dense<[1, 2, 3, 4]> : tensor<4xi8>", "dense<0.000000e+00> : tensor<16x16xf16>"},
			Rules:    []ir.DataRule{{Text: "there are as many elements as the type says", Rejected: "dense<[1, 2]> : tensor<4xi8>"}}},
	}
}
