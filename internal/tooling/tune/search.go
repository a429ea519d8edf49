package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Options say what is searched for.
type Options struct {
	// Slack is by how much, as a part of its time, a configuration must be able to be faster than the best one to be
	// estimated. With 0 the search ends where no bound is below the best estimate.
	Slack float64
	// Exact leaves out configurations of another numerics class than the first one's.
	Exact bool
	// All estimates all configurations.
	All bool
}

// The states of a configuration.
const (
	Estimated = "estimated"
	Pruned    = "pruned"   // it cannot be the best
	Rejected  = "rejected" // it cannot be used
)

// Format is the number of the JSON form.
const Format = 1

// A Result is what a search found. Its times are estimates.
type Result struct {
	Format   int     `json:"format"`
	Estimate bool    `json:"estimate"` // always
	Device   string  `json:"device"`
	Arch     string  `json:"arch"`
	MHz      float64 `json:"clock_mhz"`
	Slack    float64 `json:"slack"`
	Exact    bool    `json:"exact"`
	// MeasuredOn is the GPU that timed the best ones, and its driver; "": none did.
	MeasuredOn string `json:"measured_on,omitempty"`
	// Best is the index of the best configuration.
	Best int `json:"best"`
	// Ranked are the configurations: estimated ones by time, pruned ones by their bounds, rejected ones.
	Ranked []Row `json:"ranked"`
}

// A Row is what is known of a configuration.
type Row struct {
	Configuration int    `json:"configuration"` // the index
	Name          string `json:"name"`
	State         string `json:"state"`
	Why           string `json:"why,omitempty"`

	Microseconds float64 `json:"microseconds,omitempty"` // with the launch; 0: not estimated
	Least        float64 `json:"least_microseconds,omitempty"`
	Measured     float64 `json:"measured_microseconds,omitempty"` // on a GPU, the median
	Launches     int     `json:"launches,omitempty"`              // that were measured
	Bound        string  `json:"bound,omitempty"`
	Registers    int     `json:"registers,omitempty"`
	Spills       bool    `json:"may_spill,omitempty"`
	Shared       int     `json:"shared_bytes,omitempty"`
	Warps        int     `json:"warps,omitempty"`
	Resident     int     `json:"resident,omitempty"`
	Class        string  `json:"class,omitempty"`
}

// Answers are those that are known, by the question.
type Answers map[Question]*Answer

// Missing are questions that a search needs answers of. Those beyond the first may turn out not to be needed.
type Missing []Question

func (m Missing) Error() string { return fmt.Sprintf("%d answers are missing", len(m)) }

// Search ranks configurations by what is known. The error is Missing if that is not enough: with answers to these
// questions it may be. At most ahead questions are asked at once, but for those about all configurations.
//
// The result is a function of configurations, device, options and answers to the questions that the search comes to.
func Search(d *Device, configs []*Config, o Options, known Answers, ahead int) (*Result, error) {
	s := &search{device: d, configs: configs, options: o, known: known, ahead: max(1, ahead), rows: make([]Row, len(configs))}
	if err := s.screen(); err != nil {
		return nil, err
	}
	if o.Exact {
		if err := s.classes(); err != nil {
			return nil, err
		}
	}
	if err := s.estimate(); err != nil {
		return nil, err
	}
	if err := s.classes(); err != nil {
		return nil, err
	}
	return s.result()
}

type search struct {
	device  *Device
	configs []*Config
	options Options
	known   Answers
	ahead   int
	rows    []Row
}

// all returns an error for those of some questions that have no answer.
func (s *search) all(list []Question) error {
	var missing Missing
	for _, q := range list {
		if s.known[q] == nil {
			missing = append(missing, q)
		}
	}
	if len(missing) > 0 {
		return missing
	}
	return nil
}

// reject takes a configuration out.
func (r *Row) reject(why string) { r.State, r.Why = Rejected, why }

// screen asks about all configurations what is cheap.
func (s *search) screen() error {
	var list []Question
	for i := range s.configs {
		list = append(list, Question{Screen, i})
	}
	if err := s.all(list); err != nil {
		return err
	}
	fits := false // a configuration without spills
	for i, c := range s.configs {
		a, r := s.known[list[i]], &s.rows[i]
		*r = Row{Configuration: i, Name: c.Name, Least: round(a.Microseconds + a.Launch), Bound: a.Bound, Registers: a.Registers, Spills: a.Spills, Shared: a.Shared, Warps: a.Warps, Resident: a.Resident}
		if a.Wrong != "" {
			r.reject(a.Wrong)
			continue
		}
		fits = fits || !a.Spills
	}
	for i := range s.rows {
		// The model has no part for spills, which would make them look fast.
		if r := &s.rows[i]; fits && r.State == "" && r.Spills && !s.options.All {
			r.State, r.Why = Pruned, "registers may spill"
		}
	}
	return nil
}

