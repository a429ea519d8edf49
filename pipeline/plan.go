package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A Goal says what a default pipeline is for.
type Goal struct {
	// From is the level of the input.
	From *passes.Property
	// To is the level to reach, with all that is optimised at it, or another property.
	To *passes.Property
	// Target is what is compiled for.
	Target *passes.Target
	// Have are properties that the input has besides its level: no step is put in to establish them.
	Have []*passes.Property
	// Options are options of passes, by the name of the pass, in the syntax of pipelines; they come after those
	// that the steps have.
	Options map[string]string
	// Kernels are plans of kernels.
	Kernels KernelPlans
	// MaxOpt bounds the optimisation level of the target for steps at a level of the IR.
	MaxOpt map[*passes.Property]int
}

// optLevel returns the optimisation level for steps at a level of the IR.
func (g Goal) optLevel(at *passes.Property) int {
	if most, bounded := g.MaxOpt[at]; bounded {
		return min(most, g.Target.OptLevel)
	}
	return g.Target.OptLevel
}

// A Plan is a default pipeline.
type Plan struct {
	Goal  Goal
	Steps []*Vertex // in the order to run
	Graph *Graph    // why in this order

	full  []*Vertex      // with the steps that the input is after
	order map[string]int // of a resumed plan: the places of its steps, from 1
}

// NewPlan computes the default pipeline for a goal. The result depends on nothing but the goal and the registry.
//
// It is the beginning of the pipeline to the last level that can be reached, up to the step that reaches the goal.
// That step is the conversion away from the goal's level, or the step that establishes the property. So every pipeline
// for a target runs the same steps in the same order as far as it goes, and one can continue where another stopped.
func NewPlan(reg *passes.Registry, goal Goal) (*Plan, error) {
	if goal.Target == nil {
		goal.Target = new(passes.Target)
	}
	if err := reg.CheckEdges(); err != nil {
		return nil, err
	}
	goal.Options = optionsByPass(reg, goal.Options)
	s := &selection{reg: reg, goal: goal, g: newGraph(), conversions: make(map[*passes.Property]*Vertex)}
	if err := s.run(); err != nil {
		return nil, err
	}
	if err := s.g.connectAll(s.conversions); err != nil {
		return nil, err
	}
	order, err := s.g.Sort()
	if err != nil {
		return nil, err
	}
	steps, err := s.repair(order)
	if err != nil {
		return nil, err
	}
	steps = s.upToGoal(steps)
	return &Plan{Goal: goal, Steps: steps, Graph: s.g.only(steps), full: steps}, nil
}

// optionsByPass returns options of passes by the names that the passes have now, whatever name they were given by.
func optionsByPass(reg *passes.Registry, given map[string]string) map[string]string {
	out := make(map[string]string, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		text := given[name]
		if p := reg.Lookup(name); p != nil {
			name = p.Name
		}
		out[name] = strings.TrimSpace(out[name] + " " + text)
	}
	return out
}

// Pipeline returns the plan for an outermost operation of the given name. Steps of passes that run on any operation
// are put on the unit of their level. The rows of ctx, which may be nil, tell which operations stand around others.
func (p *Plan) Pipeline(reg *passes.Registry, root string, ctx *ir.Context) (*Pipeline, error) {
	out := New(root)
	for _, v := range p.Steps {
		it, err := ParsePass(reg, v.Pass.Name, strings.TrimSpace(v.Options+" "+p.Goal.Options[v.Pass.Name]))
		if err != nil {
			return nil, fmt.Errorf("options of step '%s': %w", v.ID, err)
		}
		it.Step = v.ID
		op := v.on()
		if op == "" && v.Pass.TargetLevel() == nil { // a conversion replaces units
			op = v.Level.Unit()
		}
		out.Append(NestPath(ctx, root, op), it)
	}
	return out, nil
}

