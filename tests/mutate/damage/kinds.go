package damage

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tilewright/tilewright/bytecode"
)

// A kind is a way to damage a file. It returns nil where it does not apply.
type kind struct {
	name  string
	apply func(rng *rand.Rand, s *Source) []byte
}

// kinds are equally frequent.
var kinds = []kind{
	{"bytes: changed", raw(func(rng *rand.Rand, b []byte, i int) []byte { b[i] = byte(rng.Uint32()); return b })},
	{"bytes: stepped", raw(func(rng *rand.Rand, b []byte, i int) []byte { b[i] += byte(1 + rng.IntN(3) - 4*rng.IntN(2)); return b })},
	{"bytes: extreme", raw(func(rng *rand.Rand, b []byte, i int) []byte {
		b[i] = []byte{0, 1, 0x7f, 0x80, 0xff}[rng.IntN(5)]
		return b
	})},
	{"bit flipped", raw(func(rng *rand.Rand, b []byte, i int) []byte { b[i] ^= 1 << rng.IntN(8); return b })},
	{"bytes: inserted", raw(func(rng *rand.Rand, b []byte, i int) []byte { return slices.Insert(b, i, noise(rng)...) })},
	{"bytes: deleted", raw(func(rng *rand.Rand, b []byte, i int) []byte { return slices.Delete(b, i, min(i+1+rng.IntN(4), len(b))) })},
	{"bytes: copied from elsewhere", raw(func(rng *rand.Rand, b []byte, i int) []byte {
		copy(b[i:min(i+1+rng.IntN(16), len(b))], slices.Clone(b[rng.IntN(len(b)):]))
		return b
	})},
	{"truncated", func(rng *rand.Rand, s *Source) []byte { return slices.Clone(s.Data[:rng.IntN(len(s.Data))]) }},
	{"version changed", func(rng *rand.Rand, s *Source) []byte {
		b := slices.Clone(s.Data)
		b[len(bytecode.Magic)+1] = byte(1 + rng.IntN(6))
		return b
	}},

	{"section swapped", frame(func(rng *rand.Rand, c *container, i int) {
		j := rng.IntN(len(c.sections))
		c.sections[i], c.sections[j] = c.sections[j], c.sections[i]
	})},
	{"section duplicated", frame(func(rng *rand.Rand, c *container, i int) {
		c.sections = slices.Insert(c.sections, rng.IntN(len(c.sections)+1), c.sections[i])
	})},
	{"section dropped", frame(func(_ *rand.Rand, c *container, i int) { c.sections = slices.Delete(c.sections, i, i+1) })},
	{"section renamed", frame(func(rng *rand.Rand, c *container, i int) { c.sections[i].id = bytecode.SectionID(rng.IntN(9)) })},
	{"section length changed", frame(func(rng *rand.Rand, c *container, i int) {
		c.sections[i].lie = func(n uint64) uint64 { return number(rng, n) }
	})},
	{"section alignment changed", frame(func(rng *rand.Rand, c *container, i int) { c.sections[i].align = rng.IntN(33) })},

	{"table entry replaced", tables(func(rng *rand.Rand, t *table, i int) { t.entries[i] = t.entries[rng.IntN(len(t.entries))] })},
	{"table entry varint changed", tables(func(rng *rand.Rand, t *table, i int) {
		if e := t.entries[i]; len(e) > 0 {
			t.entries[i] = revarint(rng, e, rng.IntN(len(e)))
		}
	})},
	{"table entry cut or longer", tables(func(rng *rand.Rand, t *table, i int) {
		e := slices.Clone(t.entries[i])
		if rng.IntN(2) == 0 && len(e) > 0 {
			e = e[:rng.IntN(len(e))]
		} else {
			e = append(e, noise(rng)...)
		}
		t.entries[i] = e
	})},
	{"table entry dropped", tables(func(_ *rand.Rand, t *table, i int) { t.entries = slices.Delete(t.entries, i, i+1) })},
	{"table offset changed", tables(func(rng *rand.Rand, t *table, i int) {
		t.lie = func(offsets [][]byte) { offsets[i][rng.IntN(1+rng.IntN(t.width))] += byte(1 + rng.IntN(255)) }
	})},

	{"record varint changed", bodies(func(rng *rand.Rand, f *function) { f.body = revarint(rng, f.body, rng.IntN(len(f.body))) })},
	{"record varint overlong", bodies(func(rng *rand.Rand, f *function) { f.body = overlong(rng, f.body, rng.IntN(len(f.body))) })},
	{"record opcode changed", bodies(func(rng *rand.Rand, f *function) { f.body = revarint(rng, f.body, f.records[rng.IntN(len(f.records))]) })},
	{"record deleted", bodies(func(rng *rand.Rand, f *function) {
		lo, hi := f.record(rng.IntN(len(f.records)))
		f.body = slices.Delete(slices.Clone(f.body), lo, hi)
	})},
	{"record duplicated", bodies(func(rng *rand.Rand, f *function) {
		lo, hi := f.record(rng.IntN(len(f.records)))
		f.body = slices.Insert(slices.Clone(f.body), hi, slices.Clone(f.body[lo:hi])...)
	})},
	{"record swapped with the next", bodies(func(rng *rand.Rand, f *function) {
		i := rng.IntN(len(f.records))
		lo, mid := f.record(i)
		hi := mid
		if i+1 < len(f.records) {
			_, hi = f.record(i + 1)
		}
		f.body = slices.Concat(f.body[:lo], f.body[mid:hi], f.body[lo:mid], f.body[hi:])
	})},
	{"record bytes inserted", bodies(func(rng *rand.Rand, f *function) {
		f.body = slices.Insert(slices.Clone(f.body), rng.IntN(len(f.body)), noise(rng)...)
	})},
	{"body length changed", bodies(func(rng *rand.Rand, f *function) { f.lie = func(n uint64) uint64 { return number(rng, n) } })},
	{"function head varint changed", bodies(func(rng *rand.Rand, f *function) { f.head = revarint(rng, f.head, rng.IntN(len(f.head))) })},
	{"location slots changed", func(rng *rand.Rand, s *Source) []byte {
		if sec := s.c.find(bytecode.DebugSection); sec == nil || sec.table == nil {
			return nil
		}
		return s.section(bytecode.DebugSection, func(sec *section) {
			sec.lead = slices.Clone(sec.lead)
			sec.lead[rng.IntN(len(sec.lead))] += byte(1 + rng.IntN(5))
		})
	}},
	{"global changed", func(rng *rand.Rand, s *Source) []byte {
		return s.section(bytecode.GlobalSection, func(sec *section) { sec.payload = revarint(rng, sec.payload, rng.IntN(len(sec.payload))) })
	}},
}

