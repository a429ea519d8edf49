package ptx

import "strconv"

// Class is the type that a virtual register is declared with.
type Class uint8

const (
	Pred Class = iota + 1
	R8         // of cvt and mov alone
	R16
	R32
	R64
	RF32
	RF64
	R128
	numClasses
)

// classes gives each class the type and the name prefix of its declaration, as LLVM and nvcc spell them.
var classes = [numClasses]struct{ decl, prefix string }{
	Pred: {".pred", "%p"},
	R8:   {".b8", "%b"},
	R16:  {".b16", "%rs"},
	R32:  {".b32", "%r"},
	R64:  {".b64", "%rd"},
	RF32: {".f32", "%f"},
	RF64: {".f64", "%fd"},
	R128: {".b128", "%rq"},
}

// String returns the type of the class's declaration, such as ".b32".
func (c Class) String() string { return classes[c].decl }

// Reg is a virtual register: its class and its number. The zero Reg is no register.
type Reg uint32

const regNumberBits = 28

// Class returns the class of the register, zero for no register.
func (r Reg) Class() Class { return Class(r >> regNumberBits) }

// Number returns the number in the register's name, from 1.
func (r Reg) Number() int { return int(r & (1<<regNumberBits - 1)) }

// String returns the register's name, such as "%rd3".
func (r Reg) String() string { return string(appendReg(nil, r)) }

func appendReg(buf []byte, r Reg) []byte {
	buf = append(buf, classes[r.Class()].prefix...)
	return strconv.AppendInt(buf, int64(r.Number()), 10)
}

// Regs hands out the virtual registers of one entry. The zero value is ready to use.
type Regs struct{ last [numClasses]uint32 }

// New returns a register of the class that was not handed out before.
func (f *Regs) New(c Class) Reg {
	f.last[c]++
	return Reg(uint32(c)<<regNumberBits | f.last[c])
}

// Count returns how many registers of the class were handed out.
func (f *Regs) Count(c Class) int { return int(f.last[c]) }

// owns reports whether the register came from here.
func (f *Regs) owns(r Reg) bool {
	c := r.Class()
	return c > 0 && c < numClasses && r.Number() > 0 && r.Number() <= f.Count(c)
}
