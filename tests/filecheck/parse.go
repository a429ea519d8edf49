package filecheck

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// kind is what a directive asks for.
type kind uint8

const (
	plain kind = iota
	next
	same
	empty
	not
	dag
	label
	count
	eof // stands after the last directive and matches the end of the input
)

// suffixes maps what may stand between a prefix and its colon to a kind. The count is parsed apart.
var suffixes = map[string]kind{
	"": plain, "-NEXT": next, "-SAME": same, "-EMPTY": empty, "-NOT": not, "-DAG": dag, "-LABEL": label,
}

const countSuffix = "-COUNT-"

// step is a directive that moves forward, with the DAG and NOT directives before it.
type step struct {
	pattern *pattern
	before  []*pattern
}

// Checks is a parsed check file.
type Checks struct {
	name  string
	lines []string // of the check file, for messages
	opts  Options
	steps []step
}

// directive is the place of a directive in a check file.
type directive struct {
	name    string // as it is written, without the colon
	kind    kind
	count   int
	literal bool // {LITERAL}: the pattern has no special characters
	line    int  // from 1
	column  int  // of the pattern, from 1
	text    string
}

// Parse reads the directives of a check file. The name is for messages.
func Parse(name string, text []byte, opts Options) (*Checks, error) {
	c := &Checks{name: name, opts: opts}
	p := parser{checks: c, used: make(map[string]bool)}
	if err := p.validatePrefixes(); err != nil {
		return nil, err
	}
	c.lines = splitLines(canonical(string(text), opts.StrictWhitespace))
	for i, line := range c.lines {
		p.line(i+1, line)
	}
	p.finish()
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return c, nil
}

type parser struct {
	checks  *Checks
	errs    []error
	used    map[string]bool // prefixes that have a directive
	pending []*pattern      // DAG and NOT directives since the last step
}

func (p *parser) validatePrefixes() error {
	seen := make(map[string]bool)
	all := append(slices.Clone(p.checks.opts.prefixes()), p.checks.opts.commentPrefixes()...)
	for _, prefix := range all {
		if !validPrefix(prefix) {
			return fmt.Errorf("prefix '%s' must start with a letter and contain only letters, digits, hyphens and underscores", prefix)
		}
		if seen[prefix] {
			return fmt.Errorf("prefix '%s' is given twice", prefix)
		}
		seen[prefix] = true
	}
	return nil
}

func validPrefix(prefix string) bool {
	for i := range len(prefix) {
		if c := prefix[i]; !isWord(c) || i == 0 && !isLetter(c) {
			return false
		}
	}
	return prefix != ""
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// isWord reports whether the character can be part of a prefix; one such character before it hides a directive.
func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '-' || c == '_' }

func (p *parser) errorf(d directive, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d:%d: error: %s\n%s", p.checks.name, d.line, d.column,
		fmt.Sprintf(format, args...), p.checks.quote(d.line, d.column)))
}

// line reads the directive of a line, if there is one.
func (p *parser) line(number int, text string) {
	d, prefix, found := p.find(number, text)
	if !found {
		return
	}
	p.used[prefix] = true
	if d.kind == eof {
		p.errorf(d, "unknown directive '%s:'", d.name)
		return
	}
	pat, err := parsePattern(d, &p.checks.opts)
	if err != nil {
		p.errorf(d, "%v", err)
		return
	}
	switch d.kind {
	case dag, not:
		p.pending = append(p.pending, pat)
		return
	case next, same, empty:
		if len(p.checks.steps) == 0 {
			p.errorf(d, "found '%s' without a previous '%s:' line", d.name, prefix)
			return
		}
	case label:
		if pat.hasVariables() {
			p.errorf(d, "a label cannot define or use a variable")
			return
		}
	}
	p.step(pat)
}

func (p *parser) step(pat *pattern) {
	p.checks.steps = append(p.checks.steps, step{pattern: pat, before: p.pending})
	p.pending = nil
}

// find returns the first directive of a line and its prefix. A directive of a kind that does not exist comes back
// with kind eof.
func (p *parser) find(number int, text string) (directive, string, bool) {
	o := &p.checks.opts
	best, bestPrefix, found := directive{column: len(text) + 1}, "", false
	for _, prefix := range o.prefixes() {
		for at := 0; ; {
			i := strings.Index(text[at:], prefix)
			if i < 0 {
				break
			}
			start := at + i
			at = start + 1
			if start > 0 && isWord(text[start-1]) {
				continue
			}
			d, ok := p.suffix(prefix, text[start:])
			if !ok {
				continue
			}
			if p.belongsToLonger(prefix, text[start:]) {
				continue
			}
			d.line, d.column = number, start+d.column
			if !found || d.column < best.column {
				best, bestPrefix, found = d, prefix, true
			}
			break
		}
	}
	if found && p.commented(text[:best.column-1]) {
		return directive{}, "", false
	}
	return best, bestPrefix, found
}

