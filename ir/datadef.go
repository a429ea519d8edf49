package ir

// A DataDef describes a type or attribute of a dialect. Parsing, printing and checking it is up to the dialect's
// hooks; the description is for reference pages, and for tests that hold the hooks to it.
type DataDef struct {
	// Mnemonic is the name without the dialect's prefix.
	Mnemonic string
	Summary  string
	Doc      string
	// Syntax is what follows the mnemonic, in the notation of declarative formats.
	Syntax string
	// Examples are complete: "!cuda_tile.tile<4x8xf32>". Each is printed as it stands here.
	Examples []string
	Rules    []DataRule
}

// A DataRule is a rule that a type or attribute has to obey.
type DataRule struct {
	Text string // completes "It must hold that ..."
	// Rejected is a complete type or attribute that breaks the rule, which parsing it reports. It is empty when the
	// rule depends on the operation that has the attribute.
	Rejected string
}
