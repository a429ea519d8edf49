package hb

// Sem is the semantics of an operation that synchronises.
type Sem uint8

// The semantics.
const (
	Relaxed Sem = iota
	Acquire
	Release
	AcqRel
)

// Scope is the threads that a synchronisation reaches.
type Scope uint8

// The scopes.
const (
	InCTA Scope = iota
	InCluster
	GPU
	Sys
	byOperation // of an asynchronous operation, which reaches whoever waits for it
)

// An Order is what an instruction says of synchronisation.
type Order struct {
	Sem    Sem
	Scope  Scope
	Strong bool // a memory access that is atomic or strong
	Atomic bool // one that reads and writes
	Result bool // its results depend on the schedule
	Wait   bool // it is a wait for an mbarrier
	Polled bool // they only decide whether it is executed again
	// Bases are the registers that addresses come from.
	Bases []int32
	Reads bool // a strong access reads
}

// variable is a word through which strong accesses synchronise.
type variable struct{ shares []share }

// fence is the last fence of a warp.
type fence struct {
	v     *view
	scope Scope
}

// maxVariables bounds the words.
const maxVariables = 1 << 16

// Synchronise says that a strong access reads or writes a word, at the place that it has in its space.
func (w *Warp) Synchronise(space Space, rank int, addr uint64, write bool) {
	o := w.order
	if o == nil || !o.Strong || w.c.muted > 0 {
		return
	}
	at, vars := place{rank, addr}, w.c.vars
	if space == Global {
		at.rank, vars = -1, w.c.l.vars
	}
	v := vars[at]
	if v == nil {
		if len(vars) >= maxVariables {
			note(&w.c.l.report.Unchecked, "synchronisation through more than %d words", maxVariables)
			return
		}
		v = new(variable)
		vars[at] = v
	}
	if (!write || o.Atomic) && len(v.shares) > 0 {
		acquires := o.Sem == Acquire || o.Sem == AcqRel
		if acquires || w.c.l.Fences { // who comes first decides what is ordered
			s := w.c.l.Site(w.pc)
			w.c.l.depends(w.pc, 0, "what '%s' at line %d orders depends on what it reads", s.Instruction, s.Line)
		}
		w.acquire(v.shares, o.Scope, acquires)
		if !acquires && w.c.l.Fences { // a fence after it acquires
			for _, s := range v.shares {
				if s.reaches(w, o.Scope) {
					w.acquired = append(w.acquired, share{s.cluster, s.rank, s.scope, s.v.clone()})
				}
			}
		}
	}
	if !write {
		return
	}
	switch {
	case o.Sem == Release || o.Sem == AcqRel:
		v.shares = release(v.shares, w, w.hand(), o.Scope, true)
		w.released = true
	default:
		v.shares = release(v.shares, w, w.hand(), o.Scope, false)
		if w.fenced != nil { // the fence before it releases
			v.shares = release(v.shares, w, w.fenced.v, min(o.Scope, w.fenced.scope), true)
		}
		w.released = true
	}
}

// Fence says that the warp executes a fence of a scope.
func (w *Warp) Fence(scope Scope) {
	w.flush()
	if len(w.acquired) > 0 {
		w.acquire(w.acquired, scope, true)
		w.acquired = w.acquired[:0]
	}
	w.fenced = &fence{w.hand().clone(), scope}
	w.tick()
}

// FenceProxy says that the warp executes fence.proxy.async of shared memory, global memory, or both.
func (w *Warp) FenceProxy(shared, global bool) {
	w.flush()
	w.each(func(v *view) {
		if shared {
			v.async.join(&v.ordered)
		}
		if global {
			v.global.join(&v.ordered)
		}
	})
	w.tick()
}

// FenceMaps says that the warp executes a fence between the generic proxy and that of tensor maps: one that releases
// what is before it, or one that acquires.
func (w *Warp) FenceMaps(acquire bool) {
	w.flush()
	if acquire {
		w.each(func(v *view) { v.mapped.join(&v.maps) })
		return
	}
	w.each(func(v *view) { v.maps.join(&v.ordered) })
	w.tick()
}

// FenceTensor says that the warp executes tcgen05.fence::before_thread_sync or, with after, the other one.
func (w *Warp) FenceTensor(after bool) {
	w.flush()
	if after {
		w.each(func(v *view) { w.tensor.join(&v.before) })
		return
	}
	w.each(func(v *view) { v.before.join(&v.ordered) })
}
