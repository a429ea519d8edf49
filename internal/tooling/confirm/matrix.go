package confirm

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// smallNumbers are patterns of small whole numbers of a type: sums of their products are exact in every accumulator, so
// that only a layout can make two machines differ. The largest magnitude is 3.
func smallNumbers(e sm.Elem) []uint64 {
	switch e {
	case sm.F16, sm.BF16, sm.F32, sm.TF32, sm.F64:
		f := map[sm.Elem]numeric.Format{sm.F16: numeric.F16, sm.BF16: numeric.BF16, sm.F32: numeric.F32, sm.TF32: numeric.F32, sm.F64: numeric.F64}[e]
		var out []uint64
		for _, x := range []float64{1, -2, 3, 0, -1, 2, -3} {
			out = append(out, f.Encode(x, numeric.Env{}))
		}
		return out
	case sm.S8, sm.U8, sm.S32:
		return []uint64{1, 2, 3, 0, 5, 7, 11}
	case sm.S4, sm.U4:
		return []uint64{1, 2, 3, 0, 5, 7, 6}
	case sm.E4M3:
		return []uint64{0x38, 0xc0, 0x44, 0, 0xb8, 0x40, 0xc4}
	case sm.E5M2:
		return []uint64{0x3c, 0xc0, 0x42, 0, 0xbc, 0x40, 0xc2}
	case sm.E3M2:
		return []uint64{0x0c, 0x30, 0x12, 0, 0x2c, 0x10, 0x32}
	case sm.E2M3:
		return []uint64{0x08, 0x30, 0x14, 0, 0x28, 0x10, 0x34}
	case sm.E2M1:
		return []uint64{2, 0xc, 5, 0, 0xa, 4, 0xd}
	case sm.UE8M0:
		return []uint64{127, 128, 126, 127, 129, 128, 127}
	case sm.UE4M3:
		return []uint64{0x38, 0x40, 0x30, 0x38, 0x48, 0x40, 0x38}
	}
	return []uint64{0}
}

// roundingNumbers are patterns of numbers whose sums of products are not exact.
func roundingNumbers(e sm.Elem) []uint64 {
	f := map[sm.Elem]numeric.Format{sm.F16: numeric.F16, sm.BF16: numeric.BF16, sm.F32: numeric.F32, sm.TF32: numeric.TF32, sm.E4M3: numeric.F8E4M3FN, sm.E5M2: numeric.F8E5M2}[e]
	var out []uint64
	for _, x := range []float64{1, 0x1p-8 * 1.4, 100.5, -99.25, 0x1p-6, 3.14, -0.3} {
		out = append(out, f.Encode(x, numeric.Env{}))
	}
	return out
}

// pack fills words of 32 bits with the numbers of a list of a type, each in a cell of so many bits. An e2m1 in a byte stands in
// its middle (PTX ISA, "Packed 6-bit and 4-bit formats in mma").
func pack(e sm.Elem, list []uint64, cell, words, seed int) (out []uint32) {
	shift := 0
	if e == sm.E2M1 && cell == 8 {
		shift = 2
	}
	n := seed
	for len(out) < words {
		if cell == 64 {
			v := list[(n*n+n/7)%len(list)]
			out = append(out, uint32(v), uint32(v>>32))
			n++
			continue
		}
		var w uint32
		for at := 0; at < 32; at += cell {
			w |= uint32(list[(n*n+n/7)%len(list)]) << shift << at
			n++
		}
		out = append(out, w)
	}
	return out
}

func warpMatrix(m *sm.Matrix) bool {
	return slices.Contains([]sm.MatrixFamily{sm.MmaSync, sm.MmaF8F6F4Sync, sm.MmaScaled, sm.MmaSparse}, m.Family)
}

// fragmentProbes multiply small whole numbers by each instruction whose operands are registers of a warp. Every
// register of every lane has its own numbers, so that an element in another place changes the result.
func fragmentProbes() (out []*Probe) {
	for _, m := range sm.Matrices() {
		if !warpMatrix(m) {
			continue
		}
		for _, a := range m.A.Elems {
			for _, b := range m.B.Elems {
				for _, d := range m.D.Elems {
					id := strings.TrimSpace(fmt.Sprintf("%s m%dn%dk%d %s %s %s", m.Family, m.M, m.N.Max, m.K, d, a, b))
					if m.Scale.Block != 0 {
						id += fmt.Sprintf(" %s:%d", m.Scale.Elem, m.Scale.Block)
					}
					out = append(out, &Probe{ID: name(Fragments, id), Kind: Fragments, Look: "target/engine/emu/mma/fragment.go and passes/tileas/machine/instr",
						Means: "Elements of A, B, C or D are in other registers or lanes than the emulator and the compiler believe, so kernels with this MMA are wrong.",
						Open:  m.Sparse,
						on:    func(arch *sm.Arch) bool { return m.On(arch) },
						make:  func(_ context.Context, t Target) (*Launch, error) { return fragmentLaunch(t, m, a, b, d, smallNumbers) }})
					if m.Family == sm.MmaSync && d == sm.F32 && a == b {
						out = append(out, &Probe{ID: name(Fragments, "rounding of "+id), Kind: Fragments, Look: "target/engine/emu/mma/multiply.go", Open: true,
							Means: "Hardware rounds the accumulations of this MMA otherwise than once, so results differ from the emulator's in the last bits.",
							on:    func(arch *sm.Arch) bool { return m.On(arch) },
							make: func(_ context.Context, t Target) (*Launch, error) {
								return fragmentLaunch(t, m, a, b, d, roundingNumbers)
							}})
					}
				}
			}
		}
	}
	return out
}

