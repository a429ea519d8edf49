package asm

import (
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"
	"sort"

	"github.com/tilewright/tilewright/ir"
)

// A binding is a name for n values: the results of an operation from first on, or one block argument.
type binding struct {
	first uint32 // number of a value
	n     int32  // 0: the name is not bound
	pos   int32  // where it was bound
}

func (b binding) value(a *ir.Arena, i int) ir.Value {
	first := a.Value(int(b.first))
	if i == 0 {
		return first
	}
	return first.DefiningOp().Result(first.Index() + i)
}

// symbols maps the names of values that are visible in one isolated operation: a hash table with linear probing of indexes into a list of
// bindings. A region's names are forgotten at its end. They are the last that were bound, so the list is cut, and a slot that is
// cleared leaves no gap in a chain that another name goes through.
type symbols struct {
	list  []symbol
	slots []slot
}

type symbol struct {
	name string
	hash uint32
	binding
}

type slot struct{ hash, index uint32 } // 1 + the index of the symbol; 0: free

const minSlots = 64

func newSymbols() *symbols { return &symbols{slots: make([]slot, minSlots)} }

// The seeds make it impossible to prepare a text whose names fall together.
var (
	nameSeed  = maphash.MakeSeed()
	shortSeed = maphash.Comparable(nameSeed, 0) | 1
)

// hashName hashes a name; one of a few characters by multiplication with an odd number, of which the upper half is good.
func hashName(name string) uint32 {
	if len(name) > 7 {
		return uint32(maphash.String(nameSeed, name))
	}
	x := uint64(len(name))
	for i := range len(name) {
		x = x<<8 | uint64(name[i])
	}
	hi, lo := bits.Mul64(x, shortSeed)
	return uint32(hi ^ lo>>32)
}

func (s *symbols) reset() { s.forget(0) }

// lookup returns the binding of a name, or nil.
func (s *symbols) lookup(name string) *binding {
	if i := s.slots[s.find(name, hashName(name))].index; i != 0 {
		return &s.list[i-1].binding
	}
	return nil
}

// find returns the slot of a name, or the free one where it belongs.
func (s *symbols) find(name string, hash uint32) uint32 {
	mask := uint32(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		if slot := s.slots[i]; slot.index == 0 || slot.hash == hash && s.list[slot.index-1].name == name {
			return i
		}
	}
}

// bind binds a name, unless it is bound: then it returns how.
func (s *symbols) bind(name string, b binding) (old binding) {
	if 4*len(s.list) >= 3*len(s.slots) {
		s.grow()
	}
	hash := hashName(name)
	at := &s.slots[s.find(name, hash)]
	if at.index != 0 {
		return s.list[at.index-1].binding
	}
	s.list = append(s.list, symbol{name, hash, b})
	*at = slot{hash, uint32(len(s.list))}
	return binding{}
}

func (s *symbols) grow() {
	s.slots = make([]slot, 2*len(s.slots))
	mask := uint32(len(s.slots) - 1)
	for k := range s.list {
		i := s.list[k].hash & mask
		for s.slots[i].index != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = slot{s.list[k].hash, uint32(k + 1)}
	}
}

// forget unbinds all names but the first n.
func (s *symbols) forget(n int) {
	mask := uint32(len(s.slots) - 1)
	for k := len(s.list); k > n; k-- {
		i := s.list[k-1].hash & mask
		for s.slots[i].index != uint32(k) {
			i = (i + 1) & mask
		}
		s.slots[i] = slot{}
	}
	s.list = s.list[:n]
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

// A scope is a region that is being parsed, or the list of top-level operations.
type scope struct {
	region  ir.Region
	bound   int // names bound before it
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
	uses  []int // mentions in an index
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
	p.scopes = append(p.scopes, scope{region: r, bound: len(p.syms.list)})
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
	p.syms.forget(s.bound)
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
	var first *forwardRef
	for _, ref := range refs {
		if first == nil || ref.pos < first.pos {
			first = ref
		}
	}
	if first == nil {
		return
	}
	p.complain(first.pos, "use of undeclared SSA value name")
	for _, ref := range byPos(refs) { // for a parser that recovers, which comes here
		p.complain(ref.pos, "use of undeclared SSA value name")
	}
}

func byPos(refs map[forwardKey]*forwardRef) []*forwardRef {
	list := slices.Collect(maps.Values(refs))
	sort.Slice(list, func(i, j int) bool { return list[i].pos < list[j].pos })
	return list
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
	b := p.syms.lookup(o.Name)
	if b == nil {
		return p.resolveForward(o, t)
	}
	if r := p.opts.recovery; r != nil {
		r.index.mention(p.use(o, int(b.pos)))
		if b.first == 0 {
			return p.unknownValue(t)
		}
	}
	if o.Number >= int(b.n) {
		p.errorAt(o.Pos, "reference to invalid result number")
	}
	v := b.value(p.arena, o.Number)
	if !v.HasType(t) {
		p.wrongType(o.Name, o.Pos, t, v.Type(), ir.Pos(b.pos))
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
		use = r.index.mention(p.use(o, -1))
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
	s.forward[key] = &forwardRef{stand, o.Pos, []int{use}}
	return stand
}

// placeholder is the definition of what stands for operations that are not read yet.
func (p *parser) placeholder() *ir.OpDef {
	if p.fwdDef == nil {
		p.fwdDef = p.ctx.UnregisteredOp("builtin.unrealized_conversion_cast")
	}
	return p.fwdDef
}

func (p *parser) use(o ir.OperandRef, def int) Mention {
	return Mention{Pos: int(o.Pos), End: int(o.Pos) + 1 + len(o.Name), Def: def, Number: o.Number}
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
	b := binding{uint32(first.ID()), int32(n), int32(pos)}
	if old := p.syms.bind(name, b); old.n > 0 {
		p.errorNote(pos, "redefinition of SSA value "+quoteName(name), ir.Pos(old.pos), "previously defined here")
	}
	if r := p.opts.recovery; r != nil {
		r.index.define(name, pos, ValueDef{first, n})
	}
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
		v := b.value(p.arena, i)
		if got := v.Type(); got != ref.stand.Type() {
			p.wrongType(name, ir.Pos(b.pos), got, ref.stand.Type(), ref.pos)
		}
		if r := p.opts.recovery; r != nil {
			r.index.settle(ref.uses, int(b.pos))
		}
		ref.stand.ReplaceAllUsesWith(v)
		ref.stand.DefiningOp().Erase()
		delete(forward, key)
	}
}