// belongsToLonger reports whether the directive at the start of the text is one of a prefix that continues this one:
// with the prefixes CHECK and CHECK-A, the line "CHECK-A: x" is a directive of the second.
func (p *parser) belongsToLonger(prefix, text string) bool {
	longer := func(other string) bool {
		if len(other) <= len(prefix) || !strings.HasPrefix(text, other) {
			return false
		}
		d, ok := p.suffix(other, text)
		return ok && d.kind != eof
	}
	return slices.ContainsFunc(p.checks.opts.prefixes(), longer) || slices.ContainsFunc(p.checks.opts.OtherPrefixes, longer)
}

// suffix reads what follows a prefix at the start of the text: the kind, and the pattern after the colon. It reports
// false when this is not a directive at all.
func (p *parser) suffix(prefix, text string) (directive, bool) {
	end := len(prefix)
	for end < len(text) && isWord(text[end]) {
		end++
	}
	word := text[len(prefix):end]
	if word != "" && word[0] != '-' && word[0] != '_' {
		return directive{}, false // another word that starts alike
	}
	d := directive{name: text[:end], count: 1}
	if rest, ok := strings.CutPrefix(text[end:], "{LITERAL}"); ok {
		d.literal = true
		end = len(text) - len(rest)
	}
	if end >= len(text) || text[end] != ':' {
		return directive{}, false
	}
	if digits, ok := strings.CutPrefix(word, countSuffix); ok {
		n, err := strconv.Atoi(digits)
		d.kind, d.count = count, n
		if err != nil || n < 1 {
			d.kind = eof
		}
	} else if k, ok := suffixes[word]; ok {
		d.kind = k
	} else {
		d.kind = eof
	}
	pattern := text[end+1:]
	if !(p.checks.opts.StrictWhitespace && p.checks.opts.MatchFullLines) {
		pattern = strings.TrimLeft(pattern, " \t")
	}
	d.column = len(text) - len(pattern) + 1
	d.text = pattern
	if !(p.checks.opts.StrictWhitespace && p.checks.opts.MatchFullLines) {
		d.text = strings.TrimRight(pattern, " \t")
	}
	return d, true
}

// commented reports whether a comment prefix stands in the text, which is what precedes a directive on its line.
func (p *parser) commented(text string) bool {
	for _, prefix := range p.checks.opts.commentPrefixes() {
		for at := 0; ; {
			i := strings.Index(text[at:], prefix+":")
			if i < 0 {
				break
			}
			start := at + i
			if start == 0 || !isWord(text[start-1]) {
				return true
			}
			at = start + 1
		}
	}
	return false
}

// finish adds the end of the input as a last step and reports prefixes without directives.
func (p *parser) finish() {
	p.step(&pattern{directive: directive{name: "end of input", kind: eof, count: 1}})
	var unused []string
	for _, prefix := range p.checks.opts.prefixes() {
		if !p.used[prefix] {
			unused = append(unused, "'"+prefix+":'")
		}
	}
	all := len(unused) == len(p.checks.opts.prefixes())
	if all && len(p.checks.opts.ImplicitNot) == 0 || !all && len(unused) > 0 && !p.checks.opts.AllowUnusedPrefixes {
		p.errs = append(p.errs, fmt.Errorf("%s: error: no check strings found with prefix %s", p.checks.name, strings.Join(unused, ", ")))
	}
	for _, text := range p.checks.opts.ImplicitNot {
		d := directive{name: "implicit-check-not", kind: not, count: 1, text: text}
		pat, err := parsePattern(d, &p.checks.opts)
		if err != nil {
			p.errs = append(p.errs, fmt.Errorf("implicit-check-not '%s': %w", text, err))
			continue
		}
		for i := range p.checks.steps {
			s := &p.checks.steps[i]
			s.before = withImplicit(s.before, pat)
		}
	}
}

// withImplicit adds a NOT pattern to every gap between the DAG groups of a step.
func withImplicit(before []*pattern, pat *pattern) []*pattern {
	out := []*pattern{pat}
	for i, b := range before {
		if i > 0 && b.kind == dag && before[i-1].kind != dag || i > 0 && b.kind != dag && before[i-1].kind == dag {
			out = append(out, pat)
		}
		out = append(out, b)
	}
	if n := len(before); n > 0 && before[n-1].kind == dag {
		out = append(out, pat)
	}
	return out
}

// canonical makes runs of blanks one space, unless blanks are significant, and drops carriage returns before newlines.
func canonical(text string, strict bool) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case !strict && (c == ' ' || c == '\t'):
			for i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
				i++
			}
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func splitLines(text string) []string { return strings.Split(text, "\n") }
