package naming

import (
	"hash/maphash"
	"strconv"

	"github.com/tilewright/tilewright/ir/asm/lexer"
)

// A nameTable holds the names that were given to the values of an arena, and knows which of them are in use where the
// naming has got to. Names are in use from when they are given until the region ends that they were given in, so the
// last one is always forgotten first; the hash table, which is probed linearly, can then simply empty its slot.
type nameTable struct {
	text  []byte
	ends  []int    // name i ends at text[ends[i]]
	slots []uint32 // numbers of the names in use, plus one
	used  []nameUse
}

// A nameUse is a name in use: its number, and where it stands in the hash table.
type nameUse struct{ name, slot uint32 }

var tableSeed = maphash.MakeSeed() // the order of the table is never seen

const fewestSlots = 64

// get returns the text of name i.
func (t *nameTable) get(i int) []byte {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.text[start:t.ends[i]]
}

// add gives a name that is not in use: name itself, or name and a number, for which it takes the value of the
// counter, which it advances. It returns the name's number.
func (t *nameTable) add(name string, counter *int32) int {
	if 4*len(t.used) >= 3*len(t.slots) {
		t.grow()
	}
	start := len(t.text)
	t.text = appendSafe(t.text, name)
	base := len(t.text)
	slot, taken := t.find(t.text[start:])
	for taken {
		t.text = append(t.text[:base], '_')
		t.text = strconv.AppendInt(t.text, int64(*counter), 10)
		*counter++
		slot, taken = t.find(t.text[start:])
	}
	i := len(t.ends)
	t.ends = append(t.ends, len(t.text))
	t.slots[slot] = uint32(i) + 1
	t.used = append(t.used, nameUse{uint32(i), slot})
	return i
}

// find returns the slot of a name, and whether it is there.
func (t *nameTable) find(name []byte) (slot uint32, taken bool) {
	mask := uint32(len(t.slots) - 1)
	for slot = uint32(maphash.Bytes(tableSeed, name)) & mask; ; slot = (slot + 1) & mask {
		n := t.slots[slot]
		if n == 0 {
			return slot, false
		}
		if string(t.get(int(n-1))) == string(name) {
			return slot, true
		}
	}
}

// forget ends the use of all names but the first n of those in use.
func (t *nameTable) forget(n int) {
	for i := len(t.used) - 1; i >= n; i-- {
		t.slots[t.used[i].slot] = 0
	}
	t.used = t.used[:n]
}

func (t *nameTable) grow() {
	t.slots = make([]uint32, max(2*len(t.slots), fewestSlots))
	for i := range t.used {
		u := &t.used[i]
		u.slot, _ = t.find(t.get(int(u.name)))
		t.slots[u.slot] = u.name + 1
	}
}

// reset empties the table.
func (t *nameTable) reset() {
	t.forget(0)
	t.text, t.ends = t.text[:0], t.ends[:0]
}

// appendSafe appends a name, changed so that it can stand after a percent sign.
func appendSafe(buf []byte, name string) []byte {
	ok := !lexer.IsClass(name[0], lexer.ClassDigit)
	for i := range len(name) {
		ok = ok && lexer.IsClass(name[i], lexer.ClassSuffix)
	}
	if ok {
		return append(buf, name...)
	}
	const digits = "0123456789ABCDEF"
	if lexer.IsClass(name[0], lexer.ClassDigit) {
		buf = append(buf, '_')
	}
	for i := range len(name) {
		switch c := name[i]; {
		case lexer.IsClass(c, lexer.ClassSuffix):
			buf = append(buf, c)
		case c == ' ':
			buf = append(buf, '_')
		default:
			buf = append(buf, digits[c>>4], digits[c&15])
		}
	}
	return buf
}

// Sanitize makes a name that can stand after a sigil.
func Sanitize(name string) string { return string(appendSafe(nil, name)) }
