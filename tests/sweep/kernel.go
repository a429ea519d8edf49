package sweep

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Kernel is a module with one entry, k.
type Kernel struct {
	Name string // what was drawn for it
	Text string // in cuda_tile
}

// Draw returns the kernel of a number.
func Draw(n uint64) Kernel {
	r := rand.New(rand.NewPCG(n, 24))
	if r.IntN(2) == 0 {
		return drawGEMM(r).kernel()
	}
	return drawAttention(r).kernel()
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func chance(r *rand.Rand, oneIn int) bool { return r.IntN(oneIn) == 0 }

// sizes are the extents of tiles.
var sizes = []int{16, 32, 64, 128, 256}

// hints are those of an entry; 0: none.
type hints struct{ ctas, occupancy int }

func drawHints(r *rand.Rand) hints { return hints{pick(r, 0, 1, 2, 2), r.IntN(5)} }

func (h hints) String() string {
	var list []string
	if h.ctas > 0 {
		list = append(list, fmt.Sprintf("num_cta_in_cga = %d", h.ctas))
	}
	if h.occupancy > 0 {
		list = append(list, fmt.Sprintf("occupancy = %d", h.occupancy))
	}
	return strings.Join(list, ", ")
}

// A source is the text of an entry.
type source struct {
	params, body strings.Builder
	hints        hints
	static       bool
	count        int
}

func (s *source) line(format string, args ...any) { fmt.Fprintf(&s.body, format+"\n", args...) }

func (s *source) param(typ string) string {
	name := fmt.Sprintf("%%p%d", s.count)
	s.count++
	if s.params.Len() > 0 {
		s.params.WriteString(", ")
	}
	fmt.Fprintf(&s.params, "%s: tile<%s>", name, typ)
	return name
}

// op writes an operation with one result, which it returns.
func (s *source) op(format string, args ...any) string {
	name := fmt.Sprintf("%%v%d", s.count)
	s.count++
	s.line("%s = "+format, append([]any{name}, args...)...)
	return name
}

// tile is the type of a tile.
func tile(elem string, shape ...int) string { return "tile<" + dims(shape) + elem + ">" }

func dims(shape []int) string {
	var sb strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&sb, "%dx", n)
	}
	return sb.String()
}

// parallel is how many elements of a dynamic shape and stride are promised to be a multiple of.
const parallel = 16

// extent is a static size of a buffer along each dimension. Pages and heads are counted by it too.
const extent = 4096

// A view is a buffer of a parameter in row-major order, and how tiles of it are numbered.
type view struct {
	name, typ, tile string
	rank            int
}

// view makes a buffer with tiles of a shape. With swap, the last two dimensions of the tile are those of the buffer in
// the other order, as a transposed operand has them.
func (s *source) view(elem string, swap bool, shape ...int) view {
	rank := len(shape)
	p := s.op("assume div_by<16>, %s : tile<ptr<%s>>", s.param("ptr<"+elem+">"), elem)
	static, unknown := make([]string, rank), make([]string, rank)
	for i := range rank {
		static[i], unknown[i] = fmt.Sprint(extent), "?"
	}
	var tensor string
	if s.static {
		strides := make([]string, rank)
		step := 1
		for i := rank - 1; i >= 0; i-- {
			strides[i] = fmt.Sprint(step)
			if step *= extent; i < rank-2 {
				step = 1 << 20
			}
		}
		tensor = fmt.Sprintf("tensor_view<%sx%s, strides=[%s]>", strings.Join(static, "x"), elem, strings.Join(strides, ","))
		s.line("%%t%d = make_tensor_view %s, shape = [%s], strides = [%s] : %s", s.count, p, strings.Join(static, ", "), strings.Join(strides, ", "), tensor)
	} else {
		shapes, strides, types := make([]string, rank), make([]string, rank), make([]string, rank)
		for i := range rank {
			shapes[i], types[i] = s.size(), "?"
			if strides[i] = "1"; i < rank-1 {
				strides[i] = s.size()
			}
		}
		types[rank-1] = "1"
		tensor = fmt.Sprintf("tensor_view<%sx%s, strides=[%s]>", strings.Join(unknown, "x"), elem, strings.Join(types, ","))
		s.line("%%t%d = make_tensor_view %s, shape = [%s], strides = [%s] : tile<i32> -> %s", s.count, p, strings.Join(shapes, ", "), strings.Join(strides, ", "), tensor)
	}
	sizes := strings.TrimSuffix(dims(shape), "x")
	order := ""
	if swap {
		of := make([]string, rank)
		for i := range rank {
			of[i] = fmt.Sprint(i)
		}
		of[rank-2], of[rank-1] = of[rank-1], of[rank-2]
		order = ", dim_map=[" + strings.Join(of, ", ") + "]"
	}
	v := view{fmt.Sprintf("%%w%d", s.count), fmt.Sprintf("partition_view<tile=(%s), padding_value = zero, %s%s>", sizes, tensor, order), tile(elem, shape...), rank}
	s.line("%s = make_partition_view %%t%d : %s", v.name, s.count, v.typ)
	s.count++
	return v
}

// size is a parameter that is no less than zero and a multiple of what TMA needs.
func (s *source) size() string {
	p := s.op("assume div_by<%d>, %s : tile<i32>", parallel, s.param("i32"))
	return s.op("assume bounded<0, ?>, %s : tile<i32>", p)
}

func (s *source) load(v view, at ...string) string {
	name := fmt.Sprintf("%%v%d", s.count)
	s.count++
	s.line("%s, %st = load_view_tko weak %s[%s] token = %%token : %s, tile<i32> -> %s, token", name, name, v.name, strings.Join(at, ", "), v.typ, v.tile)
	return name
}

func (s *source) store(v view, x string, at ...string) {
	s.op("store_view_tko weak %s, %s[%s] token = %%token : %s, %s, tile<i32> -> token", x, v.name, strings.Join(at, ", "), v.tile, v.typ)
}

// reshaped gives a tile another shape of as many elements.
func (s *source) reshaped(x, elem string, from, to []int) string {
	if len(from) == len(to) {
		return x
	}
	return s.op("reshape %s : %s -> %s", x, tile(elem, from...), tile(elem, to...))
}

// spread repeats a scalar.
func (s *source) spread(x, elem string, shape ...int) string {
	ones := make([]int, len(shape))
	for i := range ones {
		ones[i] = 1
	}
	one := s.op("reshape %s : tile<%s> -> %s", x, elem, tile(elem, ones...))
	return s.op("broadcast %s : %s -> %s", one, tile(elem, ones...), tile(elem, shape...))
}

// begin writes what all kernels have.
func begin(h hints, static bool) *source {
	s := &source{hints: h, static: static}
	s.line("%%token = make_token : token")
	for _, n := range []int{0, 1} {
		s.line("%%c%d = constant <i32: %d> : tile<i32>", n, n)
	}
	s.line("%%bx, %%by, %%bz = get_tile_block_id : tile<i32>")
	return s
}

func (s *source) kernel(name ...any) Kernel {
	given := ""
	if h := s.hints.String(); h != "" {
		given = " optimization_hints=<default = {" + h + "}>"
	}
	shapes := "dynamic"
	if s.static {
		shapes = "static"
	}
	text := "cuda_tile.module @m {\nentry @k(" + s.params.String() + ")" + given + " {\n" + s.body.String() + "return\n}\n}\n"
	return Kernel{strings.TrimSuffix(fmt.Sprintln(append(name, shapes, s.hints)...), "\n"), text}
}
