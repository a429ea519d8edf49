package dapserver

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-dap"
	"github.com/tilewright/tilewright/internal/tooling/debug"
	"github.com/tilewright/tilewright/internal/tooling/debug/expr"
	"github.com/tilewright/tilewright/ir"
)

// The bounds of breakpoints.
const (
	maxPoints = 1024 // of a source
	maxFiles  = 256
)

// A point is a breakpoint as it is set: a line of a source of the kernels.
type point struct {
	debug.Breakpoint
	file string // as locations name it
}

// sourceOf describes the source of a location: a file, or a text that the client asks for.
func (s *session) sourceOf(file string) *dap.Source {
	out := &dap.Source{Name: filepath.Base(file), Path: s.path(file)}
	if s.Texts != nil && s.Texts(file) != nil {
		if _, err := os.Stat(out.Path); err != nil {
			out.Path, out.SourceReference = "", s.reference(file)
		}
	}
	return out
}

// files are the sources of all kernels, as locations name them.
func (s *session) files() (list []string) {
	for _, k := range s.kernels {
		for _, f := range k.Files() {
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// reference is the number of a source that is no file.
func (s *session) reference(file string) int {
	return slices.Index(s.files(), filepath.Clean(file)) + 1
}

func (s *session) source(r *dap.SourceRequest) {
	n := r.Arguments.SourceReference
	if r.Arguments.Source != nil && n == 0 {
		n = r.Arguments.Source.SourceReference
	}
	if list := s.files(); n > 0 && n <= len(list) && s.Texts != nil {
		if text := s.Texts(list[n-1]); text != nil {
			s.send(&dap.SourceResponse{Response: to(&r.Request), Body: dap.SourceResponseBody{Content: string(text)}})
			return
		}
	}
	s.fail(&r.Request, "there is no source %d", n)
}

// fileOf returns the source of the kernels that a client means; "" if it is none of them.
func (s *session) fileOf(src dap.Source) string {
	list := s.files()
	if n := src.SourceReference; n > 0 && n <= len(list) {
		return list[n-1]
	}
	if src.Path == "" {
		return ""
	}
	for _, f := range list {
		if filepath.Clean(src.Path) == s.path(f) {
			return f
		}
	}
	info, err := os.Stat(src.Path)
	for _, f := range list {
		other, missing := os.Stat(s.path(f))
		switch {
		case err == nil && missing == nil && os.SameFile(info, other):
			return f
		case missing != nil && filepath.Base(src.Path) == filepath.Base(f):
			return f // compiled on another machine, or in another folder
		}
	}
	return ""
}

// linesOf are the lines of a source at which some kernel can stop.
func (s *session) linesOf(file string) (lines []int) {
	for _, k := range s.kernels {
		lines = append(lines, k.Lines(file)...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func (s *session) setBreakpoints(r *dap.SetBreakpointsRequest) {
	wanted := r.Arguments.Breakpoints
	if wanted == nil {
		for _, n := range r.Arguments.Lines {
			wanted = append(wanted, dap.SourceBreakpoint{Line: n})
		}
	}
	if len(wanted) > maxPoints {
		s.fail(&r.Request, "%d breakpoints for one source; at most %d are kept", len(wanted), maxPoints)
		return
	}
	file := s.fileOf(r.Arguments.Source)
	if file == "" {
		list := make([]dap.Breakpoint, len(wanted))
		for i, w := range wanted {
			list[i] = dap.Breakpoint{Line: w.Line, Message: "no kernel that was launched comes from this file"}
		}
		s.send(&dap.SetBreakpointsResponse{Response: to(&r.Request), Body: dap.SetBreakpointsResponseBody{Breakpoints: list}})
		return
	}
	if s.points[file] == nil && len(s.points) == maxFiles {
		s.fail(&r.Request, "breakpoints in more than %d sources", maxFiles)
		return
	}
	lines := s.linesOf(file)
	list := make([]dap.Breakpoint, 0, len(wanted))
	var points []*point
	for _, w := range wanted {
		s.lastID++
		p := &point{file: file}
		p.ID, p.Line = s.lastID, debug.Snap(lines, w.Line+1-s.first)
		shown := dap.Breakpoint{Id: p.ID, Verified: true, Source: s.sourceOf(file), Line: p.Line - 1 + s.first}
		err := p.read(&w)
		if err != nil {
			shown.Verified, shown.Message = false, err.Error()
		} else {
			points = append(points, p)
		}
		list = append(list, shown)
	}
	s.points[file] = points
	s.rewatch()
	s.send(&dap.SetBreakpointsResponse{Response: to(&r.Request), Body: dap.SetBreakpointsResponseBody{Breakpoints: list}})
}

// read takes the condition and the log of a breakpoint.
func (p *point) read(w *dap.SourceBreakpoint) (err error) {
	if w.HitCondition != "" {
		return fmt.Errorf("counts of hits are not supported; a condition such as 'j == 3' can say which one")
	}
	if strings.TrimSpace(w.Condition) != "" {
		if p.Cond, err = expr.Parse(w.Condition); err != nil {
			return err
		}
	}
	if w.LogMessage != "" {
		p.Log, err = logOf(w.LogMessage)
	}
	return err
}

// maxLog bounds what a breakpoint logs, in expressions.
const maxLog = 32

// logOf reads a log: a text with expressions in braces.
func logOf(text string) (func(*debug.Stop) string, error) {
	var words []string
	var exprs []*expr.Expr
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "{")
		words = append(words, before)
		if !found {
			break
		}
		inner, behind, closed := strings.Cut(after, "}")
		if !closed {
			return nil, fmt.Errorf("'{' without '}' in the log")
		}
		e, err := expr.Parse(inner)
		if err != nil {
			return nil, err
		}
		if exprs = append(exprs, e); len(exprs) > maxLog {
			return nil, fmt.Errorf("more than %d expressions in the log", maxLog)
		}
		rest = behind
	}
	return func(stop *debug.Stop) string {
		var b strings.Builder
		for i, w := range words {
			b.WriteString(w)
			if i < len(exprs) {
				a, err := exprs[i].Eval(stop.Frame(0, 0))
				if err != nil {
					fmt.Fprintf(&b, "{%v}", err)
				} else {
					b.WriteString(a.Summary())
				}
			}
		}
		return b.String()
	}, nil
}

// rewatch tells the runner what to stop at.
func (s *session) rewatch() {
	w := &debug.Watchlist{Errors: s.watch.Errors, NaN: s.watch.NaN, Breakpoints: make(map[ir.Op][]*debug.Breakpoint)}
	for _, file := range slices.Sorted(maps.Keys(s.points)) {
		for _, p := range s.points[file] {
			for _, k := range s.kernels {
				for _, op := range k.Heads(file, p.Line) {
					w.Breakpoints[op] = append(w.Breakpoints[op], &p.Breakpoint)
				}
			}
		}
	}
	s.runner.Watch(w)
}

func (s *session) breakpointLocations(r *dap.BreakpointLocationsRequest) {
	list := []dap.BreakpointLocation{}
	if a := r.Arguments; a != nil {
		last := max(a.Line, a.EndLine)
		if file := s.fileOf(a.Source); file != "" {
			for _, n := range s.linesOf(file) {
				if n -= 1 - s.first; n >= a.Line && n <= last {
					list = append(list, dap.BreakpointLocation{Line: n})
				}
			}
		}
	}
	s.send(&dap.BreakpointLocationsResponse{Response: to(&r.Request), Body: dap.BreakpointLocationsResponseBody{Breakpoints: list}})
}
