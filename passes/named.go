package passes

import (
	"fmt"
	"slices"
	"strings"
)

// A Named is a pipeline that has a name, which stands for its elements in textual pipelines.
type Named struct {
	// Name is in kebab case, and is that of no pass.
	Name string
	// Summary is one line without a full stop.
	Summary string
	// Elements is the list of passes and nests as in a textual pipeline: "canonicalize,cse".
	Elements string
}

// RegisterPipeline names a pipeline in the default registry. It is for package-level variables; a faulty one is
// reported like a faulty pass.
func RegisterPipeline(n *Named) *Named {
	if err := Default.AddPipeline(n); err != nil {
		Default.reject(err)
	}
	return n
}

// AddPipeline names a pipeline.
func (r *Registry) AddPipeline(n *Named) error {
	switch {
	case !kebab(n.Name):
		return fmt.Errorf("pipeline name '%s' is not in kebab case", n.Name)
	case n.Summary == "" || strings.HasSuffix(n.Summary, ".") || strings.Contains(n.Summary, "\n"):
		return fmt.Errorf("pipeline '%s' needs a summary (Summary) of one line without a full stop", n.Name)
	case strings.TrimSpace(n.Elements) == "":
		return fmt.Errorf("pipeline '%s' has no elements", n.Name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.named, func(o *Named) bool { return o.Name == n.Name }) {
		return fmt.Errorf("pipeline '%s' is registered twice", n.Name)
	}
	r.named = append(r.named, n)
	return nil
}

// Pipelines returns the named pipelines in the order of their names.
func (r *Registry) Pipelines() []*Named {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := slices.Clone(r.named)
	slices.SortFunc(out, func(a, b *Named) int { return strings.Compare(a.Name, b.Name) })
	return out
}
