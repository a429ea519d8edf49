package filecheck

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// pattern is a directive's pattern, parsed.
type pattern struct {
	directive
	opts  *Options
	parts []part

	fixed *matcher // the same for every state of the variables; nil when the pattern uses variables from elsewhere
}

// part is a piece of a pattern.
type part struct {
	form partForm
	text string // literal text, or a regular expression
	name string // of the variable
}

type partForm uint8

const (
	literalPart partForm = iota
	regexPart            // {{text}}
	definePart           // [[name:text]]
	usePart              // [[name]], defined by an earlier directive
	backrefPart          // [[name]], defined earlier in the same pattern
)

func parsePattern(d directive, opts *Options) (*pattern, error) {
	p := &pattern{directive: d, opts: opts}
	if d.kind == empty {
		if d.text != "" {
			return nil, fmt.Errorf("found a pattern after '%s:', which takes none", d.name)
		}
		return p, nil
	}
	if d.text == "" {
		return nil, fmt.Errorf("found empty check string with prefix '%s:'", d.name)
	}
	if d.literal {
		p.parts = []part{{form: literalPart, text: d.text}}
	} else if err := p.split(d.text); err != nil {
		return nil, err
	}
	for _, q := range p.parts {
		if q.form != regexPart && q.form != definePart {
			continue
		}
		if _, err := syntax.Parse(q.text, regexFlags); err != nil {
			return nil, fmt.Errorf("invalid regex: %w", err)
		}
	}
	if !p.usesVariables() {
		m, err := p.compile(nil)
		if err != nil {
			return nil, err
		}
		p.fixed = m
	}
	return p, nil
}

// split cuts the text at {{ and [[.
func (p *pattern) split(text string) error {
	for text != "" {
		at := len(text)
		for _, open := range []string{"{{", "[["} {
			if i := strings.Index(text, open); i >= 0 {
				at = min(at, i)
			}
		}
		if at > 0 {
			p.parts = append(p.parts, part{form: literalPart, text: text[:at]})
			text = text[at:]
			continue
		}
		inner := text[2:]
		if text[0] == '{' {
			end := strings.Index(inner, "}}")
			if end < 0 {
				return errors.New("found start of regex string with no end '}}'")
			}
			p.parts = append(p.parts, part{form: regexPart, text: inner[:end]})
			text = inner[end+2:]
			continue
		}
		end := variableEnd(inner)
		if end < 0 {
			return errors.New("invalid substitution block, no ]] found")
		}
		if err := p.variable(inner[:end]); err != nil {
			return err
		}
		text = inner[end+2:]
	}
	return nil
}

// variableEnd finds the ]] that ends a substitution block; brackets inside its regular expression nest.
func variableEnd(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth == 0 {
				if strings.HasPrefix(text[i:], "]]") {
					return i
				}
				return -1
			}
			depth--
		}
	}
	return -1
}

// variable adds the part for the inside of a substitution block.
func (p *pattern) variable(text string) error {
	numeric := strings.TrimSpace(strings.TrimPrefix(text, "#"))
	if strings.HasPrefix(numeric, "@") {
		value, err := p.lineNumber(numeric)
		if err != nil {
			return err
		}
		p.parts = append(p.parts, part{form: literalPart, text: value})
		return nil
	}
	if strings.HasPrefix(text, "#") {
		return fmt.Errorf("numeric variable '[[%s]]' is not supported", text)
	}
	name, regex, defines := strings.Cut(text, ":")
	if !validVariable(name) {
		return fmt.Errorf("invalid variable name '%s'", name)
	}
	q := part{form: usePart, name: name}
	defined := slices.ContainsFunc(p.parts, func(q part) bool { return q.form == definePart && q.name == name })
	switch {
	case defines && defined:
		return fmt.Errorf("variable '%s' is defined twice in one pattern", name)
	case defines:
		if regex == "" {
			return fmt.Errorf("variable '%s' has an empty definition", name)
		}
		q.form, q.text = definePart, regex
	case defined:
		q.form = backrefPart
	}
	p.parts = append(p.parts, q)
	return nil
}

// lineNumber evaluates @LINE, with a number added or taken away.
func (p *pattern) lineNumber(text string) (string, error) {
	rest, ok := strings.CutPrefix(text, "@LINE")
	rest = strings.ReplaceAll(rest, " ", "")
	if !ok {
		return "", fmt.Errorf("invalid pseudo variable '%s', expected @LINE", text)
	}
	offset := 0
	if rest != "" {
		n, err := strconv.Atoi(rest)
		if err != nil || rest[0] != '+' && rest[0] != '-' {
			return "", fmt.Errorf("invalid offset in '%s'", text)
		}
		offset = n
	}
	return strconv.Itoa(p.line + offset), nil
}

