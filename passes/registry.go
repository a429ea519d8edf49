package passes

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// A Registry holds passes in the order of their registration. The zero Registry is empty and ready for use.
type Registry struct {
	mu     sync.RWMutex
	passes []*Pass
	byName map[string]*Pass // by all their names, the former ones too
	named  []*Named

	rejected []error // see reject
}

// Default is the registry that Register adds to, and that the tools use.
var Default = new(Registry)

// Register adds a pass to the default registry and returns it. It is for package-level variables and init functions; a
// faulty pass panics at start-up.
func Register(p *Pass) *Pass {
	if p.On == "" && p.Level() != nil {
		p.On = p.Level().Unit()
	} else if p.On == Anything {
		p.On = ""
	}
	if err := Default.Add(p); err != nil {
		// The caller's position points to the declaration of the pass.
		at := ""
		if _, file, line, ok := runtime.Caller(1); ok {
			at = fmt.Sprintf("%s:%d: ", file, line)
		}
		Default.reject(fmt.Errorf("%s%w", at, err))
	}
	return p
}

// reject notes a pass that could not be added. Users of the registry ask for it (Err). A panic during package
// initialization would show a stack of this program to an author who forgot a field.
func (r *Registry) reject(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rejected = append(r.rejected, err)
}

// Err returns what is wrong with the passes that Register was given, or nil. Tools ask before they do anything.
func (r *Registry) Err() error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return errors.Join(r.rejected...)
}

// Add validates a pass and adds it.
func (r *Registry) Add(p *Pass) error {
	if err := Validate(p); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range p.Names() {
		switch other := r.byName[name]; {
		case other == nil:
		case other.Name == p.Name:
			return fmt.Errorf("pass '%s' is registered twice", p.Name)
		default:
			return fmt.Errorf("pass '%s' cannot be called '%s', which is or was a name of pass '%s'", p.Name, name, other.Name)
		}
	}
	if r.byName == nil {
		r.byName = make(map[string]*Pass)
	}
	for _, name := range p.Names() {
		r.byName[name] = p
	}
	r.passes = append(r.passes, p)
	return nil
}

// Lookup returns the pass that has that name, or had it (Pass.Formerly), or nil.
func (r *Registry) Lookup(name string) *Pass {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byName[name]
}

// Passes returns the passes in the order of their registration.
func (r *Registry) Passes() []*Pass {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.passes)
}

// CheckEdges reports the edges of registered passes that name no registered pass or step. It cannot be done by Add,
// since the other pass may be registered later.
func (r *Registry) CheckEdges() error {
	for _, p := range r.Passes() {
		for _, e := range p.allEdges() {
			name, label, hasLabel := strings.Cut(e.Pass, "#")
			other := r.Lookup(name)
			if other == nil {
				return fmt.Errorf("pass '%s' is ordered relative to '%s', which is not registered", p.Name, e.Pass)
			}
			if hasLabel && !slices.ContainsFunc(other.Steps, func(s Step) bool { return s.Label == label }) {
				return fmt.Errorf("pass '%s' is ordered relative to '%s', but '%s' has no such step", p.Name, e.Pass, name)
			}
		}
	}
	return nil
}

func (p *Pass) allEdges() []Edge {
	edges := slices.Concat(p.After, p.Before)
	for _, s := range p.Steps {
		edges = append(edges, s.After...)
		edges = append(edges, s.Before...)
	}
	return edges
}

// Validate reports what is wrong with the declaration of a pass.
func Validate(p *Pass) error {
	if !kebab(p.Name) {
		return fmt.Errorf("pass name '%s' is not in kebab case", p.Name)
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("pass '%s' %s", p.Name, fmt.Sprintf(format, args...))
	}
	for i, name := range p.Formerly {
		if !kebab(name) || slices.Contains(p.Names()[:i+1], name) {
			return fail("has a former name '%s' that is not in kebab case or occurs twice", name)
		}
	}
	switch {
	case p.Summary == "" || strings.HasSuffix(p.Summary, ".") || strings.Contains(p.Summary, "\n"):
		return fail("needs a summary (Summary) of one line without a full stop")
	case strings.TrimSpace(p.Doc) == "":
		return fail("has no documentation (Doc)")
	case p.Run == nil:
		return fail("has no Run function")
	case p.On != "" && !strings.Contains(p.On, "."):
		return fail("is anchored on '%s', which is not the full name of an operation", p.On)
	case p.When != nil && p.WhenDoc == "":
		return fail("depends on the target but does not say how (WhenDoc)")
	}
	for _, check := range []func(*Pass) error{checkProperties, checkSteps, checkOptions, checkStatistics} {
		if err := check(p); err != nil {
			return fail("%v", err)
		}
	}
	return nil
}

