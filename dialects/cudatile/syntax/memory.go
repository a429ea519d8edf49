package syntax

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// parseMemory parses the bare words ORDERING [SCOPE] of operations on views.
func parseMemory(p ir.AsmParser, st *ir.OpState) {
	ordering := parseMemoryWord(p, cudatile.MemoryOrderings)
	if ordering == nil {
		return
	}
	st.SetAttr("memory_ordering_semantics", ordering)
	word := p.PeekKeyword()
	if word == "" {
		return
	}
	if cudatile.MemoryOrdering(ordering.Value) == cudatile.Weak {
		p.Errorf("operation specifies weak memory ordering semantics, but then provides %q scope, expected no memory scope.", word)
		return
	}
	if scope := parseMemoryWord(p, cudatile.MemoryScopes); scope != nil {
		st.SetAttr("memory_scope", scope)
	}
}

// parsePtrMemory is parseMemory for operations on pointers, where a scope after weak is left to the verifier, and a
// word that is no scope to what follows.
func parsePtrMemory(p ir.AsmParser, st *ir.OpState) {
	ordering := cudatile.ParseKeywordOf(p, cudatile.MemoryOrderings)
	if ordering == nil {
		return
	}
	st.SetAttr("memory_ordering_semantics", ordering)
	if v, ok := cudatile.MemoryScopes.Lookup(p.PeekKeyword()); ok {
		p.Keyword()
		st.SetAttr("memory_scope", cudatile.MemoryScopes.Attr(p.Context(), v))
	}
}

func parseMemoryWord(p ir.AsmParser, e *cudatile.Enum) *cudatile.EnumAttr {
	word := p.PeekKeyword()
	v, ok := e.Lookup(word)
	if !ok {
		p.Errorf("invalid %s attribute specification. Got %q but expect one of: %s", e.Mnemonic, word, strings.Join(e.Keywords(), ", "))
		return nil
	}
	p.Keyword()
	return e.Attr(p.Context(), v)
}

func printMemory(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	printMemoryWords(p, op)
}

func printMemoryWords(p ir.AsmPrinter, op ir.Op) {
	p.Str(cudatile.MemoryOrderingOf(op).String())
	if scope, ok := cudatile.MemoryScopeOf(op); ok {
		p.Str(" " + scope.String())
	}
}

// parseToken parses "token = %t", if it is next.
func parseToken(p ir.AsmParser) []ir.Value {
	if !p.OptKeyword("token") {
		return nil
	}
	p.Expect("=")
	return []ir.Value{p.Resolve(p.Operand(), cudatile.Token(p.Context()))}
}

// printToken prints the token after the given text, if there is one.
func printToken(p ir.AsmPrinter, op ir.Op, before string) {
	if t := op.OperandNamed("token"); !t.IsNil() {
		p.Str(before)
		p.Operand(t)
	}
}

func parseHintsClause(p ir.AsmParser, st *ir.OpState) {
	if p.OptKeyword("optimization_hints") {
		p.Expect("=")
		if h := cudatile.ParseHints(p); h != nil {
			st.SetAttr("optimization_hints", h)
		}
	}
}

func printHintsClause(p ir.AsmPrinter, op ir.Op) {
	if h, ok := op.Attr("optimization_hints").(*cudatile.HintsAttr); ok {
		p.Str(" optimization_hints = ")
		cudatile.PrintHints(p, h)
	}
}

var memoryNames = []string{"memory_ordering_semantics", "memory_scope", "optimization_hints", "inbounds", "mode", "reduction",
	ir.OperandSegmentSizes}

func printIndices(p ir.AsmPrinter, indices []ir.Value) {
	p.Str("[")
	p.Operands(indices)
	p.Str("]")
}

// MemoryAttributes is the directive custom<MemoryAttributes>.
var MemoryAttributes = ir.Directive{
	Parse: func(p ir.AsmParser, st *ir.OpState, _ []string) { parsePtrMemory(p, st) },
	Print: func(p ir.AsmPrinter, op ir.Op, _ []string) { printMemoryWords(p, op) },
}
