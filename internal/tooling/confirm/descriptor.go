package confirm

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// Where operands are in shared memory, and the strides of their descriptors. The two strides differ, so that one taken
// for the other shows. They fit the widest swizzle, of which 8 rows are 1024 bytes.
const (
	sharedBytes = 32 << 10
	placeOfB    = 24 << 10
	lead        = 2048
	stride      = 1024
	columns     = 16 // N
)

// swizzles are the widths of swizzles in bytes, with their codes in the descriptors of wgmma and tcgen05 (PTX ISA,
// "Matrix Descriptor Format", "Shared memory descriptor").
var swizzles = []struct{ bytes, wgmma, tcgen05 int }{{0, 0, 0}, {32, 3, 6}, {64, 2, 4}, {128, 1, 2}}

// operands fills shared memory with small numbers for A and for B. Elements of less than a byte may stand in chunks of
// 16, padded to 16 bytes.
func operands(a, b sm.Elem, padded bool) []byte {
	return append(stream(a, placeOfB, 1, padded), stream(b, sharedBytes-placeOfB, 100, padded)...)
}

func stream(e sm.Elem, bytes, seed int, padded bool) []byte {
	out := make([]byte, bytes)
	list, bits := smallNumbers(e), e.Bits()
	per := 128 / bits // elements of 16 bytes
	if padded && bits < 8 {
		per = 16
	}
	n := seed
	for at := 0; at < bytes; at += 16 {
		for i := range per {
			v := list[(n*n+n/7)%len(list)]
			n++
			for k := range bits {
				if v>>k&1 != 0 {
					out[at+(i*bits+k)/8] |= 1 << ((i*bits + k) % 8)
				}
			}
		}
	}
	return out
}

// shared begins a kernel of four warps whose shared memory holds the third parameter's bytes. %smem is its address, %bar
// that of an mbarrier that one arrival completes, %p7 the predicate of the first thread.
func (k *kernelText) shared(header, params string) {
	k.b.WriteString(header + `.shared .align 1024 .b8 smem[32768];
.visible .entry k(.param .u64 res, .param .u64 in` + params + `)
.reqntid 128, 1, 1
{
	.shared .align 8 .b64 bar; .shared .align 4 .b32 where;
	.reg .pred %p<8>; .reg .b32 %r<128>; .reg .b64 %d<8>; .reg .b64 %res, %in, %x; .reg .b32 %smem, %bar, %me, %v, %tmem, %lanes, %i;
	ld.param.u64 %res, [res]; ld.param.u64 %in, [in]; mov.u32 %me, %tid.x; mov.b32 %smem, smem; mov.b32 %bar, bar;
	setp.eq.u32 %p7, %me, 0; setp.ge.u32 %p6, %me, 32;
	@%p7 mbarrier.init.shared::cta.b64 [%bar], 1;
	mul.lo.u32 %v, %me, 256; cvt.u64.u32 %x, %v; add.u64 %x, %x, %in; add.u32 %v, %v, %smem;
`)
	for i := 0; i < sharedBytes/threads; i += 16 {
		k.line("ld.global.v4.b32 {%%r0, %%r1, %%r2, %%r3}, [%%x+%d]; st.shared.v4.b32 [%%v+%d], {%%r0, %%r1, %%r2, %%r3};", i, i)
	}
	k.line("fence.proxy.async; fence.mbarrier_init.release.cluster; bar.sync 0;")
}

// await waits for the first phase of the mbarrier, for a bounded time.
func (k *kernelText) await() {
	k.b.WriteString(`	mov.u32 %i, 0;
WAIT:
	mbarrier.try_wait.parity.shared::cta.b64 %p0, [%bar], 0;
	add.u32 %i, %i, 1; setp.gt.u32 %p1, %i, 1000000; or.pred %p0, %p0, %p1;
	@!%p0 bra WAIT;
`)
}

// descriptor puts the descriptor of a matrix at an offset in shared memory into a register.
func (k *kernelText) descriptor(reg string, offset int, bits uint64) {
	k.line("add.u32 %%v, %%smem, %d; shr.u32 %%v, %%v, 4; and.b32 %%v, %%v, 0x3fff; cvt.u64.u32 %s, %%v; or.b64 %s, %s, %#x;", offset, reg, reg, reg, bits)
}

func strides() uint64 { return lead>>4<<16 | stride>>4<<32 }

// descriptorProbes multiply matrices in shared memory, move TMEM, and copy by TMA and in bulk.
func descriptorProbes() []*Probe {
	return slices.Concat(wgmmaProbes(), tcgen05Probes(), tmemProbes(), tmaProbes(), bulkProbes())
}

const descriptorMeans = "Hardware finds the elements of a matrix in shared memory elsewhere than the emulator and the compiler believe, so kernels with this layout are wrong."

