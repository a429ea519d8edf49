// Package lexer splits the text of the IR into tokens.
//
//	%0 = addi %a, %b   ->   %0  =  addi  %a  ,  %b
//
// A [Lexer] works on the text in place and holds one token of lookahead. It knows brackets, strings and comments, so it
// also finds the end of what a caller skips: [Lexer.Balanced] within a type, [Scanner] over an operation's regions.
// It knows no keyword and no dialect.
package lexer
