package asm

import (
	"sort"

	"github.com/tilewright/tilewright/ir"
)

// A binding is a name for n values: the results of an operation from first on, or one block argument.
type binding struct {
	first ir.Value
	n     int32 // 0: the name is not bound
	pos   int32 // where it was bound
}

func (b binding) value(i int) ir.Value {
	if i == 0 {
		return b.first
	}
	return b.first.DefiningOp().Result(b.first.Index() + i)
}

// symbols maps the names of values that are visible in one isolated operation. Names that are numbers, the common case in
// generated text, are kept in a slice.
type symbols struct {
	nums  []binding
	names map[string]binding
	log   []string // bound names, so that a region's names can be forgotten at its end
}

func newSymbols() *symbols { return &symbols{names: make(map[string]binding)} }

const maxSpareNames = 64 // clearing a map costs as much as it ever held, so large ones are dropped

func (s *symbols) reset() {
	s.nums, s.log = s.nums[:0], s.log[:0]
	if len(s.names) > maxSpareNames {
		s.names = make(map[string]binding)
	}
	clear(s.names)
}

// number returns the value of a decimal name without leading zeros that is at most limit, or -1.
func number(name string, limit int) int {
	if name[0] == '0' && len(name) > 1 {
		return -1
	}
	n := 0
	for i := range len(name) {
		if charClass[name[i]]&classDigit == 0 || n > limit {
			return -1
		}
		n = n*10 + int(name[i]-'0')
	}
	if n > limit {
		return -1
	}
	return n
}

// numLimit keeps the slice in proportion to the values that exist.
func (s *symbols) numLimit() int { return 2*len(s.log) + 1000 }

func (s *symbols) get(name string) binding {
	if n := number(name, len(s.nums)-1); n >= 0 {
		if b := s.nums[n]; b.n > 0 || len(s.names) == 0 {
			return b
		}
	}
	return s.names[name]
}

func (s *symbols) bind(name string, b binding) {
	if n := number(name, s.numLimit()); n >= 0 {
		for n >= len(s.nums) {
			s.nums = append(s.nums, binding{})
		}
		s.nums[n] = b
	} else {
		s.names[name] = b
	}
	s.log = append(s.log, name)
}

// forget unbinds what was bound since the log had length n.
func (s *symbols) forget(n int) {
	for _, name := range s.log[n:] {
		if i := number(name, len(s.nums)-1); i >= 0 && s.nums[i].n > 0 {
			s.nums[i] = binding{}
		} else {
			delete(s.names, name)
		}
	}
	s.log = s.log[:n]
}

// A scope is a region that is being parsed, or the list of top-level operations.
type scope struct {
	region   ir.Region
	logStart int
	blocks   map[string]*blockRef
	forward  map[forwardKey]*forwardRef
}

type forwardKey struct {
	name   string
	number int
}

// A forwardRef is a value that was used before its definition.
type forwardRef struct {
	stand ir.Value // result of a detached placeholder
	pos   ir.Pos
}

// A blockRef is a block that was named.
type blockRef struct {
	block   ir.Block
	pos     ir.Pos
	defined bool
}

func (p *parser) top() *scope { return &p.scopes[len(p.scopes)-1] }

func (p *parser) pushScope(r ir.Region) {
	p.scopes = append(p.scopes, scope{region: r, logStart: len(p.syms.log)})
}

// popScope ends a region. Uses without a definition become uses of the region around it, and errors where there is none (last).
func (p *parser) popScope(last bool) {
	s := *p.top()
	p.checkBlocks(s.blocks)
	p.scopes = p.scopes[:len(p.scopes)-1]
	if last {
		p.checkForward(s.forward)
		return
	}
	p.syms.forget(s.logStart)
	outer := p.top()
	for key, ref := range s.forward {
		if outer.forward == nil {
			outer.forward = make(map[forwardKey]*forwardRef)
		}
		same := outer.forward[key]
		if same == nil {
			outer.forward[key] = ref
			continue
		}
		if same.stand.Type() != ref.stand.Type() {
			p.wrongType(key.name, ref.pos, ref.stand.Type(), same.stand.Type(), same.pos)
		}
		ref.stand.ReplaceAllUsesWith(same.stand)
		ref.stand.DefiningOp().Erase()
	}
}