func wgmmaProbes() (out []*Probe) {
	for _, m := range sm.Matrices() {
		if m.Family != sm.Wgmma {
			continue
		}
		for _, a := range m.A.Elems {
			for _, b := range m.B.Elems {
				d := m.D.Elems[0]
				for _, s := range swizzles {
					for major := range 4 { // bit 0: of A, bit 1: of B
						for _, registers := range []bool{false, true} {
							if major != 0 && (!m.A.EitherMajor || s.bytes == 0) || registers && major&1 != 0 {
								continue
							}
							id := fmt.Sprintf("wgmma m64n%dk%d %s %s %s swizzle %d%s%s", columns, m.K, d, a, b, s.bytes, []string{"", ", A by columns", ", B by rows", ", A by columns, B by rows"}[major], map[bool]string{true: ", A in registers"}[registers])
							out = append(out, &Probe{ID: name(Descriptors, id), Kind: Descriptors, Means: descriptorMeans, Look: "target/engine/emu/mma/descriptor.go and passes/tileas/machine/instr",
								on: func(arch *sm.Arch) bool { return m.On(arch) },
								make: func(_ context.Context, t Target) (*Launch, error) {
									return wgmmaLaunch(t, m, a, b, s.wgmma, major, registers)
								}})
						}
					}
				}
			}
		}
	}
	return out
}

func wgmmaLaunch(t Target, m *sm.Matrix, a, b sm.Elem, swizzle, major int, registers bool) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	k := new(kernelText)
	k.shared(header, "")
	bits := strides() | uint64(swizzle)<<62
	k.descriptor("%d1", 0, bits)
	k.descriptor("%d2", placeOfB, bits)
	d, nd, na := m.D.Elems[0], m.RegistersD(columns), m.RegistersA()
	for i := range nd {
		k.line("mov.b32 %%r%d, 0;", i)
	}
	first := "%d1"
	if registers {
		k.line("mul.lo.u32 %%v, %%me, %d; add.u32 %%v, %%v, %%smem;", 4*na)
		for i := range na {
			k.line("ld.shared.b32 %%r%d, [%%v+%d];", nd+i, 4*i)
		}
		first = registerList("r", nd, na)
	}
	tail := ", 1, 1, 1"
	if d == sm.S32 {
		tail = ", 1"
	}
	if m.A.EitherMajor {
		if !registers {
			tail += fmt.Sprintf(", %d", major&1)
		}
		tail += fmt.Sprintf(", %d", major>>1)
	}
	k.line("wgmma.fence.sync.aligned;")
	k.line("wgmma.mma_async.sync.aligned.%s.%s.%s.%s %s, %s, %%d2%s;", m.Shape(columns), d, a, b, registerList("r", 0, nd), first, tail)
	k.line("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;")
	k.storeMatrix(d, 0, nd, threads)
	k.b.WriteString("\tret;\n}\n")
	return k.launch(threads, buffer(operands(a, b, false))), nil
}

// idesc are the numbers of element types in instruction descriptors (PTX ISA, "Instruction descriptor").
var idesc = map[string]map[sm.Elem]uint32{
	"kind::f16":      {sm.F16: 0, sm.BF16: 1},
	"kind::tf32":     {sm.TF32: 2},
	"kind::f8f6f4":   {sm.E4M3: 0, sm.E5M2: 1, sm.E2M3: 3, sm.E3M2: 4, sm.E2M1: 5},
	"kind::i8":       {sm.U8: 0, sm.S8: 1},
	"kind::mxf8f6f4": {sm.E4M3: 0, sm.E5M2: 1, sm.E2M3: 3, sm.E3M2: 4, sm.E2M1: 5},
	"kind::mxf4":     {sm.E2M1: 1},
	"kind::mxf4nvf4": {sm.E2M1: 1},
}

// tcgen05Probes multiply on one CTA: each kind and pair of types, each swizzle.
func tcgen05Probes() (out []*Probe) {
	for _, m := range sm.Matrices() {
		if m.Family != sm.Tcgen05 && m.Family != sm.Tcgen05Scaled {
			continue
		}
		for _, a := range m.A.Elems {
			for _, b := range m.B.Elems {
				for _, d := range m.D.Elems {
					for _, s := range swizzles {
						for major := range 4 {
							if major != 0 && (a.Bits() != 16 || s.bytes == 0) || s.bytes != 128 && a.Bits() < 16 && a != b {
								continue
							}
							id := fmt.Sprintf("%s m%dn%dk%d %s %s %s swizzle %d%s", m.Family, m.M, columns, m.K, d, a, b, s.bytes, []string{"", ", A by columns", ", B by rows", ", A by columns, B by rows"}[major])
							if m.Scale.Block != 0 {
								id += fmt.Sprintf(", scales %s:%d", m.Scale.Elem, m.Scale.Block)
							}
							out = append(out, &Probe{ID: name(Descriptors, id), Kind: Descriptors, Means: descriptorMeans, Look: "target/engine/emu/tcgen05/descriptor.go and passes/tileas/machine/instr",
								Open: m.M == 64 || m.Scale.Block != 0 || a.Bits() < 8 || b.Bits() < 8,
								on:   func(arch *sm.Arch) bool { return m.On(arch) },
								make: func(_ context.Context, t Target) (*Launch, error) {
									return tcgen05Launch(t, m, a, b, d, s.tcgen05, major)
								}})
						}
					}
				}
			}
		}
	}
	return out
}

