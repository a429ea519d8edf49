package expect

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

var expectation = regexp.MustCompile(`expected-(error|warning|remark|note|ii|shared|spills)(-re)? *(@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}\s*$`)

// expected is one diagnostic that must come.
type expected struct {
	severity ir.Severity
	line     int // in the file; 0: unknown
	text     string
	pattern  *regexp.Regexp // nil: the text is looked for as it is
	at       int            // the line of the comment
	met      bool

	kind  string // of a cost, which limit is set of
	limit *limit
}

// An Expectations is the list of diagnostics that must come.
type Expectations struct {
	list   []*expected
	byLine map[int][]*expected
}

// Parse finds the comments in a text before which the file has offset lines.
func Parse(file string, text []byte, offset int) (*Expectations, error) {
	e := &Expectations{byLine: make(map[int][]*expected)}
	above := offset // the last line without a comment
	var below []*expected
	line := offset
	for _, s := range strings.Split(string(text), "\n") {
		line++
		m := expectation.FindStringSubmatch(s)
		if m == nil {
			for _, x := range below {
				x.line = line
			}
			below, above = nil, line
			continue
		}
		x := &expected{severity: severities[m[1]], text: m[5], at: line, line: line}
		switch place := m[4]; place {
		case "":
		case "above":
			x.line = above
		case "below":
			below = append(below, x)
		case "unknown":
			x.line = 0
		default:
			n, err := strconv.Atoi(place)
			if err != nil || line+n < 1 {
				return nil, fmt.Errorf("%s:%d: error: there is no line %s", file, line, place)
			}
			x.line = line + n
		}
		if _, diagnostic := severities[m[1]]; !diagnostic {
			var err error
			if x.kind = m[1]; m[2] != "" {
				return nil, fmt.Errorf("%s:%d: error: a cost is no text that a regular expression matches", file, line)
			}
			if x.limit, err = parseLimit(m[5]); err != nil {
				return nil, fmt.Errorf("%s:%d: error: %w", file, line, err)
			}
		} else if m[2] != "" {
			var err error
			if x.pattern, err = compilePattern(x.text); err != nil {
				return nil, fmt.Errorf("%s:%d: error: %w", file, line, err)
			}
		}
		e.list = append(e.list, x)
	}
	for _, x := range below {
		return nil, fmt.Errorf("%s:%d: error: there is no line below", file, x.at)
	}
	for _, x := range e.list {
		e.byLine[x.line] = append(e.byLine[x.line], x)
	}
	return e, nil
}

var severities = map[string]ir.Severity{"error": ir.Error, "warning": ir.Warning, "remark": ir.Remark, "note": ir.NoteSeverity}

// compilePattern compiles a text in which regular expressions stand in double braces.
func compilePattern(text string) (*regexp.Regexp, error) {
	var sb strings.Builder
	for text != "" {
		literal, rest, found := strings.Cut(text, "{{")
		sb.WriteString(regexp.QuoteMeta(literal))
		if !found {
			break
		}
		inner, rest, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("'{{' of the regular expression is not closed")
		}
		sb.WriteString("(" + inner + ")")
		text = rest
	}
	return regexp.Compile(sb.String())
}

func (x *expected) matches(d *ir.Diagnostic) bool {
	if x.met || x.limit != nil || x.severity != d.Severity {
		return false
	}
	if x.pattern != nil {
		return x.pattern.MatchString(d.Message)
	}
	return strings.Contains(d.Message, x.text)
}

// Compare returns what is wrong: diagnostics that were not expected (unless only expected ones count), and those that
// did not come.
func (e *Expectations) Compare(file string, got []*ir.Diagnostic, onlyExpected bool) (problems []string) {
	var check func(d *ir.Diagnostic)
	check = func(d *ir.Diagnostic) {
		line := 0
		if f := ir.FileLocOf(d.Loc); f != nil && f.File == file {
			line = int(f.Line)
		}
		found := false
		for _, x := range e.byLine[line] {
			if x.matches(d) {
				x.met, found = true, true
				break
			}
		}
		if !found && !onlyExpected {
			plain := *d
			plain.Message = fmt.Sprintf("unexpected %s: %s", d.Severity, d.Message)
			plain.Severity = ir.Error
			problems = append(problems, plain.Error())
		}
		for _, n := range d.Notes {
			check(n)
		}
	}
	for _, d := range got {
		check(d)
	}
	for _, x := range e.list {
		if !x.met && x.limit == nil {
			problems = append(problems, fmt.Sprintf("%s:%d: error: expected %s %q was not produced", file, x.at, x.severity, x.text))
		}
	}
	return problems
}
