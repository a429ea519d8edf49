package cluster

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A Half is one CTA's share in a two-CTA MMA.
type Half struct {
	*core.PairedMMA
	key  core.PairKey
	Mine int // parity of the CTA
}

// EvenOf returns the even CTA of the pair of a machine.
func EvenOf(m *core.Machine, op ir.Op) (*core.CTA, error) {
	pair, err := PairOf(m, op)
	if err != nil {
		return nil, err
	}
	return pair[0], pair[0].Alive(op)
}

// PairOf returns the CTAs of the pair of a machine, the even one first.
func PairOf(m *core.Machine, op ir.Op) ([]*core.CTA, error) {
	peers, err := m.PeersOf(op)
	if err != nil {
		return nil, err
	}
	if len(peers)%2 != 0 {
		return nil, op.Errorf("needs pairs of CTAs, but %d share the tile block", len(peers))
	}
	return peers[m.CTA.Rank&^1:][:2], nil
}

// HalvesOf starts a two-CTA MMA in both of its CTAs.
func HalvesOf(take [2]func() *values.Vec) [2]*Half {
	both := &core.PairedMMA{Take: take}
	return [2]*Half{{PairedMMA: both}, {PairedMMA: both, Mine: 1}}
}

// HalfOf starts a two-CTA MMA in one of its CTAs, whose half of B take returns.
func HalfOf(m *core.Machine, op ir.Op, take func() *values.Vec) (*Half, error) {
	if _, err := PairOf(m, op); err != nil {
		return nil, err
	}
	c := m.CTA
	if c.Started == nil {
		c.Started = make(map[ir.Op]uint64)
	}
	h := &Half{key: core.PairKey{Pair: c.Rank / 2, Op: op, N: c.Started[op]}, Mine: c.Rank % 2}
	c.Started[op]++
	all := c.Cluster
	if all.Paired == nil {
		all.Paired = make(map[core.PairKey]*core.PairedMMA)
	}
	if all.Paired[h.key] == nil {
		all.Paired[h.key] = &core.PairedMMA{}
	}
	h.PairedMMA = all.Paired[h.key]
	h.Take[h.Mine] = take
	return h, nil
}

// Columns returns B with the columns of both CTAs, once the other CTA has started the MMA too. shape is that of one
// half.
func (h *Half) Columns(m *core.Machine, op ir.Op, shape []int64) (*values.Vec, error) {
	other := 1 - h.Mine
	if h.Take[other] == nil {
		err := m.Await(op, func() bool { return h.Take[other] != nil }, func() string { return "the MMA that the other CTA of the pair has not started" })
		if err != nil {
			return nil, err
		}
	}
	// The first CTA that gets here takes both halves: on a device, one instruction reads them.
	if h.B[0] == nil {
		h.B = [2]*values.Vec{h.Take[0](), h.Take[1]()}
	}
	n := int(shape[len(shape)-1])
	out := m.Alloc(2 * len(h.B[0].Data))
	for i := range h.B {
		for at, x := range h.B[i].Data {
			// CTA i has the i-th n columns of each row.
			to := at/n*2*n + i*n + at%n
			out.Data[to] = x
			if h.B[i].IsUndef(at) {
				if out.Undef == nil {
					out.Undef = make([]bool, len(out.Data))
				}
				out.Undef[to] = true
			}
		}
	}
	if h.Done++; h.Done == 2 {
		delete(m.CTA.Cluster.Paired, h.key)
	}
	return out, nil
}
