package nvvm

import "github.com/tilewright/tilewright/ir"

func init() {
	Dialect.Types = []ir.DataDef{{
		Mnemonic: "ptr", Summary: "An address in an address space.",
		Doc: "Spaces are numbered as in NVVM: 0 generic, 1 global, 3 shared, 4 constant, 5 local, 7 the shared memory of a cluster. An address has 64 bits, in shared memory 32.", Syntax: "`<` space `>`",
		Examples: []string{"!nvvm.ptr<1>", "!nvvm.ptr<3>"},
		Rules:    []ir.DataRule{{Text: "the address space is one of those", Rejected: "!nvvm.ptr<2>"}},
	}}
}
