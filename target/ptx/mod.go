package ptx

import "strconv"

// Mod is a modifier of an opcode, or the type of a declaration.
type Mod uint32

const (
	invalidMod Mod = iota

	// Types of operands.
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	B4
	B8
	B16
	B32
	B64
	B128
	B1024
	U4
	S4
	U16x2
	S16x2
	F16
	F16x2
	BF16
	BF16x2
	TF32
	F32
	F32x2
	F64
	E4M3
	E5M2
	E3M2
	E2M3
	E2M1
	E4M3x2
	E5M2x2
	E3M2x2
	E2M3x2
	E2M1x2
	E4M3x4
	E5M2x4
	E2M1x4
	UE8M0
	UE8M0x2
	UE4M3
	PredType

	// State spaces.
	Global
	Shared
	SharedCTA
	SharedCluster
	LocalSpace
	ParamSpace
	ParamEntry
	ParamFunc
	Const
	To

	// Vectors and their sizes.
	V2
	V4
	V8
	X1
	X2
	X4
	X8
	X16
	X32
	X64
	X128

	// Rounding and arithmetic.
	RN
	RZ
	RM
	RP
	RNA
	RS
	RNI
	RZI
	RMI
	RPI
	FTZ
	Sat
	SatFinite
	Relu
	Approx
	Full
	NaN
	XorSign
	AbsMod
	Hi
	Lo
	Wide
	CC
	NoFTZ
	Clamp
	Wrap
	LeftEdge
	RightEdge

	// Comparisons and Boolean operators.
	EQ
	NE
	LT
	LE
	GT
	GE
	LS
	HS
	EQU
	NEU
	LTU
	LEU
	GTU
	GEU
	Num
	IsNaN
	Finite
	Infinite
	Number
	NotANumber
	Normal
	Subnormal

	// Reductions.
	AddMod
	MinMod
	MaxMod
	AndMod
	OrMod
	XorMod
	Inc
	Dec
	Cas
	Exch
	PopcMod

	// Memory order, scope and cache.
	Weak
	Volatile
	Relaxed
	Acquire
	Release
	AcqRel
	SC
	MMIO
	CTA
	ClusterScope
	GPU
	Sys
	CA
	CG
	CS
	LU
	CV
	WB
	WT
	NC
	L1NoAllocate
	L1EvictFirst
	L1EvictLast
	L1EvictNormal
	L1EvictUnchanged
	L2EvictFirst
	L2EvictLast
	L2EvictNormal
	L2CacheHint
	L2Prefetch64
	L2Prefetch128
	L2Prefetch256
	L2

	// Execution.
	Uni
	Sync
	Aligned
	Up
	Down
	Bfly
	Idx
	All
	Any
	Ballot
	Noinc
	NoComplete
	Parity
	ExpectTx
	Read
	Async
	TensorMapGeneric
	Alias

	// Matrix instructions.
	Row
	Col
	Trans
	B8x16B6x16P32
	B8x16B4x16P64
	KindF16
	KindTF32
	KindF8F6F4
	KindI8
	KindMXF8F6F4
	KindMXF4
	KindMXF4NVF4
	BlockScale
	ScaleVec1X
	ScaleVec2X
	ScaleVec4X
	Block16
	Block32
	CTAGroup1
	CTAGroup2
	Shape16x64b
	Shape16x128b
	Shape16x256b
	Shape32x32b
	Shape16x32bx2
	Shape128x256b
	Shape4x256b
	Shape128x128b
	Shape64x128b
	Shape32x128b
	WarpX4
	WarpX2Pairs02
	WarpX2Pairs01
	Pack16
	Unpack16
	CollectorAUse
	CollectorALastUse
	CollectorAFill
	CollectorADiscard

	// Asynchronous copies.
	CompleteTxBytes
	ArriveOne
	BulkGroup
	MulticastCluster
	MulticastClusterAll
	CpMask
	Dim1
	Dim2
	Dim3
	Dim4
	Dim5
	Tile
	TileGather4
	TileScatter4
	Im2col
	FieldGlobalAddress
	FieldRank
	FieldBoxDim
	FieldGlobalDim
	FieldGlobalStride
	FieldElementStride
	FieldElemType
	FieldInterleave
	FieldSwizzle
	FieldFill
	IsCanceled
	FirstCTAID

	numMods
)

