package syntax

// Space is a PTX state space.
type Space uint8

const (
	Generic Space = iota
	Param
	Global
	Shared
	Local
	Const
)

var spaceNames = [...]string{"generic", "param", "global", "shared", "local", "const"}

func (s Space) String() string { return spaceNames[s] }

// Symbol is a declared name: a register, a variable, a parameter or a function.
type Symbol struct {
	Name     string
	Pos      pos
	Hidden   bool // of a parameter: the driver fills it
	Register bool
	Type     Type
	Space    Space
	Align    int64
	Size     int64 // bytes
	Init     []initItem
	Function *Function // for a function name
	// Extern marks .extern .shared arrays without a size, the dynamic
	// shared memory of a launch.
	Extern bool
	Offset int64 // parameters: place in the parameter block
}

// initItem is one element of a static initialiser: size bytes at off hold
// bits, plus the address of sym when there is one.
type initItem struct {
	Offset int64
	Size   int
	Bits   uint64
	Sym    *Symbol
}

// scope is one brace level of a function, or the module.
type scope struct {
	up     *scope
	syms   map[string]*Symbol
	ranges map[string]regRange // %r<100>: prefix "%r"
	labels map[string]int      // statement index
	lists  map[string][]*Operand
	protos map[string]bool // labels of call prototypes
}

type regRange struct {
	typ   Type
	count uint64
	pos   pos
}

func newScope(up *scope) *scope {
	return &scope{up: up, syms: map[string]*Symbol{}}
}

// lookup finds a name here or further out, making the symbol of a register range's member on first use.
//
// PTX declares registers by the thousand (.reg .b32 %r<1000>), most of which a compiler never uses. Making symbols on
// first use keeps the memory of a module proportional to its text, however large the number in the brackets.
func (s *scope) lookup(name string) *Symbol {
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
				y := &Symbol{Name: name, Pos: r.pos, Register: true, Type: r.typ}
				s.syms[name] = y
				return y
			}
		}
	}
	return nil
}

// Label, List and Prototype look names up as lookup does; they are spaces of names apart from that of variables.
func (s *scope) Label(name string) (int, bool) {
	for ; s != nil; s = s.up {
		if i, ok := s.labels[name]; ok {
			return i, true
		}
	}
	return 0, false
}

func (s *scope) List(name string) []*Operand {
	for ; s != nil; s = s.up {
		if l, ok := s.lists[name]; ok {
			return l
		}
	}
	return nil
}

func (s *scope) Prototype(name string) bool {
	for ; s != nil; s = s.up {
		if s.protos[name] {
			return true
		}
	}
	return false
}

// OperandKind is what the text shows. A name that is not declared may be a special register, a label or a table,
// which the instruction tells.
type OperandKind uint8

const (
	OpReg    OperandKind = iota // sym
	OpVar                       // address of sym + off
	OpName                      // special register, label or function: name in scope
	OpInt                       // bits
	OpFloat                     // bits (f32 tells the width)
	OpAddr                      // [base + off], base may be nil for [imm]; list holds tensor coordinates
	OpVector                    // {list}
	OpList                      // (list)
	OpSink                      // _
)

// Operand is a parsed instruction operand.
//
// It is one type for all kinds, with fields that only some of them use. Operands are few in kind and read once, by a
// decoder. Types that share an interface would turn every field into a type switch.
type Operand struct {
	Kind   OperandKind
	Not    bool // !p
	Neg    bool // -%r (accepted only where the ISA has it)
	F32    bool
	Name   string
	Sym    *Symbol
	Scope  *scope
	Bits   uint64
	Offset int64
	Base   *Operand
	List   []*Operand
	Pred   *Operand // the q of p|q
	Part   string   // the part of a register that a video instruction names
	Pos    pos
}

// Stmt is one instruction.
//
// The modifiers stay a list of words. Their order is fixed in the ISA for each instruction, but compilers and the ISA's
// own examples differ here and there, and ptxas accepts more than one. The decoders take them in any order and reject
// what nobody has asked for.
type Stmt struct {
	Guard *Operand
	Op    string   // "ld"
	Mods  []string // "global", "v4", "f32"
	Args  []*Operand
	Text  string
	Pos   pos
	Loc   Loc
}

// Loc is a place in the source that PTX was made from, as .loc says: a file of the module's list, 0 for none. It is
// the innermost place of an inlined call.
type Loc struct {
	File, Line, Column int32
	Caller             int32 // where the call was inlined: the number, from 1 on, of one of the module's callers; 0: nowhere
}

// Function is an entry or a device function.
type Function struct {
	Name    string
	Pos     pos
	Entry   bool
	Params  []*Symbol
	Results []*Symbol
	Body    []Stmt
	Vars    []*Symbol // .shared, .local and .param variables of the body
	Defined bool
	Address uint64 // see windowCode
	scope   *scope
	Tuning  Tuning
}

// Tuning holds the performance-tuning directives that the emulator uses.
type Tuning struct {
	ReqNTID, MaxNTID, Cluster [3]uint32
	Directives                []Directive
	BlocksAreClusters         bool
}
