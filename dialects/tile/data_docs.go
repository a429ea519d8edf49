package tile

import "github.com/tilewright/tilewright/ir"

// typeDocs describes the types that the levels share, for a dialect of that name.
func typeDocs(dialect string) []ir.DataDef {
	ptr, token := "!"+dialect+".ptr", "!"+dialect+".mem_token"
	return []ir.DataDef{
		{Mnemonic: "ptr", Summary: "The address of an element in global memory.", Syntax: "`<` element `>`", Examples: []string{ptr + "<f32>", ptr + "<" + ptr + "<i8>>"},
			Rules: []ir.DataRule{{Text: "it points to a number or pointer", Rejected: ptr + "<tensor<4xf32>>"}}},
		{Mnemonic: "mem_token", Summary: "Orders memory operations: one that takes a token happens after the one that made it.", Examples: []string{token}},
	}
}
