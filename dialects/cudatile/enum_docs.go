package cudatile

import "fmt"

// enumDocs explains the cases of the enums, in their order.
var enumDocs = map[*Enum][]string{
	Signednesses: {"integers are from 0 on", "integers are in two's complement"},
	IntegerOverflows: {"results may wrap around", "promises that the result, read as signed, does not wrap around", "promises that the result, read as unsigned, does not wrap around",
		"promises both"},
	RoundingModes: {"to the nearest number, of two equally near the one whose last bit is zero", "towards zero", "towards negative infinity", "towards positive infinity",
		"the fast instruction of the hardware, whose error its manual bounds", "faster than a correctly rounded result, with an error in the last bits",
		"to an integer, towards zero", "to the nearest number, of two equally near the one of larger magnitude"},
	ComparisonOrderings:  {"comparisons with a NaN are true", "comparisons with a NaN are false"},
	ComparisonPredicates: {"lhs = rhs", "lhs and rhs differ", "lhs < rhs", "lhs <= rhs", "lhs > rhs", "lhs >= rhs"},
	AtomicRMWModes: {"bitwise and", "bitwise or", "bitwise exclusive or", "sum of integers", "sum of floats", "larger signed integer", "smaller signed integer",
		"larger unsigned integer", "smaller unsigned integer", "the operand takes the place of the old element"},
	MemoryScopes: {"the threads of this tile block", "all threads of this device", "all threads of all devices and of the host"},
	MemoryOrderings: {"nothing accesses the memory at the same time", "others may access the memory at the same time; orders nothing else",
		"what comes later in order sees what was released before", "what came before in order is seen by who acquires it", "both acquire and release"},
	PaddingValues:      {"zero", "negative zero", "a NaN", "infinity", "negative infinity"},
	SymbolVisibilities: {"the host may refer to it by name", "only this module refers to it"},
	MultimemReductions: {"sum", "minimum, of integers as signed", "maximum, of integers as signed", "bitwise and", "bitwise or", "bitwise exclusive or", "unsigned minimum",
		"unsigned maximum"},
	PtrAttrs: {"an ordinary address", "an ordinary address of memory that a multicast object also maps", "an address that stands for one in the memory of each device"},
}

func init() {
	for e, docs := range enumDocs {
		if len(docs) != len(e.Cases) {
			panic(fmt.Sprintf("cudatile: %d cases of %s are explained, but there are %d", len(docs), e.Name, len(e.Cases)))
		}
		for i := range docs {
			e.Cases[i].Doc = docs[i]
		}
	}
}
