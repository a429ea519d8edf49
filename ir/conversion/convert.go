package conversion

import (
	"errors"
	"runtime"
	"sort"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// A Conversion is a configured conversion. It may be run on several operations at once.
type Conversion struct {
	Types    *TypeConverter
	Target   *Target
	Patterns []Pattern
	// Partial keeps operations of unknown legality that no pattern converts, and admits casts that remain.
	Partial bool
	// Cast is the row of the operation that stands for a materialisation without a hook: any number of operands, any number of results, pure.
	// Nil: such a materialisation is an error.
	Cast *ir.OpDef
	// Workers bounds how many isolated operations are converted at a time; 0: as many as there are processors.
	Workers int
}

// Run converts everything inside root, and leaves root as it is when that fails. The error is an *ir.Diagnostic, or several joined by
// errors.Join in the order of the isolated operations; nothing has been emitted.
func (conv *Conversion) Run(root ir.Op) error {
	r := &runner{conv: conv, byRoot: make(map[*ir.OpDef][]*Pattern)}
	for i := range conv.Patterns {
		r.patterns = append(r.patterns, &conv.Patterns[i])
	}
	sort.SliceStable(r.patterns, func(i, j int) bool { return r.patterns[i].Benefit > r.patterns[j].Benefit })
	for _, p := range r.patterns {
		if p.Root != nil && r.byRoot[p.Root] == nil {
			for _, q := range r.patterns {
				if q.Root == nil || q.Root == p.Root {
					r.byRoot[p.Root] = append(r.byRoot[p.Root], q)
				}
			}
		} else if p.Root == nil {
			r.anyRoot = append(r.anyRoot, p)
		}
	}
	out := make([]ir.Region, root.NumRegions())
	s := newState(r, root)
	var err error
	for i := range out {
		out[i] = root.InnerArena().NewRegion()
		// Root's own block arguments keep their types: whoever owns root converts them.
		if err = s.region(root.Region(i), out[i], s.keepArgs(root.Region(i))); err != nil {
			break
		}
	}
	if err == nil {
		err = s.finish()
	}
	if err == nil {
		err = r.all(s.tasks)
	}
	if err != nil {
		for _, region := range out {
			if !region.IsNil() {
				eraseBlocks(region)
			}
		}
		return err
	}
	for i, region := range out {
		eraseBlocks(root.Region(i))
		root.Region(i).TakeBlocks(region)
	}
	return nil
}

func eraseBlocks(r ir.Region) {
	for b := range r.Blocks() {
		b.Erase()
	}
}

// A runner is what the states of one run share.
type runner struct {
	conv     *Conversion
	patterns []*Pattern
	anyRoot  []*Pattern
	byRoot   map[*ir.OpDef][]*Pattern
}

func (r *runner) of(def *ir.OpDef) []*Pattern {
	if list, ok := r.byRoot[def]; ok {
		return list
	}
	return r.anyRoot
}

// A task is a region of an isolated operation that is yet to be converted.
type task struct {
	src, dst ir.Region
	sig      *Signature
}

// all converts regions of isolated operations and those inside them, in parallel.
func (r *runner) all(tasks []*task) error {
	workers := r.conv.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for len(tasks) > 0 {
		errs := make([]error, len(tasks))
		found := make([][]*task, len(tasks))
		run := func(i int) {
			t := tasks[i]
			s := newState(r, t.src.Op())
			if errs[i] = s.region(t.src, t.dst, t.sig); errs[i] == nil {
				errs[i] = s.finish()
			}
			found[i] = s.tasks
		}
		var wg sync.WaitGroup
		var panics ir.Panics
		next := make(chan int)
		for range min(workers, len(tasks)) {
			wg.Go(func() {
				for i := range next {
					func() {
						defer panics.Keep()
						run(i)
					}()
				}
			})
		}
		for i := range tasks {
			next <- i
		}
		close(next)
		wg.Wait()
		panics.Again()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		tasks = nil
		for _, inner := range found {
			tasks = append(tasks, inner...)
		}
	}
	return nil
}
