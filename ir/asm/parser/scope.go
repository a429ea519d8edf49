package parser

import (
	"maps"
	"slices"
	"sort"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/index"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/symbols"
)

// resultNumber returns the value of a decimal name without leading zeros that is at most limit, or -1.
func resultNumber(name string, limit int) int {
	if name[0] == '0' && len(name) > 1 {
		return -1
	}
	n := 0
	for i := range len(name) {
		if !lexer.IsClass(name[i], lexer.ClassDigit) || n > limit {
			return -1
		}
		n = n*10 + int(name[i]-'0')
	}
	if n > limit {
		return -1
	}
	return n
}

// A scope is a region that is being parsed, or the list of top-level operations.
type scope struct {
	region  ir.Region
	bound   int    // names bound before it
	open    ir.Pos // of its brace
	blocks  map[string]*blockRef
	forward map[forwardKey]*forwardRef
}

type forwardKey struct {
	name   string
	number int
}

// A forwardRef is a value that was used before its definition.
type forwardRef struct {
	stand ir.Value // result of a detached placeholder
	pos   ir.Pos
	uses  []int  // mentions in an index
	near  string // names in the region of the use that are like it, as the end of an error
}

// A blockRef is a block that was named.
type blockRef struct {
	block   ir.Block
	pos     ir.Pos
	defined bool
	uses    []int // mentions in an index
}

func (p *parser) top() *scope { return &p.scopes[len(p.scopes)-1] }

func (p *parser) pushScope(r ir.Region) {
	p.scopes = append(p.scopes, scope{region: r, bound: p.syms.Len()})
}

// popScope ends a region. Uses without a definition become uses of the region around it, and errors where there is
// none (last).
func (p *parser) popScope(last bool) {
	s := *p.top()
	p.checkBlocks(s.blocks)
	p.scopes = p.scopes[:len(p.scopes)-1]
	if last {
		p.checkForward(s.forward)
		return
	}
	p.findNear(s.forward)
	p.syms.Forget(s.bound)
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
		same.uses = append(same.uses, ref.uses...)
		if same.stand.Type() != ref.stand.Type() {
			if p.opts.recovery != nil {
				p.complain(ref.pos, "use of value %s expects different type than prior uses: '%s' vs '%s'", quoteName(key.name), ir.TypeString(ref.stand.Type()), ir.TypeString(same.stand.Type()))
				continue
			}
			p.wrongType(key.name, ref.pos, ref.stand.Type(), same.stand.Type(), same.pos)
		}
		ref.stand.ReplaceAllUsesWith(same.stand)
		ref.stand.DefiningOp().Erase()
	}
}

func (p *parser) checkForward(refs map[forwardKey]*forwardRef) {
	p.findNear(refs)
	for _, key := range inOrder(refs) { // the first only, unless the parser recovers
		p.complain(refs[key].pos, "use of undeclared SSA value name %s%s", quoteName(key.name), refs[key].near)
	}
}

// inOrder returns the keys in the order in which they are in the text.
func inOrder(refs map[forwardKey]*forwardRef) []forwardKey {
	keys := slices.Collect(maps.Keys(refs))
	sort.Slice(keys, func(i, j int) bool { return refs[keys[i]].pos < refs[keys[j]].pos })
	return keys
}

// The bounds of what findNear compares, since a text may have any number of uses and of names.
const (
	maxNear      = 32
	maxNearNames = 512
	minNearName  = 3 // %a may stand for any of %b, %c and %d
)

// findNear looks for what undeclared names may stand for, while the names of the region are known.
func (p *parser) findNear(refs map[forwardKey]*forwardRef) {
	if len(refs) == 0 || p.near >= maxNear {
		return
	}
	known := p.syms.Last(maxNearNames)
	for i, name := range known {
		known[i] = "%" + name
	}
	for _, key := range inOrder(refs) {
		if ref := refs[key]; ref.near == "" && p.near < maxNear && len(key.name) >= minNearName {
			ref.near = p.nearest("%"+key.name, known)
			p.near++
		}
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
		for _, b := range missing {
			p.complain(b.pos, "reference to an undefined block")
		}
	}
}

