package remarks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Difference is a kind of agreement or difference between what two compilers say of one place.
type Difference struct {
	Kind string
	// Worse is set where the other compiler's decision is one that is usually faster.
	Worse bool
	At    []string
}

// rank orders the ways of an access, the fastest first.
var rank = map[string]int{"TMA Load instruction": 3, "TMA Store instruction": 3, "Ldgsts instruction": 2, "Global-memory load instruction": 1, "Global-memory store instruction": 1}

// said is what one compiler says of one place.
type said struct {
	loads, stores, products, shapes []string
	failed                          []string
	whys                            []string // ours: the details of failures
	index, hint                     bool
}

// by sorts remarks by place. A place may have several: versions of a loop, and several parts of one operation.
func by(rs []Remark) map[string]*said {
	out := make(map[string]*said)
	for _, r := range rs {
		s := out[r.At()]
		if s == nil {
			s = new(said)
			out[r.At()] = s
		}
		switch strings.TrimPrefix(r.Name, "Remark") {
		case "MemoryLoadInstructionSelected":
			s.loads = append(s.loads, r.Field("Instruction")...)
		case "MemoryStoreInstructionSelected":
			s.stores = append(s.stores, r.Field("Instruction")...)
		case "TensorCoreMMA":
			s.products = append(s.products, r.Field("Instruction")...)
			s.shapes = append(s.shapes, r.Field("Shape")...)
		case "MemoryTmaLoadFailed", "MemoryTmaStoreFailed", "MemoryGather", "MemoryLdgstsFailed":
			for _, reason := range r.Field("Reason") {
				if i := strings.Index(reason, "): "); strings.HasPrefix(reason, "loc(") && i >= 0 {
					reason = reason[i+3:]
				}
				s.failed = append(s.failed, reason)
			}
			s.whys = append(s.whys, append(r.Field("Detail"), r.Field("Remark")...)...)
		case "TensorViewIndexTypeNarrowing":
			s.index = true
		case "HintDefault":
			s.hint = true
		}
	}
	return out
}

func best(ways []string) (way string) {
	for _, w := range ways {
		if rank[w] > rank[way] {
			way = w
		}
	}
	return way
}

func short(way string) string {
	for long, s := range map[string]string{"TMA": "TMA", "Ldgsts": "cp.async", "Global": "threads"} {
		if strings.HasPrefix(way, long) {
			return s
		}
	}
	return "nothing"
}

// Compare compares what two compilers say of a module, place by place. What is best of versions of a loop counts: it
// runs wherever the facts hold that are tested.
func Compare(module string, theirs, ours []Remark) (out []Difference) {
	a, b := by(theirs), by(ours)
	places := make(map[string]bool)
	for at := range a {
		places[at] = true
	}
	for at := range b {
		places[at] = true
	}
	sorted := make([]string, 0, len(places))
	for at := range places {
		sorted = append(sorted, at)
	}
	slices.Sort(sorted)
	for _, at := range sorted {
		x, y := cmp.Or(a[at], new(said)), cmp.Or(b[at], new(said))
		add := func(worse bool, format string, args ...any) {
			out = append(out, Difference{fmt.Sprintf(format, args...), worse, []string{module + " " + at}})
		}
		access(add, "load", x.loads, y.loads, y)
		if best(x.stores) != "" || short(best(y.stores)) == "TMA" { // tileiras reports no other stores
			access(add, "store", x.stores, y.stores, y)
		}
		products(add, x, y)
		if len(x.failed) > 0 {
			switch f, g := distinct(x.failed), distinct(y.failed); {
			case slices.ContainsFunc(f, func(r string) bool { return slices.Contains(g, r) }):
				add(false, "why no TMA: the same reason (%s)", f[0])
			case len(g) > 0:
				add(false, "why no TMA: theirs is \"%s\", ours: %s", f[0], class(y))
			case short(best(y.loads)) == "TMA" || short(best(y.stores)) == "TMA":
				add(false, "why no TMA: theirs is \"%s\"; ours has it", f[0])
			default:
				add(false, "why no TMA: theirs is \"%s\"; ours does not try", f[0])
			}
		}
		switch {
		case x.index && y.index:
			add(false, "indices of views: both need 64 bits")
		case x.index:
			add(false, "indices of views: theirs need 64 bits")
		case y.index:
			add(false, "indices of views: ours may need 64 bits")
		}
		if x.hint {
			add(false, "theirs used its default of a latency")
		}
	}
	return out
}

func access(add func(bool, string, ...any), what string, theirs, ours []string, y *said) {
	x, z := best(theirs), best(ours)
	switch {
	case x == "" && z == "":
	case rank[x] == rank[z]:
		add(false, "%s: both %s", what, short(x))
	case x == "":
		add(false, "%s: ours %s, theirs is silent", what, short(z))
	case z == "":
		add(true, "%s: theirs %s, ours has none at that place", what, short(x))
	case rank[z] > rank[x]:
		add(false, "%s: ours %s, theirs %s", what, short(z), short(x))
	default:
		add(true, "%s: theirs %s, ours %s (%s)", what, short(x), short(z), class(y))
	}
}

func products(add func(bool, string, ...any), x, y *said) {
	theirs, ours := distinct(x.products), distinct(y.products)
	switch {
	case len(theirs) == 0 && len(ours) == 0:
	case len(ours) == 0:
		add(true, "MMA: theirs %s, ours without tensor cores", theirs[0])
	case len(theirs) == 0:
		add(false, "MMA: ours %s, theirs is silent", ours[0])
	case theirs[0] != ours[0]:
		add(generation(theirs[0]) > generation(ours[0]), "MMA: theirs %s, ours %s", theirs[0], ours[0])
	case slices.Contains(y.shapes, x.shapes[0]):
		add(false, "MMA: both %s, of one shape", ours[0])
	default:
		add(false, "MMA: both %s, of other shapes", ours[0])
	}
}

// generation returns the number in the name of an instruction, as in "Tensor-core SM100".
func generation(instruction string) (n int) {
	fmt.Sscanf(instruction, "Tensor-core SM%d", &n)
	return n
}

// classes sort our reasons.
var classes = []struct{ says, class string }{
	{"before the kernel begins", "the map is not known before the kernel begins"},
	{"issue slots", "not profitable by the model"},
	{"tile of pointers", "through pointers"},
	{"is not known", "a fact is missing"},
	{"rows of", "rows are too short"},
	{"copies are weak", "the load is ordered"},
	{"takes the tile too", "the tile has another use"},
	{"does not fit", "no room"},
	{"a tensor map pads with zeros", "padded by another number than zero"},
	{"may be 2^31", "sizes may be large"},
	{"synchronous MMA", "threads wait for the MMA"},
	{"without tensor cores", "threads compute the MMA"},
	{"ordered after", "ordered after threads"},
	{"map", "no map"},
}

func class(y *said) string {
	for _, c := range classes {
		for _, why := range append(y.whys, y.failed...) {
			if strings.Contains(why, c.says) {
				return c.class
			}
		}
	}
	return "nothing was to decide"
}

func distinct(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