// classes asks for the numerics classes of what is estimated. With Exact it asks for those of all that may be, and
// leaves out those of another class than the first one's.
func (s *search) classes() error {
	var list []Question
	for i := range s.rows {
		if st := s.rows[i].State; st == Estimated || st == "" && s.options.Exact {
			list = append(list, Question{Class, i})
		}
	}
	if err := s.all(list); err != nil {
		return err
	}
	for _, q := range list {
		a, r := s.known[q], &s.rows[q.Configuration]
		if r.Class = a.Class; a.Wrong != "" {
			r.Class = Unknown
		}
	}
	if !s.options.Exact {
		return nil
	}
	first := &s.rows[0]
	if first.Class == "" || first.Class == Unknown || first.Class == Unordered {
		return fmt.Errorf("'%s' has no numerics class that others could share: %s", first.Name, cmp.Or(first.Why, first.Class))
	}
	for i := range s.rows {
		if r := &s.rows[i]; r.State == "" && r.Class != first.Class {
			r.State, r.Why = Pruned, "of another numerics class than '"+first.Name+"'"
		}
	}
	return nil
}

// loose is by how much a bound may exceed an estimate, as a part of it: with less traffic the warps of the model go on in
// another order, which may be a worse one. It is twice what was seen between the best configuration and the next.
const loose = 0.06

// hopeless says that a configuration is not worth an estimate.
func (s *search) hopeless(r *Row, best float64) bool {
	return !s.options.All && r.Least*(1+s.options.Slack) >= best*(1+loose)
}

// estimate asks for estimates in the order of bounds, until no bound is low enough.
func (s *search) estimate() error {
	var order []int
	for i := range s.rows {
		if s.rows[i].State == "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.rows[a].Least, s.rows[b].Least) })
	best := math.Inf(1)
	for k, i := range order {
		r := &s.rows[i]
		if s.hopeless(r, best) {
			r.State, r.Why = Pruned, "cannot be the best"
			if s.options.Slack > 0 && r.Least < best {
				r.Why = fmt.Sprintf("cannot be faster than the best by more than %g%%", 100*s.options.Slack)
			}
			continue
		}
		a := s.known[Question{Estimate, i}]
		if a == nil {
			var missing Missing
			for _, j := range order[k:] {
				q := Question{Estimate, j}
				if len(missing) == s.ahead || s.hopeless(&s.rows[j], best) {
					break
				}
				if s.known[q] == nil {
					missing = append(missing, q)
				}
			}
			return missing
		}
		if a.Wrong != "" {
			r.reject(a.Wrong)
			continue
		}
		r.State, r.Microseconds, r.Bound, r.Registers, r.Resident = Estimated, round(a.Microseconds+a.Launch), a.Bound, a.Registers, a.Resident
		best = min(best, r.Microseconds)
	}
	return nil
}

// round rounds to a nanosecond: below that, processors may differ that fuse multiplications and additions.
func round(us float64) float64 { return math.Round(us*1000) / 1000 }

func (s *search) result() (*Result, error) {
	mhz := s.device.MHz
	if mhz <= 0 {
		mhz = float64(s.device.Chip.MHz)
	}
	out := &Result{Format: Format, Estimate: true, Device: s.device.Chip.Name, Arch: s.device.Arch.Name, MHz: mhz, Slack: s.options.Slack, Exact: s.options.Exact, Ranked: s.rows}
	rank := map[string]int{Estimated: 0, Pruned: 1, Rejected: 2}
	slices.SortStableFunc(out.Ranked, func(a, b Row) int {
		spills := 0
		if a.Spills != b.Spills {
			if spills = 1; b.Spills {
				spills = -1
			}
		}
		return cmp.Or(cmp.Compare(rank[a.State], rank[b.State]), spills, cmp.Compare(a.Microseconds, b.Microseconds), cmp.Compare(a.Least, b.Least))
	})
	best := &out.Ranked[0]
	if best.State != Estimated {
		return nil, fmt.Errorf("no configuration can be used; '%s': %s", best.Name, best.Why)
	}
	out.Best = best.Configuration
	return out, nil
}

// Run searches with answers from this machine, from so many workers. Known are answers that are there before.
func Run(ctx context.Context, oracle *Oracle, o Options, known Answers, workers int) (*Result, error) {
	if known == nil {
		known = make(Answers)
	}
	for {
		// An estimate keeps two workers busy. One that is asked for before the one before it is known may be needless.
		r, err := Search(oracle.Device, oracle.Configs, o, known, max(1, workers/2))
		missing := Missing(nil)
		if !errors.As(err, &missing) {
			return r, err
		}
		if err := oracle.Ask(ctx, missing, known, workers); err != nil {
			return nil, err
		}
	}
}

// Ask answers questions by so many workers. Where there are fewer questions, several workers share one.
func (o *Oracle) Ask(ctx context.Context, list []Question, known Answers, workers int) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	next := 0
	for range max(1, min(workers, len(list))) {
		wg.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				stop := failed != nil
				mu.Unlock()
				if stop || k >= len(list) {
					return
				}
				a, err := o.Answer(ctx, list[k], max(1, workers/len(list)))
				mu.Lock()
				if known[list[k]] = a; err != nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}