func (p *parser) wrongType(name string, pos ir.Pos, want, got ir.Type, prior ir.Pos) {
	p.errorNote(pos, "use of value "+quoteName(name)+" expects different type than prior uses: '"+ir.TypeString(want)+"' vs '"+
		ir.TypeString(got)+"'", prior, "prior use here")
}

// Resolve implements ir.AsmParser.
func (p *parser) Resolve(o ir.OperandRef, t ir.Type) ir.Value {
	b := p.syms.Lookup(o.Name)
	if b == nil {
		return p.resolveForward(o, t)
	}
	if r := p.opts.recovery; r != nil {
		r.index.Mention(p.use(o, int(b.Pos)))
		if b.First == 0 {
			return p.unknownValue(t)
		}
	}
	if o.Number >= int(b.N) {
		p.errorAt(o.Pos, "reference to invalid result number")
	}
	v := b.Value(p.arena, o.Number)
	if !v.HasType(t) {
		p.wrongType(o.Name, o.Pos, t, v.Type(), ir.Pos(b.Pos))
	}
	return v
}

func (p *parser) resolveForward(o ir.OperandRef, t ir.Type) ir.Value {
	if p.worker && len(p.scopes) == 1 {
		panic(bailout{}) // a value of the arena around the operation
	}
	s := p.top()
	key := forwardKey{o.Name, o.Number}
	use := -1
	if r := p.opts.recovery; r != nil {
		use = r.index.Mention(p.use(o, -1))
	}
	if ref := s.forward[key]; ref != nil {
		ref.uses = append(ref.uses, use)
		if got := ref.stand.Type(); got != t {
			p.wrongType(o.Name, o.Pos, t, got, ref.pos)
		}
		return ref.stand
	}
	if s.forward == nil {
		s.forward = make(map[forwardKey]*forwardRef)
	}
	stand := ir.NewBuilder(p.arena).Create(p.placeholder(), nil, []ir.Type{t}).Result(0)
	s.forward[key] = &forwardRef{stand: stand, pos: o.Pos, uses: []int{use}}
	return stand
}

// placeholder is the definition of what stands for operations that are not read yet.
func (p *parser) placeholder() *ir.OpDef {
	if p.fwdDef == nil {
		p.fwdDef = p.ctx.UnregisteredOp("builtin.unrealized_conversion_cast")
	}
	return p.fwdDef
}

func (p *parser) use(o ir.OperandRef, def int) index.Mention {
	return index.Mention{Pos: int(o.Pos), End: int(o.Pos) + 1 + len(o.Name), Def: def, Number: o.Number}
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
	b := symbols.Binding{First: uint32(first.ID()), N: int32(n), Pos: int32(pos)}
	if old := p.syms.Bind(name, b); old.N > 0 {
		p.errorNote(pos, "redefinition of SSA value "+quoteName(name), ir.Pos(old.Pos), "previously defined here")
	}
	if r := p.opts.recovery; r != nil {
		r.index.Define(name, pos, index.ValueDef{First: first, N: n})
	}
	if !lexer.IsClass(name[0], lexer.ClassDigit) {
		first.SetName(name)
	}
	if forward := p.top().forward; len(forward) > 0 {
		p.settleForward(forward, name, b)
	}
}

func (p *parser) settleForward(forward map[forwardKey]*forwardRef, name string, b symbols.Binding) {
	for i := range int(b.N) {
		key := forwardKey{name, i}
		ref := forward[key]
		if ref == nil {
			continue
		}
		v := b.Value(p.arena, i)
		if got := v.Type(); got != ref.stand.Type() {
			p.wrongType(name, ir.Pos(b.Pos), got, ref.stand.Type(), ref.pos)
		}
		if r := p.opts.recovery; r != nil {
			r.index.Settle(ref.uses, int(b.Pos))
		}
		ref.stand.ReplaceAllUsesWith(v)
		ref.stand.DefiningOp().Erase()
		delete(forward, key)
	}
}