// NestPath returns the names of the operations from below root down to op, as far as the rows of ctx tell; nothing
// when op is root or empty.
func NestPath(ctx *ir.Context, root, op string) []string {
	var path []string
	for depth := 0; op != "" && op != root && depth < maxDepth; depth++ {
		path = append([]string{op}, path...)
		var def *ir.OpDef
		if ctx != nil {
			def = ctx.LookupOp(op)
		}
		if def == nil || len(def.Parents) != 1 {
			break
		}
		op = def.Parents[0]
	}
	return path
}

// A selection chooses the steps of a plan.
type selection struct {
	reg         *passes.Registry
	goal        Goal
	g           *Graph
	levels      []*passes.Property
	conversions map[*passes.Property]*Vertex
}

func (s *selection) run() error {
	final := s.goal.To
	var last *passes.Pass
	if !final.IsLevel() {
		if last = s.supplier(final, nil); last == nil {
			return fmt.Errorf("no registered pass establishes '%s'%s", final, s.forTarget())
		}
		if final = last.Level(); final == nil {
			final = s.goal.From
		}
	}
	chain, err := s.chain(s.goal.From, final)
	if err != nil {
		return err
	}
	chain = append(chain, s.onward(final)...)
	s.levels = []*passes.Property{s.goal.From}
	for _, c := range chain {
		s.levels = append(s.levels, c.TargetLevel())
	}
	for _, p := range s.reg.Passes() {
		if err := s.addSteps(p); err != nil {
			return err
		}
	}
	for i, c := range chain {
		v := &Vertex{ID: c.Name, Pass: c, Level: s.levels[i], Why: fmt.Sprintf("lowers '%s' to '%s'", s.levels[i].Level(), s.levels[i+1].Level())}
		if err := s.g.add(v); err != nil {
			return err
		}
		s.conversions[s.levels[i]] = v
	}
	if last != nil && !s.establishes(s.goal.To) {
		v := &Vertex{ID: last.Name, Pass: last, Level: final, Why: fmt.Sprintf("establishes '%s', the goal", s.goal.To)}
		if err := s.g.add(v); err != nil {
			return err
		}
	}
	return s.addSuppliers()
}

// upToGoal cuts an order of steps where the goal is reached.
func (s *selection) upToGoal(steps []*Vertex) []*Vertex {
	to := s.goal.To
	for i, v := range steps {
		switch {
		case !to.IsLevel() && v.Pass.EstablishesProperty(to):
			return steps[:i+1]
		case to.IsLevel() && v.Level == to && v.Pass.TargetLevel() != nil:
			return steps[:i]
		}
	}
	return steps
}

// onward returns the conversions from a level on, as far down as there is a way.
func (s *selection) onward(from *passes.Property) []*passes.Pass {
	var deepest *passes.Property
	for _, p := range s.reg.Passes() {
		if to := p.TargetLevel(); to != nil && to.Rank() > from.Rank() && (deepest == nil || to.Rank() > deepest.Rank()) {
			if _, err := s.chain(from, to); err == nil {
				deepest = to
			}
		}
	}
	if deepest == nil {
		return nil
	}
	chain, _ := s.chain(from, deepest)
	return chain
}

// establishes reports whether a chosen step establishes a property.
func (s *selection) establishes(prop *passes.Property) bool {
	return slices.ContainsFunc(s.g.vertices, func(v *Vertex) bool { return v.Pass.EstablishesProperty(prop) })
}

// chain returns the conversions that lead from one level to another, the fewest there are.
func (s *selection) chain(from, to *passes.Property) ([]*passes.Pass, error) {
	if from == nil || !from.IsLevel() {
		return nil, fmt.Errorf("the level of the input is not known, so that there is no way to '%s'", to)
	}
	reached := map[*passes.Property][]*passes.Pass{from: nil}
	queue := []*passes.Property{from}
	deepest := from
	for len(queue) > 0 && queue[0] != to {
		level := queue[0]
		queue = queue[1:]
		for _, p := range s.reg.Passes() {
			next := p.TargetLevel()
			if p.Level() != level || next == nil || !p.Applies(s.goal.Target) {
				continue
			}
			if _, seen := reached[next]; seen {
				continue
			}
			reached[next] = append(append([]*passes.Pass(nil), reached[level]...), p)
			queue = append(queue, next)
			if next.Rank() > deepest.Rank() && next.Rank() < to.Rank() {
				deepest = next
			}
		}
	}
	chain, ok := reached[to]
	if !ok {
		return nil, fmt.Errorf("no registered pass lowers '%s' towards '%s'%s", deepest.Level(), to.Level(), s.forTarget())
	}
	return chain, nil
}

