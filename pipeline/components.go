package pipeline

import (
	"fmt"
	"slices"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/passes"
)

// A Component is a part of the compiler that traces what it does for developers, and that can be listened to alone.
// Every pass is one, under its name.
type Component struct{ Name, Doc string }

// Names of components that are no passes.
const (
	logManager  = "pass-manager"
	logRewrites = "rewrites"
	logBisect   = "bisect"
)

// Components lists those that are no passes.
var Components = []Component{
	{logManager, "which pass ran on what, for how long, and whether it changed anything"},
	{logRewrites, "each rewrite of a pass: its number, what it is, the operation and its place"},
	{logBisect, "what --bisect-exec tries"},
}

// A Listener says which components are listened to. The zero Listener listens to all.
type Listener struct{ only []string }

// ListenTo returns a Listener for the components of the given names; none: the zero one.
func ListenTo(reg *passes.Registry, names []string) (Listener, error) {
	names = slices.Clone(names)
	for i, n := range names {
		if p := reg.Lookup(n); p != nil {
			names[i] = p.Name
		}
	}
	known := passNames(reg)
	for _, c := range Components {
		known = append(known, c.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return Listener{}, fmt.Errorf("unknown component '%s'%s; components are the passes, %s", n, suggest.DidYouMean(n, known), componentList())
		}
	}
	return Listener{names}, nil
}

func componentList() string {
	text := ""
	for i, c := range Components {
		if i > 0 {
			text += ", "
			if i == len(Components)-1 {
				text += "and "
			}
		}
		text += c.Name
	}
	return text
}

// Of returns what a component logs to: the logger, with the name of the component, or nothing. What is about a pass
// is heard by those who listen to the pass, too.
func (l Listener) Of(log zerolog.Logger, component, pass string) zerolog.Logger {
	if l.only != nil && !slices.Contains(l.only, component) && !slices.Contains(l.only, pass) {
		return zerolog.Nop()
	}
	return log.With().Str("component", component).Logger()
}

// rewrites reports whether a rewrite may be logged. Passes run one at a time then, so that numbers have an order.
func (l Listener) rewrites(log zerolog.Logger) bool {
	heard := func(component string) bool { return component != logManager && component != logBisect }
	return log.Trace().Enabled() && (l.only == nil || slices.ContainsFunc(l.only, heard))
}

// Bisect returns what the search for a rewrite logs to.
func (l Listener) Bisect(log zerolog.Logger) zerolog.Logger { return l.Of(log, logBisect, "") }
