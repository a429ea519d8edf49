package filecheck

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// Run verifies the input. The error is a [*Failure] when a directive did not hold. The name is for messages.
func (c *Checks) Run(name string, input []byte) error {
	text := canonical(string(input), c.opts.StrictWhitespace)
	r := &run{checks: c, name: name, input: text, lineStarts: lineStarts(text), vars: maps.Clone(c.opts.Defines)}
	if r.vars == nil {
		r.vars = make(map[string]string)
	}
	if strings.TrimSpace(text) == "" && !c.opts.AllowEmpty {
		return &Failure{Problems: []Problem{{Message: "the input '" + name + "' is empty"}}}
	}
	r.blocks()
	if len(r.problems) > 0 {
		return &Failure{Problems: r.problems}
	}
	return nil
}

// run is one verification.
type run struct {
	checks     *Checks
	name       string
	input      string
	lineStarts []int
	vars       map[string]string
	problems   []Problem
}

// errFailed says that a problem was added and the rest of the block makes no sense.
var errFailed = errors.New("failed")

// blocks divides the input at the labels and verifies the directives of every block.
func (r *run) blocks() {
	steps := r.checks.steps
	from := 0
	for i := 0; i < len(steps); {
		end := i
		for end < len(steps) && steps[end].pattern.kind != label {
			end++
		}
		to := len(r.input)
		if end < len(steps) {
			found, ok := r.find(steps[end].pattern, from, to)
			if !ok {
				return // without the label the division is unknown
			}
			to = found.end
			end++
		}
		if i > 0 && r.checks.opts.VarScope {
			maps.DeleteFunc(r.vars, func(name, _ string) bool { return !strings.HasPrefix(name, "$") })
		}
		at := from
		for ; i < end; i++ {
			var err error
			if at, err = r.step(&steps[i], at, to); err != nil {
				break
			}
		}
		from, i = to, end
	}
}

// step verifies a directive and the DAG and NOT directives before it. It returns where its match ends.
func (r *run) step(s *step, from, to int) (int, error) {
	last, nots, err := r.dags(s.before, from, to)
	if err != nil {
		return 0, err
	}
	first, at := -1, last
	for range s.pattern.count {
		found, ok := r.find(s.pattern, at, to)
		if !ok {
			return 0, errFailed
		}
		if first < 0 {
			first = found.start
		}
		at = found.end
	}
	if !r.lineRule(s.pattern, last, first) {
		return 0, errFailed
	}
	if !r.absent(nots, last, first) {
		return 0, errFailed
	}
	return at, nil
}

// lineRule verifies how many newlines stand between the last match and this one.
func (r *run) lineRule(p *pattern, last, start int) bool {
	newlines := strings.Count(r.input[last:start], "\n")
	var message string
	switch {
	case (p.kind == next || p.kind == empty) && newlines == 0:
		message = "is on the same line as previous match"
	case (p.kind == next || p.kind == empty) && newlines > 1:
		message = "is not on the line after the previous match"
	case p.kind == same && newlines != 0:
		message = "is not on the same line as the previous match"
	default:
		return true
	}
	notes := []Note{r.note("match was here", start), r.note("previous match ended here", last)}
	if newlines > 1 && p.kind != same {
		lineEnd := last + strings.IndexByte(r.input[last:], '\n') + 1
		notes = append(notes, r.note("non-matching line after previous match is here", lineEnd))
	}
	r.fail(p, message, notes...)
	return false
}

// absent verifies that none of the patterns matches in the region.
func (r *run) absent(nots []*pattern, from, to int) bool {
	ok := true
	for _, p := range nots {
		found, matched, err := p.find(r.input, from, to, r.vars)
		if err != nil {
			r.fail(p, err.Error())
			ok = false
		} else if matched {
			r.fail(p, "excluded string found in input", r.note("found here", found.start))
			ok = false
		}
	}
	return ok
}

// dags matches the DAG directives of a step, group by group, and verifies the NOT directives between groups. It returns
// where the last group ends and the NOT directives after it.
func (r *run) dags(before []*pattern, from, to int) (int, []*pattern, error) {
	var nots []*pattern
	var taken []match // matches of the group, in the order of the input
	for i, p := range before {
		if p.kind == not {
			nots = append(nots, p)
			continue
		}
		found, ok := r.findFree(p, taken, from, to)
		if !ok {
			return 0, nil, errFailed
		}
		at, _ := slices.BinarySearchFunc(taken, found, func(a, b match) int { return a.start - b.start })
		taken = slices.Insert(taken, at, found)
		if i+1 < len(before) && before[i+1].kind == dag {
			continue
		}
		if !r.absent(nots, from, taken[0].start) {
			return 0, nil, errFailed
		}
		from, nots, taken = taken[len(taken)-1].end, nil, nil
	}
	return from, nots, nil
}

// findFree finds a match that does not overlap those that the group has taken.
func (r *run) findFree(p *pattern, taken []match, from, to int) (match, bool) {
	for at := from; ; {
		found, ok, err := p.find(r.input, at, to, r.vars)
		if err != nil || !ok {
			r.notFound(p, from, to, err)
			return match{}, false
		}
		clash := slices.IndexFunc(taken, func(t match) bool { return found.start < t.end && t.start < found.end })
		if clash < 0 {
			r.define(found)
			return found, true
		}
		at = taken[clash].end
	}
}

// find matches a pattern and takes over the variables it defines.
func (r *run) find(p *pattern, from, to int) (match, bool) {
	found, ok, err := p.find(r.input, from, to, r.vars)
	if err != nil || !ok {
		r.notFound(p, from, to, err)
		return match{}, false
	}
	r.define(found)
	return found, true
}

func (r *run) define(m match) { maps.Copy(r.vars, m.defined) }

// notFound reports a pattern that has no match in the region.
func (r *run) notFound(p *pattern, from, to int, err error) {
	if err != nil {
		r.fail(p, err.Error(), r.note("scanning from here", from))
		return
	}
	message := "expected string not found in input"
	if p.kind == count {
		message = "expected string not found often enough in input"
	}
	notes := []Note{r.note("scanning from here", from)}
	for _, q := range p.parts {
		if q.form == usePart {
			notes = append(notes, Note{Message: "with \"" + q.name + "\" equal to \"" + r.vars[q.name] + "\""})
		}
	}
	if to < len(r.input) {
		notes = append(notes, r.note("the next label ends the search here", to))
	}
	if at := r.nearest(p, from, to); at >= 0 {
		notes = append(notes, r.note("possible intended match here", at))
	}
	r.fail(p, message, notes...)
}