func checkProperties(p *Pass) error {
	for _, list := range []struct {
		verb  string
		props []*Property
	}{{"requires", p.Requires}, {"establishes", p.Establishes}, {"destroys", p.Destroys}} {
		levels := 0
		for _, prop := range list.props {
			if prop == nil || PropertyNamed(prop.Name) != prop {
				return fmt.Errorf("%s a property that was not declared with NewProperty or NewLevel", list.verb)
			}
			if prop.IsLevel() {
				levels++
			}
		}
		if levels > 1 && list.verb != "destroys" {
			return fmt.Errorf("%s more than one level", list.verb)
		}
	}
	return nil
}

func checkSteps(p *Pass) error {
	seen := make(map[string]bool)
	for _, s := range p.Steps {
		if s.Label != "" && !kebab(s.Label) {
			return fmt.Errorf("has a step label '%s' that is not in kebab case", s.Label)
		}
		if seen[s.Label] {
			return fmt.Errorf("has two steps with the label '%s'", s.Label)
		}
		seen[s.Label] = true
		switch own := p.Level(); {
		case s.Level == nil && own == nil:
			return fmt.Errorf("has a step '%s' without a level, and requires none", p.ID(s))
		case s.Level != nil && !s.Level.IsLevel():
			return fmt.Errorf("has a step '%s' at '%s', which is no level", p.ID(s), s.Level)
		case s.On != "" && (p.On != "" || !strings.Contains(s.On, ".")):
			return fmt.Errorf("has a step '%s' on '%s', which is not the full name of an operation, or that of a pass with one of its own", p.ID(s), s.On)
		case s.Level != nil && own != nil && s.Level != own:
			return fmt.Errorf("has a step '%s' at '%s', but requires '%s'", p.ID(s), s.Level, own)
		}
	}
	for _, e := range p.allEdges() {
		if e.Reason == "" {
			return fmt.Errorf("is ordered relative to '%s' without a reason", e.Pass)
		}
		if name, _, _ := strings.Cut(e.Pass, "#"); name == p.Name && name == e.Pass {
			return fmt.Errorf("is ordered relative to itself")
		}
	}
	return nil
}

func checkOptions(p *Pass) error {
	if p.Options == nil {
		return nil
	}
	opts := p.Options()
	if t := reflect.TypeOf(opts); t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("has options that are no pointer to a struct")
	}
	t := reflect.TypeOf(opts).Elem()
	seen := make(map[string]bool)
	for i := range t.NumField() {
		name := t.Field(i).Tag.Get("opt")
		if name == "" {
			continue
		}
		// Former names share the namespace, or an old script would set another option.
		for _, name := range optionNames(t.Field(i)) {
			if !kebab(name) || seen[name] {
				return fmt.Errorf("has an option name '%s' that is not in kebab case or occurs twice", name)
			}
			seen[name] = true
		}
		switch {
		case !t.Field(i).IsExported():
			return fmt.Errorf("has an option '%s' on a field that is not exported", name)
		case t.Field(i).Tag.Get("help") == "":
			return fmt.Errorf("has an option '%s' without help", name)
		case typeName(t.Field(i).Type) == "" || strings.HasSuffix(typeName(t.Field(i).Type), " of "):
			return fmt.Errorf("has an option '%s' of the unsupported type %s", name, t.Field(i).Type)
		}
	}
	return nil
}

func checkStatistics(p *Pass) error {
	seen := make(map[string]bool)
	for _, s := range p.Statistics {
		if s == nil || !kebab(s.Name) || s.Doc == "" || seen[s.Name] {
			return fmt.Errorf("has a statistic without a name in kebab case or without documentation, or twice")
		}
		seen[s.Name] = true
	}
	return nil
}

// kebab reports whether s is lower-case words of letters and digits, joined by single hyphens, starting with a letter.
func kebab(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' || strings.HasSuffix(s, "-") || strings.Contains(s, "--") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}
