package asm

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

var tokenKinds = map[tokenKind]TokenKind{
	tokBare: Word, tokInt: Word, tokFloat: Word, tokPercent: ValueName, tokCaret: BlockName, tokAt: SymbolName, tokHash: AttrName, tokBang: TypeName,
	tokString: Quoted, tokPunct: Punctuation, tokError: Wrong,
}

// Tokens yields the tokens of a text as the parser splits it, without comments.
func Tokens(text string) func(yield func(Token) bool) {
	return func(yield func(Token) bool) {
		l := lexer{src: text}
		for l.next(); l.tok.kind != tokEOF; l.next() {
			if !yield(Token{tokenKinds[l.tok.kind], l.tok.pos, l.tok.end}) {
				return
			}
		}
	}
}
