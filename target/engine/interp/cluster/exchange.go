package cluster

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/access"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{tileas.RemoteLoad: {Run: remoteLoad}})
	for _, l := range core.Levels {
		core.Define(core.Table{l.AllGather: {Run: allGather}})
	}
}

// allGather waits until all CTAs have contributed their parts.
func allGather(d *core.Decoder, op ir.Op) (core.Action, error) {
	dim, _ := op.IntAttr(tile.AttrDim)
	part, whole := values.ShapeOf(op.Operand(0)), values.ShapeOf(op.Result(0))
	in, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	inner, n := values.Count(part[dim:]), values.Count(whole)
	return func(m *core.Machine) error {
		peers, err := m.PeersOf(op)
		if err != nil {
			return err
		}
		x, err := bring(m.CTA, op, m.Vals[in])
		if err != nil {
			return err
		}
		all := func() bool { return !slices.Contains(x.Parts, nil) }
		if err := m.CTA.HandOver(op, all, func() string { return fmt.Sprintf("CTA %d has not arrived", slices.Index(x.Parts, nil)) }); err != nil {
			return err
		}
		v := m.Alloc(n)
		for i := range v.Data {
			// The parts are concatenated along the dimension, so a row of the result has an inner of each CTA.
			row, at := i/(inner*len(peers)), i%(inner*len(peers))
			from := x.Parts[at/inner]
			k := row*inner + at%inner
			if v.Data[i] = from.Data[k]; from.IsUndef(k) {
				v.MarkUndef(i)
			}
		}
		m.Put(out, v)
		x.Left--
		return nil
	}, nil
}

// bring contributes the part of a CTA to the exchange that it joins: its n-th all_gather joins the cluster's n-th
// exchange.
func bring(t *core.CTA, op ir.Op, v *values.Vec) (*core.Exchange, error) {
	c, n := t.Cluster, len(t.Cluster.Ctas)
	if t.Exchanges == c.Made {
		c.Open, c.Made = append(c.Open, &core.Exchange{Op: op, Parts: make([]*values.Vec, n), Left: n}), c.Made+1
	}
	x := c.Open[len(c.Open)-(c.Made-t.Exchanges)]
	if t.Exchanges++; x.Op != op {
		return nil, op.Errorf("is where CTA %d waits while another one waits at '%s': all must reach the same", t.Rank, x.Op.Name()).Note(x.Op.Loc(), "the other one")
	}
	// A copy: the CTA may reuse its own tile before the others have read it.
	x.Parts[t.Rank] = &values.Vec{Data: append([]uint64(nil), v.Data...), Undef: append([]bool(nil), v.Undef...)}
	for len(c.Open) > 0 && c.Open[0].Left == 0 {
		c.Open = c.Open[1:]
	}
	return x, nil
}

// remoteLoad loads from another CTA's shared memory.
func remoteLoad(d *core.Decoder, op ir.Op) (core.Action, error) {
	t, address, err := access.Local(d, op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	d.Program.Remote = true
	out, number, acc := d.Result(op, 0), d.Slot(op.Operand(1)), onchip.LocalAccess(op, t, op.Result(0).Type(), false)
	return func(m *core.Machine) error {
		peers, err := m.PeersOf(op)
		if err == nil {
			err = m.Defined(op, number, nil, "number of a CTA")
		}
		if err != nil {
			return err
		}
		i := uint64(uint32(m.Vals[number].Data[0]))
		if i >= uint64(len(peers)) {
			return op.Errorf("number of a CTA must be from 0 to %d, but is %d", len(peers)-1, i)
		}
		at, err := address(m)
		if err != nil {
			return err
		}
		peer := peers[i]
		if err := peer.Alive(op); err != nil {
			return err
		}
		lo, hi := at.Address(), at.Address()+acc.Bytes
		if peer != m.CTA {
			for _, w := range peer.Stored {
				if w.Lo < hi && lo < w.Hi {
					return op.Errorf("loads what CTA %d has stored in '%s', with no cluster barrier in between", i, w.Op.Name()).Note(w.Op.Loc(), "the store")
				}
			}
			peer.ReadBy = onchip.Note(peer.ReadBy, onchip.RemoteAccess{Op: op, Lo: lo, Hi: hi})
		}
		v := peer.Shared.Load(&peer.Pool, at, t)
		m.Put(out, m.CopyOf(v))
		peer.Release(v)
		if err := m.Meets(acc, at); err != nil {
			return err
		}
		return m.LetOthers(op)
	}, nil
}
