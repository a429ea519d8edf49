package syntax

import (
	"strconv"
	"strings"
)

// debugLine reads a .file or .loc line, for profiles only. It passes over a line that makes no sense, since that never
// changes what a program does.
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
		if n, good := triple(fields[1:]); good {
			p.loc = Loc{n[0], n[1], n[2], p.caller(rest)}
			if p.locs == nil {
				p.locs = map[[3]int32]Loc{}
			}
			p.locs[n] = p.loc
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

// triple reads file, line and column.
func triple(fields []string) (n [3]int32, good bool) {
	if len(fields) < len(n) {
		return n, false
	}
	for i := range n {
		v, err := strconv.ParseInt(strings.TrimRight(fields[i], ",;"), 10, 32)
		if err != nil || v < 0 {
			return n, false
		}
		n[i] = int32(v)
	}
	return n, true
}

// caller returns the number of the place that a .loc line says its code was inlined at, 0 for none. What that place
// was inlined at in turn, the last .loc line for it has said.
func (p *parser) caller(line string) int32 {
	_, at, ok := strings.Cut(line, "inlined_at")
	if !ok {
		return 0
	}
	n, good := triple(strings.Fields(at))
	if !good {
		return 0
	}
	place, known := p.locs[n]
	if !known {
		place = Loc{File: n[0], Line: n[1], Column: n[2]}
	}
	if number, known := p.callers[place]; known { // the same place may have callers of its own that differ
		return number
	}
	p.m.Callers = append(p.m.Callers, place)
	if p.callers == nil {
		p.callers = map[Loc]int32{}
	}
	p.callers[place] = int32(len(p.m.Callers))
	return p.callers[place]
}