// metadata are selectors of a sparse A: of four elements two, in order, or of two elements of 32 bits one.
func metadata(a sm.Elem, lane int) (w uint32) {
	nibbles := []uint32{4, 8, 9, 12, 13, 14}
	if a == sm.TF32 {
		nibbles = []uint32{4, 14}
	}
	for i := range 8 {
		w |= nibbles[(lane+i*i)%len(nibbles)] << (4 * i)
	}
	return w
}

// registerList writes a list of registers of one letter from a number on.
func registerList(letter string, first, n int) string {
	var regs []string
	for i := range n {
		regs = append(regs, fmt.Sprintf("%%%s%d", letter, first+i))
	}
	return "{" + strings.Join(regs, ", ") + "}"
}

// letterOf is the letter of registers that hold an operand of a type.
func letterOf(e sm.Elem) string {
	if e == sm.F64 {
		return "g"
	}
	return "r"
}

func fragmentLaunch(t Target, m *sm.Matrix, a, b, d sm.Elem, numbers func(e sm.Elem) []uint64) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	n := m.N.Max
	k := &kernelText{}
	k.b.WriteString(header + `.visible .entry k(.param .u64 res, .param .u64 in)
.reqntid 32, 1, 1
{
	.reg .b32 %r<64>; .reg .f64 %g<64>; .reg .b64 %res, %in, %x; .reg .b32 %me, %meta, %sa, %sb;
	ld.param.u64 %res, [res]; ld.param.u64 %in, [in]; mov.u32 %me, %tid.x;
`)
	var data []byte
	load := func(reg, ptx string, bytes int, words func(lane int) []uint32) {
		at := len(data)
		for lane := range sm.WarpSize {
			for _, w := range words(lane) {
				data = binary.LittleEndian.AppendUint32(data, w)
			}
		}
		k.line("mul.wide.u32 %%x, %%me, %d; add.u64 %%x, %%x, %%in; ld.global.%s %s, [%%x+%d];", bytes, ptx, reg, at)
	}
	operand := func(e sm.Elem, cell, first, count, seed int) string {
		letter, bytes := letterOf(e), 4
		if letter == "g" {
			bytes = 8
		}
		for i := range count {
			load(fmt.Sprintf("%%%s%d", letter, first+i), fmt.Sprintf("b%d", 8*bytes), bytes, func(lane int) []uint32 {
				return pack(e, numbers(e), cell, bytes/4, seed+37*lane+11*i)
			})
		}
		return registerList(letter, first, count)
	}
	ra, rb, rd := m.RegistersA(), m.RegistersB(n), m.RegistersD(n)
	listA := operand(a, m.A.Cell, 0, ra, 1)
	listB := operand(b, m.B.Cell, ra, rb, 100)
	listD := operand(d, m.D.Cell, ra+rb, rd, 1000)
	op, kind, scale, tail := "mma.sync", "", "", ""
	if m.Sparse {
		op, tail = "mma.sp::ordered_metadata.sync", ", %meta, 0x0"
		load("%meta", "b32", 4, func(lane int) []uint32 { return []uint32{metadata(a, lane)} })
	}
	if m.Kind != "" {
		kind = "." + m.Kind
	}
	if m.Scale.Block != 0 {
		kind += fmt.Sprintf(".block_scale.scale_vec::%dX", m.K/m.Scale.Block)
		scale, tail = "."+m.Scale.Elem.String(), ", %sa, {0, 0}, %sb, {0, 0}"
		load("%sa", "b32", 4, func(lane int) []uint32 { return pack(m.Scale.Elem, smallNumbers(m.Scale.Elem), 8, 1, 5*lane) })
		load("%sb", "b32", 4, func(lane int) []uint32 { return pack(m.Scale.Elem, smallNumbers(m.Scale.Elem), 8, 1, 3*lane+1) })
	}
	k.line("%s.aligned.%s.row.col%s.%s.%s.%s.%s%s %s, %s, %s, %s%s;", op, m.Shape(n), kind, d, a, b, d, scale, listD, listA, listB, listD, tail)
	k.storeMatrix(d, ra+rb, rd, sm.WarpSize)
	k.b.WriteString("\tret;\n}\n")
	return k.launch(sm.WarpSize, buffer(data)), nil
}

// storeMatrix stores registers that hold an accumulator.
func (k *kernelText) storeMatrix(d sm.Elem, first, count, threads int) {
	types := map[sm.Elem]launch.DType{sm.F32: launch.F32, sm.F64: launch.F64, sm.S32: launch.I32, sm.F16: launch.U32}
	f := Field{Type: types[d], Count: threads}
	if d == sm.F16 {
		f.Halves = launch.F16
	}
	for i := range count {
		reg := fmt.Sprintf("%%%s%d", letterOf(d), first+i)
		f.Name = fmt.Sprintf("register %d of D", i)
		bytes := f.Type.Size()
		k.put(reg, f, fmt.Sprintf("b%d", 8*bytes), bytes)
	}
}

// launch is the launch of one CTA of a kernel whose parameters are the answer and more.
func (k *kernelText) launch(threads int, args ...launch.Arg) *Launch {
	return &Launch{PTX: []byte(k.b.String()), Block: [3]uint32{uint32(threads), 1, 1}, Answers: []int{0}, Fields: k.fields,
		Request: &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: append([]launch.Arg{buffer(make([]byte, max(k.size, 8)))}, args...)}}
}