func validVariable(name string) bool {
	name = strings.TrimPrefix(name, "$")
	for i := range len(name) {
		if c := name[i]; c != '_' && !isLetter(c) && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func (p *pattern) hasVariables() bool {
	return slices.ContainsFunc(p.parts, func(q part) bool { return q.form >= definePart })
}

func (p *pattern) usesVariables() bool {
	return slices.ContainsFunc(p.parts, func(q part) bool { return q.form == usePart })
}

// matcher is a pattern with the values of variables filled in.
type matcher struct {
	literal string // used when re and backrefs are nil
	re      *regexp.Regexp
	back    *backtracker
	names   []string // variable that each capture group of re or back defines; empty for other groups
}

// match is where a pattern matched, and what its variables became.
type match struct {
	start, end int
	defined    map[string]string
}

// undefined says which variables a pattern uses that have no value.
type undefined struct{ names []string }

func (u *undefined) Error() string { return "undefined variable: " + strings.Join(u.names, ", ") }

// matcher fills in the variables.
func (p *pattern) matcher(vars map[string]string) (*matcher, error) {
	if p.fixed != nil {
		return p.fixed, nil
	}
	var missing []string
	for _, q := range p.parts {
		if _, ok := vars[q.name]; q.form == usePart && !ok {
			missing = append(missing, q.name)
		}
	}
	if missing != nil {
		return nil, &undefined{missing}
	}
	return p.compile(vars)
}

// regexFlags make ^ and $ match at lines, and keep negated classes from matching a newline.
const regexFlags = syntax.PerlX | syntax.UnicodeGroups

// backrefBase is the first of the private code points that stand for back references in a pattern's source.
const backrefBase = 0xF0000

func (p *pattern) compile(vars map[string]string) (*matcher, error) {
	simple := !slices.ContainsFunc(p.parts, func(q part) bool { return q.form != literalPart && q.form != usePart })
	if simple && !p.opts.MatchFullLines && !p.opts.IgnoreCase {
		var b strings.Builder
		for _, q := range p.parts {
			if q.form == usePart {
				b.WriteString(vars[q.name])
			} else {
				b.WriteString(q.text)
			}
		}
		return &matcher{literal: b.String()}, nil
	}
	source, groups, backrefs := p.source(vars)
	flags := regexFlags
	if p.opts.IgnoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(source, flags)
	if err != nil {
		return nil, fmt.Errorf("invalid regex: %w", err)
	}
	names := make([]string, tree.MaxCap()+1)
	for i, group := range tree.CapNames() {
		names[i] = groups[group]
	}
	if backrefs != nil {
		return newBacktracker(tree, names, backrefs)
	}
	re, err := regexp.Compile(tree.String())
	if err != nil {
		return nil, fmt.Errorf("invalid regex: %w", err)
	}
	re.Longest()
	return &matcher{re: re, names: names}, nil
}

// source writes the pattern as one regular expression. It returns the variable that each named group defines, and the
// variable that each back reference repeats.
func (p *pattern) source(vars map[string]string) (string, map[string]string, []string) {
	var b strings.Builder
	groups := make(map[string]string)
	var backrefs []string
	full := p.opts.MatchFullLines && p.kind != not
	if full {
		b.WriteString("^")
		if !p.opts.StrictWhitespace {
			b.WriteString(" *")
		}
	}
	for _, q := range p.parts {
		switch q.form {
		case literalPart:
			b.WriteString(regexp.QuoteMeta(q.text))
		case regexPart:
			b.WriteString("(?:" + q.text + ")")
		case definePart:
			group := "v" + strconv.Itoa(len(groups))
			groups[group] = q.name
			b.WriteString("(?P<" + group + ">" + q.text + ")")
		case usePart:
			b.WriteString(regexp.QuoteMeta(vars[q.name]))
		case backrefPart:
			b.WriteRune(rune(backrefBase + len(backrefs)))
			backrefs = append(backrefs, q.name)
		}
	}
	if full {
		if !p.opts.StrictWhitespace {
			b.WriteString(" *")
		}
		b.WriteString("$")
	}
	return b.String(), groups, backrefs
}

// find returns the first match in the input at or after from and before to.
func (p *pattern) find(input string, from, to int, vars map[string]string) (match, bool, error) {
	switch p.kind {
	case eof:
		return match{start: to, end: to}, true, nil
	case empty:
		return emptyLine(input, from, to)
	}
	m, err := p.matcher(vars)
	if err != nil {
		return match{}, false, err
	}
	return m.find(input, from, to)
}

// emptyLine finds the first empty line that begins after from. The match is the place of that line.
func emptyLine(input string, from, to int) (match, bool, error) {
	for i := from; i < to; i++ {
		if input[i] == '\n' && (i+1 == to || input[i+1] == '\n') {
			return match{start: i + 1, end: i + 1}, true, nil
		}
	}
	return match{}, false, nil
}

func (m *matcher) find(input string, from, to int) (match, bool, error) {
	if m.back != nil {
		return m.back.find(input, from, to)
	}
	if m.re == nil {
		i := strings.Index(input[from:to], m.literal)
		return match{start: from + i, end: from + i + len(m.literal)}, i >= 0, nil
	}
	loc := m.re.FindStringSubmatchIndex(input[from:to])
	if loc == nil {
		return match{}, false, nil
	}
	found := match{start: from + loc[0], end: from + loc[1]}
	for group, name := range m.names {
		if name == "" {
			continue
		}
		if found.defined == nil {
			found.defined = make(map[string]string)
		}
		if loc[2*group] >= 0 {
			found.defined[name] = input[from+loc[2*group] : from+loc[2*group+1]]
		} else {
			found.defined[name] = ""
		}
	}
	return found, true, nil
}
