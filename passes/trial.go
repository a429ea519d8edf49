package passes

import (
	"errors"
	"fmt"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// A Price is what a kernel costs by the model of the machine.
type Price struct {
	// Cycles is how long the busiest unit of an SM works for one CTA. CTAs that share an SM share its units, so this
	// is the time of a CTA on an SM whose latencies other warps hide.
	Cycles int64
	// Unit is the name of that unit.
	Unit string
}

func (p Price) String() string { return fmt.Sprintf("%d cycles of unit %s", p.Cycles, p.Unit) }

// A Pricer prices a unit of a level (a kernel).
type Pricer func(unit ir.Op, t *Target) (Price, error)

var pricers struct {
	sync.Mutex
	of map[*Property]Pricer
}

// RegisterPricer says how units of a level are priced. It panics when the level has a pricer.
func RegisterPricer(level *Property, p Pricer) {
	pricers.Lock()
	defer pricers.Unlock()
	if pricers.of == nil {
		pricers.of = make(map[*Property]Pricer)
	}
	if pricers.of[level] != nil {
		panic(fmt.Sprintf("passes: level %s has two pricers", level.Level()))
	}
	pricers.of[level] = p
}

// PricerOf returns the pricer of a level, or nil.
func PricerOf(level *Property) Pricer {
	pricers.Lock()
	defer pricers.Unlock()
	return pricers.of[level]
}

// ErrNoTrial is the error of Run.Trial where nothing can be tried: no pass follows that leads to a level with a price.
var ErrNoTrial = errors.New("no pass follows that leads to a level which has a price")

// Trial copies the unit that the pass runs on, lets change alter the copy, runs the rest of the pipeline on it, and
// returns its price at the last level that has one. The unit itself stays as it is.
//
// So a pass decides by what comes out, and needs no forecast of what later passes do. A pass that asks for a trial
// stands itself before the passes that it tries. The error is ErrNoTrial, or why the variant does not compile.
func (r *Run) Trial(change func(unit ir.Op)) (Price, error) {
	if !r.Pass.Tries {
		return Price{}, fmt.Errorf("pass '%s' does not declare that it tries variants", r.Pass.Name)
	}
	rep, ok := r.reporter.(interface {
		Trial(unit ir.Op, change func(ir.Op)) (Price, error)
	})
	if !ok {
		return Price{}, ErrNoTrial
	}
	return rep.Trial(r.Op, change)
}
