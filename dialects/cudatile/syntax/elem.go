package syntax

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

const wrongElem = "expect element type to be one of %s values, but got %s"

// literalElem parses the type of the elements of a literal.
func literalElem(p ir.AsmParser) ir.Type {
	if word := p.PeekKeyword(); word != "" && !typeWords[word] && !integerWord().MatchString(word) {
		p.Also(p.Pos(), "unknown type: %s", word)
		p.Errorf(wrongElem, numberElems.Desc(), "'<<NULL TYPE>>'")
		return nil
	}
	return p.Type()
}

// typeWords are the words that a type can begin with, except for integers of uncommon widths.
var typeWords = func() map[string]bool {
	words := make(map[string]bool)
	for _, w := range strings.Fields(cudatile.IntNames + " index none tensor token tile ptr tensor_view partition_view strided_view gather_scatter_view") {
		words[w] = true
	}
	for _, f := range numeric.Formats() {
		words[f.String()] = true
	}
	return words
}()

var integerWord = lazy.Regexp("^i[0-9]+$")
