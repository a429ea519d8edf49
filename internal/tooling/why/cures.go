package why

import (
	"context"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes/remark"
)

// A Cure is a change of the program that lets the compiler do better.
type Cure struct {
	// Remark says what was not done, and where.
	Remark *ir.Diagnostic
	// Problem is the remark as an author of the source would say it, and Text the change.
	Problem, Text string

	trier *trier
}

// Cures compiles the program and returns what would let the compiler do better, in the order of the program.
func (s *Source) Cures(ctx context.Context) ([]*Cure, error) {
	ds, _, err := s.Remarks(ctx)
	if err != nil {
		return nil, err
	}
	var out []*Cure
	t, sources := s.trier(ctx), new(source.Reader)
	for _, d := range ds {
		if text := d.Decision.Arg(remark.CureKey); text != "" && (d.Decision.Kind == ir.Failed || d.Decision.Kind == ir.Missed) {
			out = append(out, &Cure{d, spoken(d, sources), curedInPython(d, text), t})
		}
	}
	slices.SortStableFunc(out, func(a, b *Cure) int { return order[a.Remark.Decision.Kind] - order[b.Remark.Decision.Kind] })
	return out, nil
}

// Worth says what the cure changes in the code, by compiling with it; "" where that cannot be tried.
func (c *Cure) Worth() string {
	if worth := c.Remark.Decision.Arg(remark.WorthKey); worth != "" || !curable(c.Remark) {
		return worth
	}
	return c.trier.worth(c.Remark)
}