func (p *parser) checkForward(refs map[forwardKey]*forwardRef) {
	var first *forwardRef
	for _, ref := range refs {
		if first == nil || ref.pos < first.pos {
			first = ref
		}
	}
	if first != nil {
		p.errorAt(first.pos, "use of undeclared SSA value name")
	}
}

func (p *parser) checkBlocks(blocks map[string]*blockRef) {
	var missing []*blockRef
	for _, b := range blocks {
		if !b.defined {
			missing = append(missing, b)
		}
	}
	if missing != nil {
		sort.Slice(missing, func(i, j int) bool { return missing[i].pos < missing[j].pos })
		p.errorAt(missing[0].pos, "reference to an undefined block")
	}
}

func (p *parser) wrongType(name string, pos ir.Pos, want, got ir.Type, prior ir.Pos) {
	p.errorNote(pos, "use of value "+quoteName(name)+" expects different type than prior uses: '"+ir.TypeString(want)+"' vs '"+
		ir.TypeString(got)+"'", prior, "prior use here")
}

// Resolve implements ir.AsmParser.
func (p *parser) Resolve(o ir.OperandRef, t ir.Type) ir.Value {
	b := p.syms.get(o.Name)
	if b.n == 0 {
		return p.resolveForward(o, t)
	}
	if o.Number >= int(b.n) {
		p.errorAt(o.Pos, "reference to invalid result number")
	}
	v := b.value(o.Number)
	if got := v.Type(); got != t {
		p.wrongType(o.Name, o.Pos, t, got, ir.Pos(b.pos))
	}
	return v
}

func (p *parser) resolveForward(o ir.OperandRef, t ir.Type) ir.Value {
	s := p.top()
	key := forwardKey{o.Name, o.Number}
	if ref := s.forward[key]; ref != nil {
		if got := ref.stand.Type(); got != t {
			p.wrongType(o.Name, o.Pos, t, got, ref.pos)
		}
		return ref.stand
	}
	if p.fwdDef == nil {
		p.fwdDef = p.ctx.UnregisteredOp("builtin.unrealized_conversion_cast")
	}
	if s.forward == nil {
		s.forward = make(map[forwardKey]*forwardRef)
	}
	stand := ir.NewBuilder(p.arena).Create(p.fwdDef, nil, []ir.Type{t}).Result(0)
	s.forward[key] = &forwardRef{stand, o.Pos}
	return stand
}

// ResolveAll implements ir.AsmParser.
func (p *parser) ResolveAll(os []ir.OperandRef, ts []ir.Type, pos ir.Pos) []ir.Value {
	if len(os) != len(ts) {
		p.ErrorAt(pos, "number of operands and types do not match: got %d operands and %d types", len(os), len(ts))
	}
	vs := make([]ir.Value, len(os))
	for i, o := range os {
		vs[i] = p.Resolve(o, ts[i])
	}
	return vs
}

// define binds a name to n values from first on.
func (p *parser) define(name string, first ir.Value, n int, pos ir.Pos) {
	if old := p.syms.get(name); old.n > 0 {
		p.errorNote(pos, "redefinition of SSA value "+quoteName(name), ir.Pos(old.pos), "previously defined here")
	}
	b := binding{first, int32(n), int32(pos)}
	p.syms.bind(name, b)
	if charClass[name[0]]&classDigit == 0 {
		first.SetName(name)
	}
	if forward := p.top().forward; len(forward) > 0 {
		p.settleForward(forward, name, b)
	}
}

func (p *parser) settleForward(forward map[forwardKey]*forwardRef, name string, b binding) {
	for i := range int(b.n) {
		key := forwardKey{name, i}
		ref := forward[key]
		if ref == nil {
			continue
		}
		v := b.value(i)
		if got := v.Type(); got != ref.stand.Type() {
			p.wrongType(name, ir.Pos(b.pos), got, ref.stand.Type(), ref.pos)
		}
		ref.stand.ReplaceAllUsesWith(v)
		ref.stand.DefiningOp().Erase()
		delete(forward, key)
	}
}