var modNames = [numMods]string{
	U8:                  "u8",
	U16:                 "u16",
	U32:                 "u32",
	U64:                 "u64",
	S8:                  "s8",
	S16:                 "s16",
	S32:                 "s32",
	S64:                 "s64",
	B4:                  "b4",
	B8:                  "b8",
	B16:                 "b16",
	B32:                 "b32",
	B64:                 "b64",
	B128:                "b128",
	B1024:               "b1024",
	U4:                  "u4",
	S4:                  "s4",
	U16x2:               "u16x2",
	S16x2:               "s16x2",
	F16:                 "f16",
	F16x2:               "f16x2",
	BF16:                "bf16",
	BF16x2:              "bf16x2",
	TF32:                "tf32",
	F32:                 "f32",
	F32x2:               "f32x2",
	F64:                 "f64",
	E4M3:                "e4m3",
	E5M2:                "e5m2",
	E3M2:                "e3m2",
	E2M3:                "e2m3",
	E2M1:                "e2m1",
	E4M3x2:              "e4m3x2",
	E5M2x2:              "e5m2x2",
	E3M2x2:              "e3m2x2",
	E2M3x2:              "e2m3x2",
	E2M1x2:              "e2m1x2",
	E4M3x4:              "e4m3x4",
	E5M2x4:              "e5m2x4",
	E2M1x4:              "e2m1x4",
	UE8M0:               "ue8m0",
	UE8M0x2:             "ue8m0x2",
	UE4M3:               "ue4m3",
	PredType:            "pred",
	Global:              "global",
	Shared:              "shared",
	SharedCTA:           "shared::cta",
	SharedCluster:       "shared::cluster",
	LocalSpace:          "local",
	ParamSpace:          "param",
	ParamEntry:          "param::entry",
	ParamFunc:           "param::func",
	Const:               "const",
	To:                  "to",
	V2:                  "v2",
	V4:                  "v4",
	V8:                  "v8",
	X1:                  "x1",
	X2:                  "x2",
	X4:                  "x4",
	X8:                  "x8",
	X16:                 "x16",
	X32:                 "x32",
	X64:                 "x64",
	X128:                "x128",
	RN:                  "rn",
	RZ:                  "rz",
	RM:                  "rm",
	RP:                  "rp",
	RNA:                 "rna",
	RS:                  "rs",
	RNI:                 "rni",
	RZI:                 "rzi",
	RMI:                 "rmi",
	RPI:                 "rpi",
	FTZ:                 "ftz",
	Sat:                 "sat",
	SatFinite:           "satfinite",
	Relu:                "relu",
	Approx:              "approx",
	Full:                "full",
	NaN:                 "NaN",
	XorSign:             "xorsign",
	AbsMod:              "abs",
	Hi:                  "hi",
	Lo:                  "lo",
	Wide:                "wide",
	CC:                  "cc",
	NoFTZ:               "noftz",
	Clamp:               "clamp",
	Wrap:                "wrap",
	LeftEdge:            "l",
	RightEdge:           "r",
	EQ:                  "eq",
	NE:                  "ne",
	LT:                  "lt",
	LE:                  "le",
	GT:                  "gt",
	GE:                  "ge",
	LS:                  "ls",
	HS:                  "hs",
	EQU:                 "equ",
	NEU:                 "neu",
	LTU:                 "ltu",
	LEU:                 "leu",
	GTU:                 "gtu",
	GEU:                 "geu",
	Num:                 "num",
	IsNaN:               "nan",
	Finite:              "finite",
	Infinite:            "infinite",
	Number:              "number",
	NotANumber:          "notanumber",
	Normal:              "normal",
	Subnormal:           "subnormal",
	AddMod:              "add",
	MinMod:              "min",
	MaxMod:              "max",
	AndMod:              "and",
	OrMod:               "or",
	XorMod:              "xor",
	Inc:                 "inc",
	Dec:                 "dec",
	Cas:                 "cas",
	Exch:                "exch",
	PopcMod:             "popc",
	Weak:                "weak",
	Volatile:            "volatile",
	Relaxed:             "relaxed",
	Acquire:             "acquire",
	Release:             "release",
	AcqRel:              "acq_rel",
	SC:                  "sc",
	MMIO:                "mmio",
	CTA:                 "cta",
	ClusterScope:        "cluster",
	GPU:                 "gpu",
	Sys:                 "sys",
	CA:                  "ca",
	CG:                  "cg",
	CS:                  "cs",
	LU:                  "lu",
	CV:                  "cv",
	WB:                  "wb",
	WT:                  "wt",
	NC:                  "nc",
	L1NoAllocate:        "L1::no_allocate",
	L1EvictFirst:        "L1::evict_first",
	L1EvictLast:         "L1::evict_last",
	L1EvictNormal:       "L1::evict_normal",
	L1EvictUnchanged:    "L1::evict_unchanged",
	L2EvictFirst:        "L2::evict_first",
	L2EvictLast:         "L2::evict_last",
	L2EvictNormal:       "L2::evict_normal",
	L2CacheHint:         "L2::cache_hint",
	L2Prefetch64:        "L2::64B",
	L2Prefetch128:       "L2::128B",
	L2Prefetch256:       "L2::256B",
	L2:                  "L2",
	Uni:                 "uni",
	Sync:                "sync",
	Aligned:             "aligned",
	Up:                  "up",
	Down:                "down",
	Bfly:                "bfly",
	Idx:                 "idx",
	All:                 "all",
	Any:                 "any",
	Ballot:              "ballot",
	Noinc:               "noinc",
	NoComplete:          "noComplete",
	Parity:              "parity",
	ExpectTx:            "expect_tx",
	Read:                "read",
	Async:               "async",
	TensorMapGeneric:    "tensormap::generic",
	Alias:               "alias",
	Row:                 "row",
	Col:                 "col",
	Trans:               "trans",
	B8x16B6x16P32:       "b8x16.b6x16_p32",
	B8x16B4x16P64:       "b8x16.b4x16_p64",
	KindF16:             "kind::f16",
	KindTF32:            "kind::tf32",
	KindF8F6F4:          "kind::f8f6f4",
	KindI8:              "kind::i8",
	KindMXF8F6F4:        "kind::mxf8f6f4",
	KindMXF4:            "kind::mxf4",
	KindMXF4NVF4:        "kind::mxf4nvf4",
	BlockScale:          "block_scale",
	ScaleVec1X:          "scale_vec::1X",
	ScaleVec2X:          "scale_vec::2X",
	ScaleVec4X:          "scale_vec::4X",
	Block16:             "block16",
	Block32:             "block32",
	CTAGroup1:           "cta_group::1",
	CTAGroup2:           "cta_group::2",
	Shape16x64b:         "16x64b",
	Shape16x128b:        "16x128b",
	Shape16x256b:        "16x256b",
	Shape32x32b:         "32x32b",
	Shape16x32bx2:       "16x32bx2",
	Shape128x256b:       "128x256b",
	Shape4x256b:         "4x256b",
	Shape128x128b:       "128x128b",
	Shape64x128b:        "64x128b",
	Shape32x128b:        "32x128b",
	WarpX4:              "warpx4",
	WarpX2Pairs02:       "warpx2::02_13",
	WarpX2Pairs01:       "warpx2::01_23",
	Pack16:              "pack::16b",
	Unpack16:            "unpack::16b",
	CollectorAUse:       "collector::a::use",
	CollectorALastUse:   "collector::a::lastuse",
	CollectorAFill:      "collector::a::fill",
	CollectorADiscard:   "collector::a::discard",
	CompleteTxBytes:     "mbarrier::complete_tx::bytes",
	ArriveOne:           "mbarrier::arrive::one",
	BulkGroup:           "bulk_group",
	MulticastCluster:    "multicast::cluster",
	MulticastClusterAll: "multicast::cluster::all",
	CpMask:              "cp_mask",
	Dim1:                "1d",
	Dim2:                "2d",
	Dim3:                "3d",
	Dim4:                "4d",
	Dim5:                "5d",
	Tile:                "tile",
	TileGather4:         "tile::gather4",
	TileScatter4:        "tile::scatter4",
	Im2col:              "im2col",
	FieldGlobalAddress:  "global_address",
	FieldRank:           "rank",
	FieldBoxDim:         "box_dim",
	FieldGlobalDim:      "global_dim",
	FieldGlobalStride:   "global_stride",
	FieldElementStride:  "element_stride",
	FieldElemType:       "elemtype",
	FieldInterleave:     "interleave_layout",
	FieldSwizzle:        "swizzle_mode",
	FieldFill:           "fill_mode",
	IsCanceled:          "is_canceled",
	FirstCTAID:          "get_first_ctaid",
}

