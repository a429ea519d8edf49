package asm

import (
	"github.com/tilewright/tilewright/ir/asm/lexer"
)

// A TokenKind sorts the tokens of a text, for tools that look at text without its meaning.
type TokenKind uint8

// The kinds of tokens.
const (
	Word      TokenKind = iota // a bare identifier, keyword or number
	ValueName                  // %name
	BlockName                  // ^name
	SymbolName
	AttrName // #name
	TypeName // !name
	Quoted
	Punctuation
	Wrong // a character that begins no token
)

// A Token is a piece of a text between two offsets.
type Token struct {
	Kind     TokenKind
	Pos, End int
}

var tokenKinds = map[lexer.Kind]TokenKind{
	lexer.Bare: Word, lexer.Int: Word, lexer.Float: Word, lexer.Percent: ValueName, lexer.Caret: BlockName, lexer.At: SymbolName, lexer.Hash: AttrName, lexer.Bang: TypeName,
	lexer.String: Quoted, lexer.Punct: Punctuation, lexer.Error: Wrong,
}

// Tokens yields the tokens of a text as the parser splits it, without comments.
func Tokens(text string) func(yield func(Token) bool) {
	return func(yield func(Token) bool) {
		l := lexer.Lexer{Src: text}
		for l.Next(); l.Tok.Kind != lexer.EOF; l.Next() {
			if !yield(Token{tokenKinds[l.Tok.Kind], l.Tok.Pos, l.Tok.End}) {
				return
			}
		}
	}
}