// raw makes one to three changes to the bytes.
func raw(change func(rng *rand.Rand, b []byte, i int) []byte) func(*rand.Rand, *Source) []byte {
	return func(rng *rand.Rand, s *Source) []byte {
		b := slices.Clone(s.Data)
		for range 1 + rng.IntN(3) {
			b = change(rng, b, rng.IntN(len(b)))
		}
		return b
	}
}

// frame changes what is known about section i.
func frame(change func(rng *rand.Rand, c *container, i int)) func(*rand.Rand, *Source) []byte {
	return func(rng *rand.Rand, s *Source) []byte {
		c := &container{header: s.c.header}
		for _, sec := range s.c.sections {
			sec := *sec
			c.sections = append(c.sections, &sec)
		}
		change(rng, c, rng.IntN(len(c.sections)))
		return c.bytes()
	}
}

// section changes a copy of one section.
func (s *Source) section(id bytecode.SectionID, change func(*section)) []byte {
	sec := s.c.find(id)
	if sec == nil {
		return nil
	}
	changed := *sec
	change(&changed)
	c := &container{header: s.c.header, sections: slices.Clone(s.c.sections)}
	c.sections[slices.Index(c.sections, sec)] = &changed
	return c.bytes()
}

// tables changes entry i of a table.
func tables(change func(rng *rand.Rand, t *table, i int)) func(*rand.Rand, *Source) []byte {
	ids := []bytecode.SectionID{bytecode.StringSection, bytecode.TypeSection, bytecode.TypeSection, bytecode.ConstantSection, bytecode.DebugSection}
	return func(rng *rand.Rand, s *Source) []byte {
		id := ids[rng.IntN(len(ids))]
		if sec := s.c.find(id); sec == nil || sec.table == nil {
			return nil
		}
		return s.section(id, func(sec *section) {
			t := *sec.table
			t.entries = slices.Clone(t.entries)
			change(rng, &t, rng.IntN(len(t.entries)))
			sec.table = &t
		})
	}
}

