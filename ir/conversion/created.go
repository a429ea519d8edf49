package conversion

import (
	"errors"

	"github.com/tilewright/tilewright/ir"
)

// maxDepth bounds chains of patterns each of which creates what the next one converts; longer ones are taken for a loop.
const maxDepth = 32

// created converts operations that a pattern created and that are illegal themselves. They stand in the output already, so that their
// operands are what they are, and each result becomes one value.
func (s *state) created(ops []ir.Op, by *Op) error {
	for _, op := range ops {
		if op.Erased() || op.Block().IsNil() || op.Arena() != by.Arena() || s.conv.Target.Legality(op) != Illegal {
			continue
		}
		if s.depth == maxDepth {
			return ir.Errorf(op.Loc(), "failed to legalize operation '%s': patterns keep creating illegal operations", op.Name())
		}
		s.depth++
		err := s.again(op, by)
		s.depth--
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *state) again(op ir.Op, by *Op) error {
	operands := make([][]ir.Value, op.NumOperands())
	for i := range operands {
		operands[i] = []ir.Value{op.Operand(i)}
	}
	for _, p := range s.of(op.Def()) {
		c, created, err := s.try(p, &Op{Builder: ir.BuilderBefore(op), Op: op, s: s, operands: operands, again: true})
		if errors.Is(err, ErrNoMatch) {
			continue
		}
		if err != nil {
			return err
		}
		for i := range c.results {
			to := one(c.results[i], op, "result")
			op.Result(i).ReplaceAllUsesWith(to)
			for _, vs := range by.results {
				for k, v := range vs {
					if v == op.Result(i) {
						vs[k] = to
					}
				}
			}
		}
		op.Erase()
		return s.created(created, by)
	}
	return ir.Errorf(op.Loc(), "failed to legalize operation '%s' that was created by the conversion of '%s'", op.Name(), by.Op.Name())
}
