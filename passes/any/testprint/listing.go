package testprint

import (
	"bytes"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
)

// RangesPass is test-print-integer-ranges.
var RangesPass = passes.Register(&passes.Pass{
	Name:    "test-print-integer-ranges",
	Summary: "print the ranges of integers in comments after the operations that compute them",
	Doc: "Prints [lower, upper] for the signed numbers that the elements of a value can be. It prints 'unsigned [lower, upper]' if only the unsigned ones " +
		"form one interval, and 'any' if nothing is known.",
	Uses: []*passes.Analysis{integers.Ranges.Analysis},
	Run: func(r *passes.Run) error {
		return list(r, func(c *passes.Cache) describe {
			ranges := integers.Ranges.At(c)
			return describe{ranges, func(v ir.Value) string {
				if intrange.Width(v) == 0 {
					return ""
				}
				return ranges.Of(v).String()
			}}
		})
	},
})

// DivisibilityPass is test-print-divisibility.
var DivisibilityPass = passes.Register(&passes.Pass{
	Name:    "test-print-divisibility",
	Summary: "print what divides integers and addresses, and how elements follow from each other",
	Doc: "Prints 'div N' for the power of two that divides every element (0: all are zero). Groups of equal elements along a dimension are " +
		"'dim 0: 16 equal'. Evenly spaced ones are 'dim 1: 64 by 4 from div 256': the first element of each group is a multiple of 256.",
	Uses: []*passes.Analysis{integers.Divisibility.Analysis},
	Run: func(r *passes.Run) error {
		return list(r, func(c *passes.Cache) describe {
			facts := integers.Divisibility.At(c)
			return describe{facts.Ranges, func(v ir.Value) string {
				f := facts.Of(v)
				if f.Width == 0 {
					return ""
				}
				return f.Describe(v.Type())
			}}
		})
	},
})

// describe spells what is known of the values inside an isolated operation; "" for those that the analysis is not
// about.
type describe struct {
	ranges *intrange.Ranges
	value  func(v ir.Value) string
}

// list leaves the text of the operation with comments as the listing.
//
// A comment and no attribute: what is printed parses back to the same IR, and FileCheck reads the line.
func list(r *passes.Run, analyze func(c *passes.Cache) describe) error {
	known := make(map[*ir.Arena]describe)
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.HasTrait(ir.IsolatedFromAbove) && op.NumRegions() > 0 {
			known[op.InnerArena()] = analyze(r.Analyses.Nested(op))
		}
		return ir.Advance
	})
	var text bytes.Buffer
	err := asm.Print(&text, r.Op, asm.PrintOptions{Comment: func(p ir.AsmPrinter, op ir.Op) {
		separator := " // "
		say := func(v ir.Value) {
			if s := known[v.Arena()].of(v); s != "" {
				p.Str(separator)
				p.Operand(v)
				p.Str(": " + s)
				separator = "; "
			}
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for _, v := range b.Args() {
					say(v)
				}
			}
		}
		for _, v := range op.Results() {
			say(v)
		}
	}})
	if err != nil {
		return err
	}
	r.SetArtifact(passes.Listing, passes.Text(text.Bytes()))
	return nil
}

func (d describe) of(v ir.Value) string {
	if d.value == nil {
		return ""
	}
	s := d.value(v)
	if s != "" && !d.ranges.Computed(v) {
		return "never computed"
	}
	return s
}
