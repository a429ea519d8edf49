package filecheck

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// backtracker matches patterns that use a variable which they define themselves, as in [[A:.+]] = [[A]]. Go's regexp
// has no back references, so this walks the compiled program itself and tries alternatives in order of preference.
type backtracker struct {
	prog     *syntax.Prog
	names    []string
	backrefs []int // capture group that each back reference repeats
}

// maxSteps bounds the work of one search, which can grow exponentially with a hostile pattern.
const maxSteps = 10_000_000

var errTooHard = errors.New("the pattern needs too many attempts to match; make its variables more specific")

func newBacktracker(tree *syntax.Regexp, names, backrefs []string) (*matcher, error) {
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	b := &backtracker{prog: prog, names: names}
	for _, name := range backrefs {
		b.backrefs = append(b.backrefs, slices.Index(names, name))
	}
	return &matcher{back: b, names: names}, nil
}

func (b *backtracker) find(input string, from, to int) (match, bool, error) {
	s := search{b: b, input: input[:to], from: from}
	for start := from; start <= to; start++ {
		if start > from && start < to && !utf8.RuneStart(input[start]) {
			continue
		}
		s.groups = slices.Repeat([]int{-1}, 2*len(b.names))
		s.seen = make(map[state]bool)
		if s.run(b.prog.Start, start) {
			found := match{start: start, end: s.end, defined: make(map[string]string)}
			for group, name := range b.names {
				if name != "" {
					found.defined[name] = input[s.groups[2*group]:s.groups[2*group+1]]
				}
			}
			return found, true, nil
		}
		if s.steps > maxSteps {
			return match{}, false, errTooHard
		}
	}
	return match{}, false, nil
}

// search is the state of one attempt.
type search struct {
	b      *backtracker
	input  string
	from   int // where the region begins; the text before it does not exist for the pattern
	groups []int
	end    int
	steps  int
	depth  int
	seen   map[state]bool // loops without progress that are being tried
}

type state struct {
	pc uint32
	at int
}

// maxDepth bounds the recursion, which grows with the length of the match.
const maxDepth = 100_000

// run tries to match from an instruction on, at a place of the input.
func (s *search) run(pc int, at int) bool {
	if s.steps++; s.steps > maxSteps || s.depth > maxDepth {
		s.steps = maxSteps + 1
		return false
	}
	s.depth++
	defer func() { s.depth-- }()
	for {
		inst := &s.b.prog.Inst[pc]
		switch inst.Op {
		case syntax.InstMatch:
			s.end = at
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			// A loop that comes back here without having consumed anything would go on for ever.
			here := state{uint32(pc), at}
			if s.seen[here] {
				return false
			}
			s.seen[here] = true
			ok := s.run(int(inst.Out), at) || s.run(int(inst.Arg), at)
			delete(s.seen, here)
			return ok
		case syntax.InstCapture:
			old := s.groups[inst.Arg]
			s.groups[inst.Arg] = at
			if s.run(int(inst.Out), at) {
				return true
			}
			s.groups[inst.Arg] = old
			return false
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^s.context(at) != 0 {
				return false
			}
		case syntax.InstFail:
			return false
		case syntax.InstNop:
		default:
			width, ok := s.consume(inst, at)
			if !ok {
				return false
			}
			at += width
		}
		pc = int(inst.Out)
	}
}

// consume matches an instruction that takes a character, or a back reference.
func (s *search) consume(inst *syntax.Inst, at int) (int, bool) {
	if len(inst.Rune) > 0 {
		if i := int(inst.Rune[0]) - backrefBase; i >= 0 && i < len(s.b.backrefs) {
			group := s.b.backrefs[i]
			text := s.input[s.groups[2*group]:s.groups[2*group+1]]
			return len(text), strings.HasPrefix(s.input[at:], text)
		}
	}
	r, width := utf8.DecodeRuneInString(s.input[at:])
	return width, width > 0 && inst.MatchRune(r)
}

func (s *search) context(at int) syntax.EmptyOp {
	before, after := rune(-1), rune(-1)
	if at > s.from {
		before, _ = utf8.DecodeLastRuneInString(s.input[:at])
	}
	if at < len(s.input) {
		after, _ = utf8.DecodeRuneInString(s.input[at:])
	}
	return syntax.EmptyOpContext(before, after)
}