// bodies changes a function.
func bodies(change func(rng *rand.Rand, f *function)) func(*rand.Rand, *Source) []byte {
	return func(rng *rand.Rand, s *Source) []byte {
		return s.section(bytecode.FunctionSection, func(sec *section) {
			sec.fns = slices.Clone(sec.fns)
			change(rng, &sec.fns[rng.IntN(len(sec.fns))])
		})
	}
}

// record returns where record i begins, and where the next one does; so one with regions ends with its head.
func (f *function) record(i int) (lo, hi int) {
	if i+1 < len(f.records) {
		return f.records[i], f.records[i+1]
	}
	return f.records[i], len(f.body)
}

// noise is a few bytes, small ones more often, since the format is full of small numbers.
func noise(rng *rand.Rand) []byte {
	out := make([]byte, 1+rng.IntN(4))
	for i := range out {
		out[i] = byte(rng.Uint32() >> rng.IntN(8))
	}
	return out
}

// number is another number than n, often a near one.
func number(rng *rand.Rand, n uint64) uint64 {
	switch rng.IntN(8) {
	case 0:
		return uint64(rng.IntN(4))
	case 1:
		return rng.Uint64() >> rng.IntN(64)
	case 2:
		return n ^ 1<<rng.IntN(8)
	case 3:
		return uint64(rng.IntN(256))
	default:
		return n + uint64(rng.IntN(9)) - 4
	}
}

// revarint changes the number that stands at i.
func revarint(rng *rand.Rand, b []byte, i int) []byte {
	n, size := binary.Uvarint(b[i:])
	if size <= 0 {
		n, size = uint64(b[i]), 1
	}
	return slices.Concat(b[:i], binary.AppendUvarint(nil, number(rng, n)), b[i+size:])
}

// overlong writes the number that stands at i in more bytes than it needs, sometimes more than a number may have.
func overlong(rng *rand.Rand, b []byte, i int) []byte {
	n, size := binary.Uvarint(b[i:])
	if size <= 0 {
		n, size = uint64(b[i]), 1
	}
	long := binary.AppendUvarint(nil, n)
	for range 1 + rng.IntN(11) {
		long[len(long)-1] |= 0x80
		long = append(long, 0)
	}
	return slices.Concat(b[:i], long, b[i+size:])
}

// A Mutant is a damaged file.
type Mutant struct {
	Source, Kind string
	Data         []byte
}

// Make returns mutant i of a seed.
func Make(sources []*Source, seed, i uint64) Mutant {
	rng := rand.New(rand.NewPCG(seed, i))
	k := kinds[i%uint64(len(kinds))]
	for range 10000 {
		s := sources[rng.IntN(len(sources))]
		if data := k.apply(rng, s); data != nil && !slices.Equal(data, s.Data) {
			return Mutant{s.Name, k.name, data}
		}
	}
	panic(fmt.Sprintf("no file can have %q", k.name))
}

// Kinds returns the names of the ways to damage a file.
func Kinds() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}
