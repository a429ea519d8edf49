package reference

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
)

const (
	viewAccess = " [token = %token] [optimization_hints = <HINTS>] [inbounds = [true, ...]] [attributes {NAME = ATTRIBUTE, ...}] : "
	signature  = "@NAME(%argument: TYPE, ...) [attributes {NAME = ATTRIBUTE, ...}] { ... }"
	combiner   = " : TYPE, ... -> TYPE, ... (%accumulator: TYPE, %element: TYPE, ...) { ... }"
	multimem   = "[%index, ...] [token = %token] [inbounds = [true, ...]] [attributes {reduction = KIND}] : "
	dictionary = " [{NAME = ATTRIBUTE, ...}]"
)

// handSyntax is the syntax of operations that hooks parse and print. Words in capitals stand for what they name, [ ]
// around what may be missing where no brackets are meant to be read as such, ... for more of the same; { ... } is a
// region.
var handSyntax = map[string]string{
	"nv_tileas.warp_specialize": "{ role \"NAME\" warps(NUMBER) [regs(NUMBER)] { ... } ... }",

	"builtin.module":                     "[@NAME] [attributes {NAME = ATTRIBUTE, ...}] { ... }",
	"builtin.unrealized_conversion_cast": "%inputs, ... : TYPE, ... to TYPE, ..." + dictionary,

	"cuda_tile.pow":      "%source, %exponent : TYPE",
	"cuda_tile.module":   "@NAME [attributes {NAME = ATTRIBUTE, ...}] { ... }",
	"cuda_tile.entry":    "@NAME(%argument: TYPE, ...) [optimization_hints=<HINTS>] { ... }" + dictionary,
	"cuda_tile.global":   "[VISIBILITY] [constant] @NAME [alignment = NUMBER] <ELEMENT: VALUES> : TYPE",
	"cuda_tile.constant": "<ELEMENT: VALUES> : TYPE" + dictionary,
	"cuda_tile.for": "[unsigned] %i in (%lowerBound to %upperBound, step %step) : TYPE [iter_values(%value = %initValue, ...) -> (TYPE, ...)] { ... }" +
		dictionary,
	"cuda_tile.loop":   "[iter_values(%value = %initValue, ...)] [: TYPE, ... [-> TYPE, ...]] { ... }" + dictionary,
	"cuda_tile.if":     "%condition [-> (TYPE, ...)] { ... } [else { ... }]" + dictionary,
	"cuda_tile.reduce": "%operands, ... dim=NUMBER identities=[NUMBER : TYPE, ...]" + combiner,
	"cuda_tile.scan":   "%operands, ... dim=NUMBER reverse=BOOL identities=[NUMBER : TYPE, ...]" + combiner,

	"cuda_tile.make_tensor_view":              "%base, shape = [SIZE or %size, ...], strides = [STRIDE or %stride, ...] : [TYPE OF SIZES AND STRIDES ->] TYPE",
	"cuda_tile.make_partition_view":           "%tensor_view" + dictionary + " : TYPE",
	"cuda_tile.make_strided_view":             "%tensor_view" + dictionary + " : TYPE",
	"cuda_tile.make_gather_scatter_view":      "%tensor_view" + dictionary + " : TYPE",
	"cuda_tile.get_index_space_shape":         "%src" + dictionary + " : TYPE -> TYPE OF EACH RESULT",
	"cuda_tile.get_tensor_shape":              "%src" + dictionary + " : TYPE -> TYPE OF EACH RESULT",
	"cuda_tile.load_view_tko":                 "ORDERING [SCOPE] %view[%index, ...]" + viewAccess + "VIEW TYPE [, TYPE OF INDICES] -> TILE TYPE, token",
	"cuda_tile.store_view_tko":                "ORDERING [SCOPE] %tile, %view[%index, ...]" + viewAccess + "TILE TYPE, VIEW TYPE [, TYPE OF INDICES] -> token",
	"cuda_tile.atomic_red_view_tko":           "ORDERING SCOPE %view[%index, ...], MODE, %value" + viewAccess + "TILE TYPE, VIEW TYPE [, TYPE OF INDICES] -> token",
	"cuda_tile.multimem_load_reduce_view_tko": "ORDERING [SCOPE] %view" + multimem + "VIEW TYPE [, TYPE OF INDICES] [, token] -> TILE TYPE, token",
	"cuda_tile.multimem_reduce_view_tko":      "ORDERING SCOPE %view, %tile" + multimem + "VIEW TYPE, TILE TYPE [, TYPE OF INDICES] [, token] -> token",
	"cuda_tile.multimem_store_view_tko":       "ORDERING [SCOPE] %view, %tile" + multimem + "VIEW TYPE, TILE TYPE [, TYPE OF INDICES] [, token] -> token",

	"arith.constant": "[{NAME = ATTRIBUTE, ...}] VALUE [as TYPE]",

	"scf.if":   "%condition [-> (TYPE, ...)] { ... } [else { ... }]" + dictionary,
	"scf.for":  "[unsigned] %i = %lb to %ub step %step [iter_args(%value = %init, ...) -> (TYPE, ...)] : TYPE { ... }" + dictionary,
	"scf.loop": "[iter_args(%value = %init, ...)] [-> (TYPE, ...)] [: TYPE, ...] { ... }" + dictionary,

	"cf.br":      "^block[(%value, ... : TYPE, ...)]" + dictionary,
	"cf.cond_br": "%condition, ^block[(%value, ... : TYPE, ...)], ^block[(%value, ... : TYPE, ...)]" + dictionary,

	"nv_tile.func":             signature,
	"nv_tile.global":           "@NAME = dense<VALUES> : TYPE" + dictionary,
	"nv_tile.reduce":           "(%operands, ...) {dim = NUMBER, ...} : (TYPE, ...) -> TYPE (%accumulator: TYPE, %element: TYPE, ...) { ... }",
	"nv_tile.scan":             "(%operands, ...) {dim = NUMBER, ...} : (TYPE, ...) -> TYPE (%accumulator: TYPE, %element: TYPE, ...) { ... }",
	"nv_tile.join_mem_token":   "%tokens, ..." + dictionary,
	"nv_tile.tiled_load":       "%base[%offset, ...] sizes [%size, ...] strides [%stride, ...] [token %token] {bounds = array<i1: BOOL, ...>, ...} : POINTER TYPE -> TILE TYPE",
	"nv_tileas.copy_async":     "%buffer, %base[%offset, ...] sizes [%size, ...] strides [%stride, ...] [token %token] {bounds = array<i1: BOOL, ...>, ...} : BUFFER TYPE, POINTER TYPE",
	"nv_tile.tiled_store":      "%value, %base[%offset, ...] sizes [%size, ...] strides [%stride, ...] [token %token] {bounds = array<i1: BOOL, ...>, ...} : TILE TYPE, POINTER TYPE",
	"nv_tile.tiled_atomic_rmw": "%value, %base[%offset, ...] sizes [%size, ...] strides [%stride, ...] [token %token] {mode = \"MODE\", bounds = array<i1: BOOL, ...>, ...} : TILE TYPE, POINTER TYPE",

	"nvvm.func":      signature,
	"nvvm.global":    "@NAME = dense<VALUES> : TYPE" + dictionary,
	"nvvm.ld":        "%addr [+ NUMBER] [if %predicate else %other, ...]" + dictionary + " : POINTER TYPE -> TYPE, ...",
	"nvvm.shfl.sync": "MODE %value, %offset" + dictionary + " : TYPE",
	"nvvm.mma.sync":  "[%a, ...], [%b, ...], [%c, ...] {shape = \"SHAPE\", a_type = \"TYPE\", b_type = \"TYPE\", d_type = \"TYPE\"} : TYPE OF A, TYPE OF B, TYPE OF C",
	"nvvm.mma.sync.block_scale": "[%a, ...], [%b, ...], [%c, ...], [%a_scale], [%b_scale] {shape = \"SHAPE\", a_type = \"TYPE\", b_type = \"TYPE\", d_type = \"TYPE\", scale_type = \"TYPE\", scale_block = 16 | 32, " +
		"a_select = array<i64: BYTE, THREADS>, b_select = array<i64: BYTE, THREAD>} : TYPE OF A, TYPE OF B, TYPE OF C, i32, i32",
}

// HandSyntax returns the syntax of an operation that hooks parse and print, or "". The two tile levels share their
// rows.
func HandSyntax(def *ir.OpDef) string {
	name := def.FullName()
	if level, rest, ok := strings.Cut(name, "."); ok && (level == "nv_tileaa" || level == "nv_tileas") && handSyntax[name] == "" {
		name = "nv_tile." + rest
	}
	return handSyntax[name]
}
