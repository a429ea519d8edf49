package prunetokens

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// maxSteps bounds how many tokens are looked at in all. Kernels of the corpus need some thousands.
const maxSteps = 1 << 21

// A use is an operand that is a token. Plans are for uses and not for accesses, since the operand of a merge (a
// yielded token) has a plan too.
type use struct {
	op    ir.Op
	index int
}

// A pruner decides what each use of a token becomes. It looks at the original tokens only: nothing is changed
// before all is decided.
type pruner struct {
	aliases *alias.Aliases
	graph   *tokens.Graph
	plan    map[use][]ir.Value // what changes
	planned []use              // in the order of the text
	full    map[ir.Op]bool     // accesses whose tokens cover all that they covered
	steps   int

	seen, passed, after marks                // of the walk, of going past a merge in it, and of what is after a list
	nodes               []*node              // by the numbers of tokens
	known               map[ir.Op][]ir.Value // what before has said of accesses that are decided

	edges, pruned, freed int

	may func(what string, op ir.Op) bool // passes.Run.May
}

// decide fills the plan; it reports false when that is too much work. It goes in program order, so an access is
// decided after everything that it can come after.
func (p *pruner) decide() bool {
	for _, op := range p.graph.Order {
		if tokens.Access(op) {
			p.access(op)
		}
		for _, i := range p.graph.Moves[op] {
			p.move(use{op, i})
		}
		if p.steps <= 0 {
			return false
		}
	}
	return true
}

// access decides the token that an access takes. An access is full if what comes after it comes after everything
// that it used to. A walk then stops at the access and does not look before it.
func (p *pruner) access(op ir.Op) {
	token := tokens.Of(op)
	if token.IsNil() {
		p.full[op] = true
		return
	}
	w := &walk{pruner: p, needs: func(x, loop ir.Op) bool { return p.needs(x, op, loop) }}
	w.from(token, ir.LoopAround(op, false))
	kept := p.minimal(w.kept)
	p.full[op] = !w.skipped && p.covers(w)
	direct := p.direct(token)
	p.edges += len(direct)
	if p.full[op] || sameSet(kept, direct) {
		return
	}
	lo, _ := op.OperandRange(op.Def().OperandField("token"))
	p.set(use{op, lo}, kept)
	for _, v := range direct {
		if !slices.Contains(kept, v) {
			p.pruned++
		}
	}
	if len(kept) == 0 && len(direct) > 0 {
		p.freed++
	}
}

// move decides an operand that goes into a merge: it stays complete.
func (p *pruner) move(u use) {
	token := u.op.Operand(u.index)
	direct := p.direct(token)
	complete := true
	for _, v := range direct {
		complete = complete && p.isFull(v)
	}
	if complete {
		// Nothing before it was dropped, so the merge covers what it did.
		return
	}
	w := &walk{pruner: p, needs: func(ir.Op, ir.Op) bool { return true }}
	w.from(token, ir.Op{})
	if kept := p.minimal(w.kept); !sameSet(kept, direct) {
		p.set(u, kept)
	}
}

func (p *pruner) set(u use, kept []ir.Value) {
	p.plan[u] = kept
	p.planned = append(p.planned, u)
}

// needs reports whether op must stay ordered after x, in the same iteration of a loop and those around it.
func (p *pruner) needs(x, op, loop ir.Op) bool {
	return tile.IsOrdered(x) || tile.IsOrdered(op) || p.aliases.ConflictIn(x, op, loop)
}

// isFull reports whether a token covers all that it did. A merge always does, the token of an access may not.
func (p *pruner) isFull(v ir.Value) bool {
	def := v.DefiningOp()
	return def.IsNil() || !tokens.Access(def) || p.full[def]
}

// direct returns the tokens that a token is joined of: of accesses and merges.
// The common case allocates no set.
func (p *pruner) direct(token ir.Value) []ir.Value {
	if _, ok := tokens.Joined(token); !ok {
		p.steps--
		return []ir.Value{token}
	}
	var out []ir.Value
	seen := make(map[ir.Value]bool)
	work := []ir.Value{token}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		p.steps--
		if seen[v] || p.steps < 0 {
			continue
		}
		seen[v] = true
		if from, ok := tokens.Joined(v); ok {
			work = append(work, from...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// minimal drops the tokens of a list that another one of the list comes after, as decided so far. It is quadratic
// in the tokens of one access, which are few.
func (p *pruner) minimal(kept []ir.Value) []ir.Value {
	if len(kept) < 2 {
		return kept
	}
	after := p.after.again() // what some token of the list comes after
	for _, k := range kept {
		p.reach(k, after)
	}
	return slices.DeleteFunc(slices.Clone(kept), after.has)
}

// reach adds what comes before a token, as decided, as far as it is not merged.
func (p *pruner) reach(token ir.Value, into *marks) {
	work := slices.Clone(p.before(token))
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if p.steps--; !into.add(v) || p.steps < 0 {
			continue
		}
		work = append(work, p.before(v)...)
	}
}

// before returns the tokens that an access takes, as decided, given the one that it makes; none for a merge.
func (p *pruner) before(v ir.Value) []ir.Value {
	n := p.node(v)
	def, token := n.access, n.before
	if def.IsNil() || token.IsNil() {
		return nil
	}
	if list, ok := p.known[def]; ok {
		return list
	}
	lo, _ := def.OperandRange(def.Def().OperandField("token"))
	list, ok := p.plan[use{def, lo}]
	if !ok {
		list = p.direct(token)
		// The plan of an access that is not decided yet may still change.
	}
	if _, decided := p.full[def]; decided {
		p.known[def] = list
	}
	return list
}

// covers reports whether all that a walk kept is full.
func (p *pruner) covers(w *walk) bool {
	return !slices.ContainsFunc(w.kept, func(v ir.Value) bool { return !p.isFull(v) })
}

func sameSet(a, b []ir.Value) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(v ir.Value) bool { return !slices.Contains(b, v) })
}
