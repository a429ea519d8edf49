package ptx

import "github.com/tilewright/tilewright/target/sm"

// Module is a PTX module. Its parts are printed in the order of the fields.
type Module struct {
	Comments []string // lines at the top
	Target   sm.Target
	Funcs    []*Func
	Vars     []*Var
	Entries  []*Entry
}

// Linkage says who can see a symbol.
type Linkage uint8

const (
	LinkInternal Linkage = iota
	LinkVisible
	LinkExtern
	LinkWeak
)

// Var is a variable at module scope.
type Var struct {
	Linkage Linkage
	Space   Mod // Global, Shared or Const
	Align   int // zero: the type's own
	Type    Mod
	Name    string
	Array   bool
	Count   int      // elements of an array; zero: none is written, as in the dynamic .extern .shared x[]
	Init    []uint64 // values of the first elements, as bits of the type
}

// Func is the declaration of an external function.
type Func struct {
	Name   string
	Result *Param // nil: none
	Params []Param
}

// Param is a parameter of an entry or a function.
type Param struct {
	Name  string
	Type  Mod
	Align int // of a parameter that is an array, which is passed by value
	Count int // elements of an array; zero: not an array

	// What a pointer is known to point to; meaningful when Space is not zero.
	Space    Mod // Global, Shared, Const or LocalSpace
	PtrAlign int // alignment of the pointee in bytes
}

// Entry is a kernel.
type Entry struct {
	Name       string
	Params     []Param
	Directives Directives
	Regs       Regs
	Body       Body
}

// Directives are the launch directives of an entry. A zero field is not printed.
type Directives struct {
	ReqNTID           Dim // exact CTA shape
	MaxNTID           Dim // largest CTA shape
	MinNCTAPerSM      int
	MaxNReg           int
	ReqNCTAPerCluster Dim
	MaxClusterRank    int
	ExplicitCluster   bool
	BlocksAreClusters bool
	Language          int // see DirectiveLanguage of package sm
	Pragmas           []string
}

// Dim is an extent in three dimensions. Trailing zeros stand for ones.
type Dim struct{ X, Y, Z int }

// TileIRLanguage is the value of Directives.Language that marks an entry as compiled from Tile IR.
const TileIRLanguage = 7
