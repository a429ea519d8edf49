package schedule

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// known keeps what attempts have found. To choose its plan, a kernel is compiled for each candidate and then once more,
// and versions of a loop may pose one problem: half of all attempts of such kernels have been made before.
var known = struct {
	sync.Mutex
	found map[uint64]answer
}{found: make(map[uint64]answer)}

// seed is that of hashes of 64 bits: two of mostKnown questions have one in a compilation of 2^36.
var seed = maphash.MakeSeed()

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
func keyOf(p *modulo.Problem, ii int) uint64 {
	h := maphash.Hash{}
	h.SetSeed(seed)
	maphash.WriteComparable(&h, [...]int{ii, len(p.Ops), len(p.Values)})
	maphash.WriteComparable(&h, p.Backwards)
	add(&h, p.Units)
	add(&h, p.Edges)
	add(&h, p.Classes)
	for _, op := range p.Ops {
		maphash.WriteComparable(&h, op.Name)
		add(&h, op.Uses)
	}
	for _, v := range p.Values {
		maphash.WriteComparable(&h, [...]int{v.Def, v.Size, v.Class})
		add(&h, v.Readers)
	}
	return h.Sum64()
}

// add adds a list to a hash, with its length.
func add[T comparable](h *maphash.Hash, list []T) {
	maphash.WriteComparable(h, len(list))
	for _, x := range list {
		maphash.WriteComparable(h, x)
	}
}
