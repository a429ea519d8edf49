package nvvm

import "github.com/tilewright/tilewright/ir"

func init() {
	Dialect.Types = []ir.DataDef{{
		Mnemonic: "ptr", Summary: "An address in an address space.",
		Doc: "Address spaces have the numbers of NVVM: 0 generic, 1 global, 3 shared, 4 constant, 5 local, and 7 for " +
			"the shared memory of a cluster. An address has 64 bits; in shared memory it has 32.", Syntax: "`<` space `>`",
		Examples: []string{"!nvvm.ptr<1>", "!nvvm.ptr<3>"},
		Rules:    []ir.DataRule{{Text: "the address space is one of these numbers", Rejected: "!nvvm.ptr<2>"}},
	}}
}
