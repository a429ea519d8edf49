package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// AttrSchedule is the discardable attribute of a loop that says when its operations run.
const AttrSchedule = "nv_tileas.schedule"

// AttrFillAhead is the discardable unit attribute of a loop around a scheduled one. The prologue copies of the inner
// loop are started one iteration of the outer loop earlier, after the inner loop.
const AttrFillAhead = "nv_tileas.fill_ahead"

// ScheduleAttr is a modulo schedule of a loop body: #nv_tileas.schedule<ii = 12, unit = 64, at = [0, 0, 12, 14]>.
//
// A new iteration starts every II units of time. The i-th operation of the body, the terminator not counted, starts
// At[i] units after its iteration. At[i] / II is its stage: how many iterations later than the newest one it works in
// the steady state. A unit is some clock cycles, since operations on tiles take hundreds of them and the estimates are
// no finer.
type ScheduleAttr struct {
	ir.AttrBase
	II, Unit int
	At       []int
}

type scheduleKey struct {
	ii, unit int
	at       string
}

// Limits of schedules, far above what a loop has, so that no sum overflows.
const (
	maxScheduleII  = 1 << 20
	maxScheduleAt  = 1 << 24
	maxScheduleOps = 1 << 16
)

// Schedule returns the attribute.
func Schedule(c *ir.Context, ii, unit int, at []int) *ScheduleAttr {
	return ir.UniqueAttr(c, Dialect, scheduleKey{ii, unit, ir.Int64Key(linear.Int64s(at))}, func() *ScheduleAttr {
		return &ScheduleAttr{II: ii, Unit: unit, At: slices.Clone(at)}
	})
}

// Stage returns the stage of an operation.
func (a *ScheduleAttr) Stage(op int) int { return a.At[op] / a.II }

// Stages returns the number of stages.
func (a *ScheduleAttr) Stages() int {
	n := 0
	for i := range a.At {
		n = max(n, a.Stage(i)+1)
	}
	return n
}

// PrintAttr implements ir.Attribute.
func (a *ScheduleAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("schedule<ii = ")
	p.Int(int64(a.II))
	p.Str(", unit = ")
	p.Int(int64(a.Unit))
	p.Str(", at = [")
	for i, n := range a.At {
		if i > 0 {
			p.Str(", ")
		}
		p.Int(int64(n))
	}
	p.Str("]>")
}

// verify checks what a pass writes by what the parser takes.
func (a *ScheduleAttr) verify(op ir.Op) error {
	if a.II < 1 || a.II > maxScheduleII || a.Unit < 1 || a.Unit > maxScheduleII {
		return op.Errorf("has a schedule with ii = %d and unit = %d, but they must be from 1 to %d", a.II, a.Unit, maxScheduleII)
	}
	for _, at := range a.At {
		if at < 0 || at > maxScheduleAt {
			return op.Errorf("has a schedule with an operation at %d, but it must be from 0 to %d", at, maxScheduleAt)
		}
	}
	return nil
}

func parseSchedule(p ir.AsmParser) ir.Attribute {
	number := func(least, most int64) int {
		pos := p.Pos()
		n := p.Integer()
		if !p.Failed() && (n < least || n > most) {
			p.ErrorAt(pos, "expected a number from %d to %d, but got %d", least, most, n)
		}
		return int(n)
	}
	p.Expect("<")
	p.ExpectKeyword("ii")
	p.Expect("=")
	ii := number(1, maxScheduleII)
	p.Expect(",")
	p.ExpectKeyword("unit")
	p.Expect("=")
	unit := number(1, maxScheduleII)
	p.Expect(",")
	p.ExpectKeyword("at")
	p.Expect("=")
	var at []int
	pos := p.Pos()
	p.CommaList("[", "]", func() { at = append(at, number(0, maxScheduleAt)) })
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	if len(at) > maxScheduleOps {
		p.ErrorAt(pos, "a schedule of %d operations is longer than %d", len(at), maxScheduleOps)
		return nil
	}
	return Schedule(p.Context(), ii, unit, at)
}

// ScheduleOf returns the schedule of a loop, or nil.
func ScheduleOf(op ir.Op) *ScheduleAttr {
	a, _ := op.Attr(AttrSchedule).(*ScheduleAttr)
	return a
}