func (s *selection) forTarget() string {
	if s.goal.Target.GPU == "" {
		return ""
	}
	return " for " + s.goal.Target.GPU
}

// addSteps adds the steps that a pass declares, as far as level, target and optimisation level have them. Conversions
// are chosen apart.
func (s *selection) addSteps(p *passes.Pass) error {
	if p.TargetLevel() != nil || !p.Applies(s.goal.Target) {
		return nil
	}
	for _, st := range p.Steps {
		level := st.Level
		if level == nil {
			level = p.Level()
		}
		if s.rank(level) < 0 || st.MinOpt > s.goal.optLevel(level) || st.When != nil && !st.When(s.goal.Target) {
			continue
		}
		if err := s.g.add(&Vertex{ID: p.ID(st), Pass: p, Level: level, Options: st.Options, MinOpt: st.MinOpt, step: st}); err != nil {
			return err
		}
	}
	return nil
}

// addSuppliers adds steps for required properties that no chosen step establishes, until there are none.
func (s *selection) addSuppliers() error {
	for i := 0; i < len(s.g.vertices); i++ {
		v := s.g.vertices[i]
		for _, prop := range v.Pass.Requires {
			if prop.IsLevel() || slices.Contains(s.goal.Have, prop) || s.find(prop, s.rank(v.Level)) != nil {
				continue
			}
			p := s.supplier(prop, v.Level)
			if p == nil {
				return fmt.Errorf("pass '%s' requires '%s' (the IR %s), and no registered pass establishes it at level '%s' or before%s",
					v.Pass.Name, prop, prop.Doc, v.Level.Level(), s.forTarget())
			}
			level := p.Level()
			if level == nil {
				level = v.Level
			}
			supplied := &Vertex{ID: p.Name, Pass: p, Level: level, Why: fmt.Sprintf("establishes '%s', which '%s' requires", prop, v.ID)}
			if err := s.g.add(supplied); err != nil {
				return err
			}
		}
	}
	return nil
}

// find returns a chosen step that establishes the property at the level of that rank or at an earlier one, without a
// conversion in between that destroys it.
func (s *selection) find(prop *passes.Property, rank int) *Vertex {
	for _, v := range s.g.vertices {
		r := s.rank(v.Level)
		if v == s.conversions[v.Level] {
			r++ // a conversion establishes what it does at the next level
		}
		if r > rank || !v.Pass.EstablishesProperty(prop) {
			continue
		}
		kept := true
		for i := r; i < rank; i++ {
			if c := s.conversions[s.levels[i]]; c != nil && c.Pass.DestroysProperty(prop) {
				kept = false
			}
		}
		if kept {
			return v
		}
	}
	return nil
}

// supplier returns the first registered pass that establishes the property at the given level, at no level in
// particular, or at an earlier level of the plan; level nil: anywhere.
func (s *selection) supplier(prop, level *passes.Property) *passes.Pass {
	var early *passes.Pass
	for _, p := range s.reg.Passes() {
		if !p.EstablishesProperty(prop) || !p.Applies(s.goal.Target) || level != nil && p.TargetLevel() != nil {
			continue
		}
		own := p.Level()
		if level == nil || own == nil || own == level {
			return p
		}
		if r := s.rank(own); early == nil && r >= 0 && r < s.rank(level) {
			early = p
		}
	}
	return early
}

// rank returns the position of a level in the plan, or -1.
func (s *selection) rank(level *passes.Property) int {
	for i, l := range s.levels {
		if l == level {
			return i
		}
	}
	return -1
}

// String returns the names of the steps in order.
func (p *Plan) String() string {
	ids := make([]string, len(p.Steps))
	for i, v := range p.Steps {
		ids[i] = v.ID
	}
	return strings.Join(ids, " ")
}
