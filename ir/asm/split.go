package asm

import "bytes"

// A Chunk is one input of a file that holds several.
type Chunk struct {
	Text       []byte
	LineOffset int // lines before it, for ParseOptions
}

// Split divides a file at lines that consist of "// -----".
func Split(src []byte) []Chunk {
	var chunks []Chunk
	start, startLine := 0, 0
	line := 0
	for at := 0; at < len(src); line++ {
		end := len(src)
		if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if bytes.Equal(bytes.TrimRight(src[at:end], " \t\r\n"), []byte("// -----")) {
			chunks = append(chunks, Chunk{src[start:at], startLine})
			start, startLine = end, line+1
		}
		at = end
	}
	return append(chunks, Chunk{src[start:], startLine})
}