// TMEM that a kernel allocates, in columns: the accumulator, then the scales of A and of B.
const (
	tmemColumns = 64
	scalesOfA   = 32
	scalesOfB   = 48
)

// allocate allocates TMEM, whose address is %tmem, and with the lanes of the warp %lanes.
func (k *kernelText) allocate() {
	k.b.WriteString(`	@%p6 bra ALLOCATED;
	mov.b32 %v, where; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%v], 64;
	tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
ALLOCATED:
	tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
	ld.shared.b32 %tmem, [where]; and.b32 %lanes, %me, 96; shl.b32 %lanes, %lanes, 16; add.u32 %lanes, %lanes, %tmem;
`)
}

func (k *kernelText) free() {
	k.b.WriteString(`	tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
	@%p6 bra FREED;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tmem, 64;
FREED:
	ret;
}
`)
}

// loadAndStore takes columns of TMEM into the answer.
func (k *kernelText) loadAndStore(d sm.Elem, at, count int) {
	k.line("add.u32 %%v, %%lanes, %d; tcgen05.ld.sync.aligned.32x32b.x%d.b32 %s, [%%v]; tcgen05.wait::ld.sync.aligned;", at, count, registerList("r", 0, count))
	k.storeMatrix(d, 0, count, threads)
}

func tcgen05Launch(t Target, m *sm.Matrix, a, b, d sm.Elem, swizzle, major int) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	k := new(kernelText)
	k.shared(header, "")
	k.allocate()
	kind := idesc[m.Kind]
	bits := kind[a]<<7 | kind[b]<<10 | columns/8<<17 | uint32(major&1)<<15 | uint32(major>>1)<<16
	scales, form := "", ""
	if m.Scale.Block == 0 {
		bits |= uint32(m.M/16)<<24 | map[sm.Elem]uint32{sm.F16: 0, sm.F32: 1, sm.S32: 2}[d]<<4
	} else {
		bits |= uint32(m.M/128) << 27
		if m.Scale.Elem == sm.UE8M0 {
			bits |= 1 << 23
		}
		form = fmt.Sprintf(".block_scale.scale_vec::%dX", m.K/m.Scale.Block)
		scales = ", [%r100], [%r101]"
		k.line("add.u32 %%r100, %%tmem, %d; add.u32 %%r101, %%tmem, %d;", scalesOfA, scalesOfB)
		// All warps hold the same scales.
		for i := range 16 {
			words := pack(m.Scale.Elem, smallNumbers(m.Scale.Elem), 8, 7, 3*i)
			k.line("mov.b32 %%r%d, %#x;", i, words[i%7])
		}
		k.line("and.b32 %%v, %%me, 3; setp.eq.u32 %%p0, %%v, 1; selp.b32 %%r0, %%r3, %%r0, %%p0;") // lanes differ
		for _, at := range []int{scalesOfA, scalesOfB} {
			k.line("add.u32 %%v, %%lanes, %d; tcgen05.st.sync.aligned.32x32b.x16.b32 [%%v], %s;", at, registerList("r", 0, 16))
		}
		k.line("tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;")
	}
	desc := strides() | 1<<46 | uint64(swizzle)<<61
	k.descriptor("%d1", 0, desc)
	k.descriptor("%d2", placeOfB, desc)
	k.line("mov.b32 %%r99, %#x; setp.ne.u32 %%p5, %%r99, %%r99;", bits)
	k.line("@%%p7 tcgen05.mma.cta_group::1.%s%s [%%tmem], %%d1, %%d2, %%r99%s, %%p5;", m.Kind, form, scales)
	k.line("@%%p7 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%%bar];")
	k.await()
	k.line("tcgen05.fence::after_thread_sync;")
	k.loadAndStore(d, 0, columns)
	k.free()
	return k.launch(threads, buffer(operands(a, b, m.Kind == "kind::f8f6f4" || m.Kind == "kind::mxf8f6f4"))), nil
}

// A tmemMove is an instruction that moves between TMEM and registers or shared memory, with the registers that it has.
type tmemMove struct {
	ptx       string
	registers int
}

