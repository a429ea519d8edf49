package syntax

import (
	"strconv"
	"strings"
)

// debugLine takes in what a .file or .loc line says, for profiles only: a line that makes no sense is passed over, as what it says never changes what a program does.
//
//	.file index "name" {, timestamp, size}
//	.loc  file line column {, function_name label, inlined_at file line column}
func (p *parser) debugLine() {
	line, word := p.tok.Line, p.tok.text
	rest := p.src[p.tok.off:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	fields := strings.Fields(rest)
	switch {
	case word == ".loc" && len(fields) >= 4:
		var n [3]int32
		good := true
		for i := range n {
			v, err := strconv.ParseInt(strings.TrimRight(fields[1+i], ",;"), 10, 32)
			good = good && err == nil && v >= 0
			n[i] = int32(v)
		}
		if good {
			p.loc = Loc{n[0], n[1], n[2]}
		}
	case word == ".file" && len(fields) >= 3:
		i, err := strconv.ParseInt(fields[1], 10, 32)
		_, quoted, ok := strings.Cut(rest, `"`)
		name, _, closed := strings.Cut(quoted, `"`)
		if err != nil || !ok || !closed {
			break
		}
		if p.m.Files == nil {
			p.m.Files = map[int32]string{}
		}
		p.m.Files[int32(i)] = name
	}
	p.advance()
	if p.tok.Line == line {
		p.skipLine()
	}
}
