package pipeline

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// Trial implements what passes.Run.Trial asks for.
//
// The copy stands in a module of its own, because other workers change the other units meanwhile. Nothing of a trial
// is verified, recorded or reported: the variant that is chosen is compiled again, with all of that.
func (rep *reporter) Trial(unit ir.Op, v passes.Variant) (passes.Price, error) {
	r := rep.r
	rest, level := r.rest(rep.it)
	if rest == nil {
		return passes.Price{}, passes.ErrNoTrial
	}
	root, copied := aloneIn(r.root, unit)
	if v.Change != nil {
		v.Change(copied)
	}
	r.mu.Lock()
	kernels := r.kernels
	r.mu.Unlock()
	if v.Pass != nil {
		kernels = kernels.with(unit.SymbolName(), v.Pass.Name, v.Options)
	}
	trial := &Manager{Target: r.target, Plan: r.Plan, Input: &Input{Level: rep.t.state.level}, Kernels: kernels, NoVerify: true, Workers: 1, mute: true}
	if _, err := trial.Run(r.ctx, rest, root); err != nil {
		return passes.Price{}, err
	}
	price := passes.PricerOf(level)
	var most passes.Price
	var err error
	eachUnit(root, func(u ir.Op) {
		if err != nil {
			return
		}
		var p passes.Price
		if p, err = price(u, r.target); p.Cycles > most.Cycles {
			most = p
		}
	})
	return most, err
}

// Alternatives implements what passes.Run.Alternatives asks for.
func (rep *reporter) Alternatives(unit ir.Op) (out []passes.Variant) {
	rest, _ := rep.r.rest(rep.it)
	if rest == nil {
		return nil
	}
	rest.Walk(func(_ *OpPipeline, it Item) {
		if noPlan(it.Pass) != "" {
			return
		}
		options := it.Options
		if own, ok := rep.r.kernelOptions(unit, it.Pass); ok {
			options = own
		}
		now := optionsText(options)
		for _, o := range passes.DescribeOptions(options) {
			for _, value := range o.Try {
				other, err := parseItem(it.Pass, now)
				if err != nil || value == o.Value || passes.SetOption(other.Options, o.Name, value) != nil {
					continue
				}
				out = append(out, passes.Variant{Pass: it.Pass, Options: optionsText(other.Options), Name: it.Pass.Name + "{" + o.Name + "=" + value + "}"})
			}
		}
	})
	return out
}

// Adopt implements what passes.Run.Adopt asks for.
func (rep *reporter) Adopt(unit ir.Op, v passes.Variant) {
	rep.r.mu.Lock()
	defer rep.r.mu.Unlock()
	rep.r.kernels = rep.r.kernels.with(unit.SymbolName(), v.Pass.Name, v.Options)
}

// rest returns what follows an item in the pipeline, as far as the last level that has a price, and that level; nil
// where no such level is reached.
func (r *running) rest(after *Item) (*Pipeline, *passes.Property) {
	type placed struct {
		path []string
		item Item
	}
	var follow []placed
	behind := false
	var walk func(n *OpPipeline, path []string)
	walk = func(n *OpPipeline, path []string) {
		for i := range n.Items {
			it := &n.Items[i]
			switch {
			case it.Nest != nil:
				walk(it.Nest, append(slices.Clone(path), it.Nest.Op))
			case behind:
				follow = append(follow, placed{path, *it})
			default:
				behind = it == after
			}
		}
	}
	walk(r.pipeline.Root, nil)

	var reached *passes.Property
	end := 0
	level := after.Pass.Level()
	for i, f := range follow {
		if to := f.item.Pass.TargetLevel(); to != nil {
			level = to
		}
		if level != nil && passes.PricerOf(level) != nil {
			reached, end = level, i+1
		}
	}
	if reached == nil {
		return nil, nil
	}
	out := New(r.pipeline.Root.Op)
	for _, f := range follow[:end] {
		out.Append(f.path, f.item)
	}
	return out, reached
}

// aloneIn copies root with unit, and without the other units inside it. It reads no other unit, which another worker
// may be changing.
func aloneIn(root, unit ir.Op) (copied, copiedUnit ir.Op) {
	m := ir.NewMapping()
	var clone func(b *ir.Builder, op ir.Op) ir.Op
	clone = func(b *ir.Builder, op ir.Op) ir.Op {
		st := b.NewState(op.Def(), op.Loc())
		st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
		for i := range op.NumRegions() {
			region := st.AddRegion()
			for block := range op.Region(i).Blocks() {
				inner := ir.NewBuilder(region.Arena())
				inner.SetInsertionPointToEnd(region.AddBlock())
				for child := range block.Ops() {
					switch {
					case child == unit:
						copiedUnit = inner.Clone(child, m)
					case child.IsAncestorOf(unit):
						clone(inner, child)
					case !isUnit(child) && !child.HasTrait(ir.SymbolTable):
						inner.Clone(child, m)
					}
				}
			}
		}
		return b.Insert(st)
	}
	return clone(ir.NewBuilder(root.Context().NewArena()), root), copiedUnit
}
