package unrollloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
)

// unroll copies the loop for each iteration, before its header. The header stays as the last test, which exits
// the loop. So uses after the loop still use the values of the header.
func (c *counted) unroll() {
	head, from := c.loop.Header.Last(), c.entry
	for range c.trips {
		from = c.copy(from)
	}
	end, args := head.Successor(1), head.Operands()[1+c.passed():]
	b := ir.BuilderBefore(head)
	b.SetLocOf(head)
	cf.CreateBr(b, end, args...)
	head.Erase()
	c.erase()
}

// passed is how many operands the header's branch passes to the body.
func (c *counted) passed() int { return c.loop.Header.Last().Successor(0).NumArgs() }

// copy inserts one iteration between a branch to the header and the header, and returns the branch to the header
// at the end of the iteration.
func (c *counted) copy(from ir.Op) ir.Op {
	m := ir.NewMapping()
	region := c.loop.Header.Region()
	for i, arg := range c.loop.Header.Args() {
		m.Values[arg] = from.Operand(i)
	}
	for _, b := range c.loop.Own {
		copied := region.InsertBlock(c.loop.Header)
		m.Blocks[b] = copied
		for i := 0; b != c.loop.Header && i < b.NumArgs(); i++ {
			m.Values[b.Arg(i)] = copied.AddArg(b.Arg(i).Type())
		}
	}
	latch := ir.Op{}
	for _, b := range c.loop.Own {
		into := ir.NewBuilder(b.Arena())
		into.SetInsertionPointToEnd(m.Blocks[b])
		for op := range b.Ops() {
			switch {
			case op == c.loop.Header.Last():
				into.SetLocOf(op)
				cf.CreateBr(into, m.Blocks[op.Successor(0)], mapped(m, op.Operands()[1:1+c.passed()])...)
			case op == c.latch:
				into.SetLocOf(op)
				latch = cf.CreateBr(into, c.loop.Header, mapped(m, op.Operands())...)
			default:
				into.Clone(op, m)
			}
		}
	}
	b := ir.BuilderBefore(from)
	b.SetLocOf(from)
	cf.CreateBr(b, m.Blocks[c.loop.Header])
	from.Erase()
	return latch
}

func mapped(m *ir.Mapping, values []ir.Value) []ir.Value {
	out := make([]ir.Value, len(values))
	for i, v := range values {
		out[i] = m.Lookup(v)
	}
	return out
}

// erase removes the body of the loop, which is unreachable now: branches first, then users before definitions.
func (c *counted) erase() {
	body := c.loop.Own[1:] // dominators come first, so that the header does
	for _, b := range body {
		b.Last().Erase()
	}
	for _, b := range slices.Backward(body) {
		b.Erase()
	}
}
