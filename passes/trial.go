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
	// Issue is how long the schedulers of an SM issue instructions for one CTA.
	Issue int64
	// CTAs is how many CTAs an SM holds by their warps and shared memory.
	CTAs int
	// Registers is how many registers a thread needs for tiles where most are live (estimate).
	Registers int64
	// Beyond is how many of these a thread does not have: it stores and loads them.
	Beyond int64
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

// A Variant is another way to compile a unit. The zero Variant is the unit as it is.
type Variant struct {
	// Change alters the unit, or the copy of it that is tried; nil: it does not.
	Change func(unit ir.Op)
	// Pass gets other options for this unit, in the syntax of pipelines; nil: none does.
	Pass    *Pass
	Options string
	// Name says in short what is different, as in "tileas-specialize-warps{roles=none}".
	Name string
}

// A trier is a Reporter that can try variants.
type trier interface {
	Trial(unit ir.Op, v Variant) (Price, error)
	Alternatives(unit ir.Op) []Variant
	Adopt(unit ir.Op, v Variant)
}

func (r *Run) trier() (trier, error) {
	if !r.Pass.Tries {
		return nil, fmt.Errorf("pass '%s' does not declare that it tries variants", r.Pass.Name)
	}
	if t, ok := r.reporter.(trier); ok {
		return t, nil
	}
	return nil, ErrNoTrial
}

// Trial copies the unit that the pass runs on, makes the copy the variant, runs the rest of the pipeline on it, and
// returns its price at the last level that has one. The unit itself stays as it is.
//
// So a pass decides by what comes out, and needs no forecast of what later passes do. A pass that asks for a trial
// stands itself before the passes that it tries. The error is ErrNoTrial, or why the variant does not compile.
func (r *Run) Trial(v Variant) (Price, error) {
	t, err := r.trier()
	if err != nil {
		return Price{}, err
	}
	return t.Trial(r.Op, v)
}

// Alternatives returns the variants that later passes declare (Option.Try). In each of them one option of one pass has
// another value.
func (r *Run) Alternatives() []Variant {
	t, err := r.trier()
	if err != nil {
		return nil
	}
	return t.Alternatives(r.Op)
}

// Adopt makes a variant of the unit itself.
func (r *Run) Adopt(v Variant) {
	if v.Change != nil {
		v.Change(r.Op)
	}
	if t, err := r.trier(); err == nil && v.Pass != nil {
		t.Adopt(r.Op, v)
	}
}
