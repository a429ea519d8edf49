package schedule

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// known keeps what attempts have found. To choose its plan, a kernel is compiled for each candidate and then once more,
// and versions of a loop may pose one problem: half of all attempts of such kernels have been made before.
var known = struct {
	sync.Mutex
	found map[[sha256.Size]byte]answer
}{found: make(map[[sha256.Size]byte]answer)}

// mostKnown bounds what is known, which then begins anew: a compilation makes up to some thousand attempts, nearly all of
// which find nothing.
const mostKnown = 1 << 14

// An answer is what modulo.At returns.
type answer struct {
	s   *modulo.Schedule
	why string
	err error
}

// at is modulo.At, which asks each question once.
func at(p *modulo.Problem, ii int) (*modulo.Schedule, string, error) {
	key := keyOf(p, ii)
	known.Lock()
	a, ok := known.found[key]
	known.Unlock()
	if !ok {
		s, why, err := modulo.At(p, ii)
		a = answer{s, why, err}
		known.Lock()
		if len(known.found) >= mostKnown {
			clear(known.found)
		}
		known.found[key] = a
		known.Unlock()
	}
	if a.s == nil {
		return nil, a.why, a.err
	}
	return &modulo.Schedule{II: ii, Cycle: slices.Clone(a.s.Cycle)}, a.why, a.err // callers move operations
}

// keyOf is a hash of a problem, names included, since reasons have them.
func keyOf(p *modulo.Problem, ii int) [sha256.Size]byte {
	b := make([]byte, 0, 1<<12)
	number := func(list ...int) {
		for _, n := range list {
			b = binary.AppendVarint(b, int64(n))
		}
	}
	name := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	number(ii, len(p.Units), len(p.Ops), len(p.Edges), len(p.Values), len(p.Classes))
	for _, u := range p.Units {
		name(u)
	}
	for _, op := range p.Ops {
		name(op.Name)
		number(len(op.Uses))
		for _, u := range op.Uses {
			number(u.Unit, u.At, u.Cycles)
		}
	}
	for _, e := range p.Edges {
		number(e.From, e.To, e.Latency, e.Distance, int(e.Kind))
	}
	for _, v := range p.Values {
		number(v.Def, v.Size, v.Class, len(v.Readers))
		for _, r := range v.Readers {
			number(r.Op, r.Distance, r.Hold)
		}
	}
	for _, c := range p.Classes {
		buffered := 0
		if c.Buffered {
			buffered = 1
		}
		name(c.Name)
		number(c.Limit, buffered)
	}
	return sha256.Sum256(b)
}