var tmemLoads = []tmemMove{
	{"tcgen05.ld.sync.aligned.16x64b.x4.b32 %s, [%%lanes];", 4}, {"tcgen05.ld.sync.aligned.16x128b.x2.b32 %s, [%%lanes];", 4}, {"tcgen05.ld.sync.aligned.16x256b.x2.b32 %s, [%%lanes];", 8},
	{"tcgen05.ld.sync.aligned.32x32b.x8.b32 %s, [%%lanes];", 8}, {"tcgen05.ld.sync.aligned.16x32bx2.x4.b32 %s, [%%lanes], 8;", 4},
	{"tcgen05.ld.sync.aligned.16x64b.x4.pack::16b.b32 %s, [%%lanes];", 4}, {"tcgen05.ld.sync.aligned.16x128b.x2.pack::16b.b32 %s, [%%lanes];", 4}, {"tcgen05.ld.sync.aligned.32x32b.x8.pack::16b.b32 %s, [%%lanes];", 8},
}

var tmemStores = []tmemMove{
	{"tcgen05.st.sync.aligned.16x64b.x4.b32 [%%lanes], %s;", 4}, {"tcgen05.st.sync.aligned.16x128b.x2.b32 [%%lanes], %s;", 4}, {"tcgen05.st.sync.aligned.16x256b.x2.b32 [%%lanes], %s;", 8},
	{"tcgen05.st.sync.aligned.32x32b.x8.b32 [%%lanes], %s;", 8}, {"tcgen05.st.sync.aligned.16x32bx2.x4.b32 [%%lanes], 8, %s;", 4}, {"tcgen05.st.sync.aligned.16x64b.x4.unpack::16b.b32 [%%lanes], %s;", 4},
}

var tmemCopies = []string{"128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4"}

// tmemProbes move numbered cells: which comes where is the layout.
func tmemProbes() (out []*Probe) {
	add := func(ptx string, body func(k *kernelText)) {
		id, _, _ := strings.Cut(ptx, ".b32")
		out = append(out, &Probe{ID: name(Descriptors, id), Kind: Descriptors, Look: "target/engine/emu/tcgen05/move.go and copy.go", Open: true,
			Means: "Cells of TMEM are in other registers, lanes or columns than the emulator believes; the ISA shows this layout in figures.",
			on:    func(a *sm.Arch) bool { return a.TMEM.Lanes > 0 },
			make: func(_ context.Context, t Target) (*Launch, error) {
				header, err := t.header()
				if err != nil {
					return nil, err
				}
				k := new(kernelText)
				k.shared(header, "")
				k.allocate()
				// Each cell is numbered by its lane and column.
				for i := range 32 {
					k.line("shl.b32 %%r%d, %%me, 8; or.b32 %%r%d, %%r%d, %d;", i, i, i, 0x10000*(i+1))
				}
				k.line("tcgen05.st.sync.aligned.32x32b.x32.b32 [%%lanes], %s; tcgen05.wait::st.sync.aligned;", registerList("r", 0, 32))
				k.line("tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;")
				body(k)
				k.free()
				return k.launch(threads, buffer(numbered(sharedBytes))), nil
			}})
	}
	for _, l := range tmemLoads {
		add(l.ptx, func(k *kernelText) {
			k.line(l.ptx, registerList("r", 40, l.registers))
			k.line("tcgen05.wait::ld.sync.aligned;")
			k.storeMatrix(sm.S32, 40, l.registers, threads)
		})
	}
	for _, s := range tmemStores {
		add(s.ptx, func(k *kernelText) {
			for i := range s.registers {
				k.line("mad.lo.u32 %%r%d, %%me, 16, %d;", 40+i, 0x5000000+i)
			}
			k.line(s.ptx, registerList("r", 40, s.registers))
			k.line("tcgen05.wait::st.sync.aligned;")
			k.loadAndStore(sm.S32, 0, 32)
		})
	}
	for _, c := range tmemCopies {
		add("tcgen05.cp."+c, func(k *kernelText) {
			k.descriptor("%d1", 0, uint64(128>>4<<16|256>>4<<32)|1<<46)
			k.line("@%%p7 tcgen05.cp.cta_group::1.%s [%%tmem], %%d1;", c)
			k.line("@%%p7 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%%bar];")
			k.await()
			k.line("tcgen05.fence::after_thread_sync;")
			k.loadAndStore(sm.S32, 0, 32)
		})
	}
	return out
}

// numbered is memory in which each word has its own number.
func numbered(bytes int) (out []byte) {
	for i := range bytes / 4 {
		out = binary.LittleEndian.AppendUint32(out, uint32(i+1))
	}
	return out
}

// words is the field of shared memory or of a buffer, word by word.
func words(name string, bytes int) Field {
	return Field{Name: name, Type: launch.U32, Count: bytes / 4}
}
