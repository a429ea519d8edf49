package decode

import (
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// maxSlots bounds the registers of a program; a warp needs 256 bytes each.
const maxSlots = 1 << 18

// maxConsts bounds the distinct constants of a program, 256 bytes each.
const maxConsts = 1 << 17

// Func decodes the statement at hand into d.in.
type Func func(d *Decoder)

// Merge joins tables of instructions, which must not have one in common.
func Merge(families ...map[string]Func) map[string]Func {
	all := map[string]Func{}
	for _, f := range families {
		for name, fn := range f {
			if all[name] != nil {
				panic("instruction " + name + " has two decoders")
			}
			all[name] = fn
		}
	}
	return all
}

// Decoder turns the statements of an entry, and of the functions that it
// calls, into a program.
type Decoder struct {
	Module   *syntax.Module
	table    map[string]Func
	Program  *machine.Program
	Function *syntax.Function
	Stmt     *syntax.Stmt
	Inst     *machine.Inst
	at       int                      // of Inst in the program
	Mods     []string                 // modifiers not consumed yet
	Offsets  map[*syntax.Symbol]int64 // shared, local and function parameter variables
	constIdx map[constKey]int32
	specials map[string]int32
	order    []*syntax.Function // functions by start
	before   []machine.Exec     // runs before the current instruction
}

type constKey struct {
	bits uint64
	sym  *syntax.Symbol
}

func (d *Decoder) failAt(format string, args ...any) {
	panic(d.Module.Errorf(d.Stmt.Pos, format, args...))
}

// Fail rejects the entire statement with its text.
func (d *Decoder) Fail(format string, args ...any) {
	e := d.Module.Errorf(d.Stmt.Pos, format, args...)
	e.Msg += ": '" + d.Stmt.Text + "'"
	panic(e)
}

// Opt consumes a modifier if it is there.
func (d *Decoder) Opt(name string) bool {
	for i, m := range d.Mods {
		if m == name {
			d.Mods[i] = ""
			return true
		}
	}
	return false
}

// OneOf consumes the first modifier that is among names; it returns "" if
// there is none.
func (d *Decoder) OneOf(names ...string) string {
	for i, m := range d.Mods {
		for _, n := range names {
			if m == n {
				d.Mods[i] = ""
				return n
			}
		}
	}
	return ""
}

// Prefixed consumes the modifiers that start with any of the prefixes.
//
// Hints come in families (L2::128B, L2::cache_hint, L2::evict_first) that grow with the ISA.
func (d *Decoder) Prefixed(prefixes ...string) {
	for i, m := range d.Mods {
		for _, p := range prefixes {
			if strings.HasPrefix(m, p) {
				d.Mods[i] = ""
			}
		}
	}
}

// Type consumes the next modifier that names a type, which must be among
// allowed if any are given.
//
// The types of an instruction are consumed from left to right, each call the next one.
func (d *Decoder) Type(allowed ...syntax.Type) syntax.Type {
	for i, m := range d.Mods {
		t, ok := syntax.TypeByName[m]
		if !ok {
			continue
		}
		d.Mods[i] = ""
		if len(allowed) == 0 {
			return t
		}
		for _, a := range allowed {
			if a == t {
				return t
			}
		}
		d.Fail("type '.%s' is not supported by '%s'", t, d.Stmt.Op)
	}
	d.Fail("instruction '%s' has no type", d.Stmt.Op)
	return syntax.NoType
}

// Argc checks the number of operands and returns them.
func (d *Decoder) Argc(low, high int) []*syntax.Operand {
	n := len(d.Stmt.Args)
	if n < low || n > high {
		if low == high {
			d.Fail("'%s' takes %d operands, got %d", d.Stmt.Op, low, n)
		}
		d.Fail("'%s' takes %d to %d operands, got %d", d.Stmt.Op, low, high, n)
	}
	return d.Stmt.Args
}

// Args returns the operands, of which there must be n.
func (d *Decoder) Args(n int) []*syntax.Operand { return d.Argc(n, n) }

// PeekType returns the first type among the modifiers left.
func (d *Decoder) PeekType() syntax.Type {
	for _, m := range d.Mods {
		if t, ok := syntax.TypeByName[m]; ok {
			return t
		}
	}
	return syntax.NoType
}
