package emu

// space is a PTX state space.
type space uint8

const (
	spGeneric space = iota
	spParam
	spGlobal
	spShared
	spLocal
	spConst
)

var spaceNames = [...]string{"generic", "param", "global", "shared", "local", "const"}

func (s space) String() string { return spaceNames[s] }

// symbol is a declared name: a register, a variable, a parameter or a function.
type symbol struct {
	name  string
	pos   pos
	reg   bool
	typ   scalar
	space space
	align int64
	size  int64 // bytes
	init  []initItem
	fn    *function // for a function name
	// extern marks .extern .shared arrays without a size, the dynamic
	// shared memory of a launch.
	extern bool
	offset int64 // parameters: place in the parameter block
}

// initItem is one element of a static initialiser: size bytes at off hold
// bits, plus the address of sym when there is one.
type initItem struct {
	off  int64
	size int
	bits uint64
	sym  *symbol
}

// scope is one brace level of a function, or the module.
type scope struct {
	up     *scope
	syms   map[string]*symbol
	ranges map[string]regRange // %r<100>: prefix "%r"
	labels map[string]int      // statement index
	lists  map[string][]*operand
	protos map[string]bool // labels of call prototypes
}

type regRange struct {
	typ   scalar
	count uint64
	pos   pos
}

func newScope(up *scope) *scope {
	return &scope{up: up, syms: map[string]*symbol{}}
}

// lookup finds a name here or further out, making the symbol of a register
// range's member on first use.
func (s *scope) lookup(name string) *symbol {
	for ; s != nil; s = s.up {
		if y := s.syms[name]; y != nil {
			return y
		}
		if s.ranges == nil {
			continue
		}
		i := len(name)
		var n, unit uint64 = 0, 1
		for i > 0 && digit(name[i-1]) && len(name)-i < 10 {
			i--
			n += unit * uint64(name[i]-'0')
			unit *= 10
			// %r10 may belong to a range %r or to a range %r1.
			if name[i] == '0' && i+1 < len(name) {
				continue
			}
			if r, ok := s.ranges[name[:i]]; ok && n < r.count {
				y := &symbol{name: name, pos: r.pos, reg: true, typ: r.typ}
				s.syms[name] = y
				return y
			}
		}
	}
	return nil
}

func (s *scope) label(name string) (int, bool) {
	for ; s != nil; s = s.up {
		if i, ok := s.labels[name]; ok {
			return i, true
		}
	}
	return 0, false
}

func (s *scope) list(name string) []*operand {
	for ; s != nil; s = s.up {
		if l, ok := s.lists[name]; ok {
			return l
		}
	}
	return nil
}

func (s *scope) prototype(name string) bool {
	for ; s != nil; s = s.up {
		if s.protos[name] {
			return true
		}
	}
	return false
}

type operandKind uint8

const (
	opReg    operandKind = iota // sym
	opVar                       // address of sym + off
	opName                      // special register, label or function: name in scope
	opInt                       // bits
	opFloat                     // bits (f32 tells the width)
	opAddr                      // [base + off], base may be nil for [imm]; list holds tensor coordinates
	opVector                    // {list}
	opList                      // (list)
	opSink                      // _
)

// operand is a parsed instruction operand.
type operand struct {
	kind  operandKind
	not   bool // !p
	neg   bool // -%r (accepted only where the ISA has it)
	f32   bool
	name  string
	sym   *symbol
	scope *scope
	bits  uint64
	off   int64
	base  *operand
	list  []*operand
	pred  *operand // the q of p|q
	sel   string   // the part of a register that a video instruction names
	pos   pos
}

// stmt is one instruction.
type stmt struct {
	guard *operand
	op    string   // "ld"
	mods  []string // "global", "v4", "f32"
	args  []*operand
	text  string
	pos   pos
}

// function is an entry or a device function.
type function struct {
	name    string
	pos     pos
	entry   bool
	params  []*symbol
	rets    []*symbol
	body    []stmt
	vars    []*symbol // .shared, .local and .param variables of the body
	defined bool
	addr    uint64 // see windowCode
	scope   *scope
	perf    perf
}

// perf holds the performance-tuning directives that the emulator uses.
type perf struct {
	reqntid, maxntid, cluster [3]uint32
	directives                []Directive
}