// Shape is the modifier that gives the extents of a matrix instruction, .m16n8k16. A zero k is left out, as in .m8n8.
func Shape(m, n, k int) Mod {
	return shapeFlag | Mod(m&shapeMask)<<(2*shapeBits) | Mod(n&shapeMask)<<shapeBits | Mod(k&shapeMask)
}

const (
	shapeFlag Mod = 1 << 31
	shapeBits     = 10
	shapeMask     = 1<<shapeBits - 1
)

// ModNamed returns the modifier that is printed so, without its dot; not a shape.
func ModNamed(name string) (Mod, bool) {
	m, ok := modsByName[name]
	return m, ok
}

var modsByName = func() map[string]Mod {
	mods := make(map[string]Mod, numMods)
	for m, name := range modNames {
		mods[name] = Mod(m)
	}
	return mods
}()

// String returns the modifier as it is printed, without its dot.
func (m Mod) String() string { return string(appendMod(nil, m)) }

func appendMod(buf []byte, m Mod) []byte {
	if m&shapeFlag == 0 {
		return append(buf, modNames[m]...)
	}
	buf = strconv.AppendInt(append(buf, 'm'), int64(m>>(2*shapeBits)&shapeMask), 10)
	buf = strconv.AppendInt(append(buf, 'n'), int64(m>>shapeBits&shapeMask), 10)
	if k := m & shapeMask; k != 0 {
		buf = strconv.AppendInt(append(buf, 'k'), int64(k), 10)
	}
	return buf
}
