package serve

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// repeats knows what slow launches left in memory. The same kernel with the same arguments, on memory with the same
// contents, leaves the same: so a launch that repeats one is answered without running.
//
//	for i in range(10): softmax(x, y)     the first launch is slow, the second is kept, the third is like the second
//
// Programs that measure launch so, and what they measure says nothing about a GPU. A kernel that only atomics order may
// leave something else each time. It then gets one of the results that it may have.
type repeats struct {
	seed maphash.Seed
	fast time.Duration // launches that take less are not looked at

	mu     sync.Mutex
	slow   map[kernelKey]bool // kernels that are worth the search
	kept   map[string]left    // by what was launched
	oldest []string
	bytes  int
}

type kernelKey struct {
	module uint64
	entry  string
}

// left is what a launch left: the contents of the segments that it wrote.
type left [][]byte

// The search for an equal launch reads the memory, at more than searchSpeed. So it costs little of a launch that takes
// longer than that, and long.
const (
	fastLaunch  = 20 * time.Millisecond
	searchSpeed = 1 << 30 // bytes of memory for each second of a launch
)

// Limits of what is kept.
const (
	maxKept      = 256
	maxKeptBytes = 512 << 20
)

func newRepeats() *repeats {
	return &repeats{seed: maphash.MakeSeed(), fast: fastLaunch, slow: make(map[kernelKey]bool), kept: make(map[string]left)}
}

// launch runs a launch, or does what an equal one did. The function runs it, and says whether it printed nothing. A launch
// that prints, or that there are warnings about, always runs.
func (p *repeats) launch(m *module, r *request, req *launch.Request, run func() (beyond []outside, silent bool, err error)) ([]outside, error) {
	what, ok := p.identify(m, r, req)
	p.mu.Lock()
	l := p.kept[what]
	p.mu.Unlock()
	if l != nil {
		l.restore(req)
		return nil, nil
	}
	start := time.Now()
	beyond, silent, err := run()
	switch {
	case err != nil || !silent || beyond != nil:
	case ok:
		p.keep(what, written(req))
	default:
		p.time(r, req, time.Since(start))
	}
	return beyond, err
}

// identify returns what is launched, with a hash of the memory before it. It does so for kernels that are known to be
// slow.
func (p *repeats) identify(m *module, r *request, req *launch.Request) (what string, ok bool) {
	p.mu.Lock()
	slow := p.slow[kernelKey{r.Module, r.Entry}]
	p.mu.Unlock()
	if !slow || r.Again {
		return "", false
	}
	same := r.launchRequest
	same.Timeout, same.Progress = 0, 0
	same.Args, same.Segments = slices.Clone(same.Args), slices.Clone(same.Segments)
	for i := range same.Segments {
		same.Segments[i].At = nil // a kernel does not see where the client has put the memory
	}
	if m.byViews && (same.Engine == "" || same.Engine == "interp") {
		same.relocate(req)
	}
	key, err := json.Marshal(same)
	if err != nil {
		return "", false
	}
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, g := range req.Segments {
		_, _ = h.Write(g.Data)
	}
	return fmt.Sprintf("%d %x %s", r.Module, h.Sum64(), key), true
}

// relocate replaces addresses by what a kernel notices of them that accesses memory by views only: alignment, and for
// pointers the place in a segment.
func (r *launchRequest) relocate(req *launch.Request) {
	const alignment = 256 // bytes: the largest that the engines look at
	for i, a := range req.Args {
		if a.Scalar.DType != launch.Ptr {
			continue
		}
		for k, g := range req.Segments {
			if g.Addr <= a.Scalar.Bits && a.Scalar.Bits < g.End() {
				r.Args[i] = uint64(k)<<48 | (a.Scalar.Bits - g.Addr)
				break
			}
		}
	}
	for i := range r.Segments {
		r.Segments[i].Address %= alignment
	}
}

// time notes whether a kernel is slow.
func (p *repeats) time(r *request, req *launch.Request, took time.Duration) {
	bytes := 0
	for _, g := range req.Segments {
		bytes += len(g.Data)
	}
	if took < p.fast || took.Seconds() < float64(bytes)/searchSpeed {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slow[kernelKey{r.Module, r.Entry}] = true
}

// written returns copies of the segments that a launch has written.
func written(req *launch.Request) left {
	out := make(left, len(req.Segments))
	for i, g := range req.Segments {
		if g.Written() {
			out[i] = slices.Clone(g.Data)
		}
	}
	return out
}

// keep keeps what a launch has left, and forgets the oldest ones that there is no room for.
func (p *repeats) keep(what string, l left) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(what)
	p.kept[what] = l
	p.oldest = append(p.oldest, what)
	p.bytes += l.bytes()
	for len(p.oldest) > maxKept || p.bytes > maxKeptBytes {
		p.drop(p.oldest[0])
	}
}

// drop forgets a launch.
func (p *repeats) drop(what string) {
	l := p.kept[what]
	if l == nil {
		return
	}
	p.bytes -= l.bytes()
	delete(p.kept, what)
	p.oldest = slices.DeleteFunc(p.oldest, func(s string) bool { return s == what })
}

func (l left) bytes() (n int) {
	for _, b := range l {
		n += len(b)
	}
	return n
}

// restore makes memory what the launch left.
func (l left) restore(req *launch.Request) {
	for i, g := range req.Segments {
		if l[i] != nil {
			copy(g.Data, l[i])
			g.MarkWritten()
		}
	}
}
