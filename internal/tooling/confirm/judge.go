package confirm

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// A judge compares an answer with what is expected. relative and absolute are the errors that the ISA allows an
// approximate instruction; both zero: bits must agree, but for NaNs.
type judge struct {
	relative, absolute float64
	// forbidden are bins of a histogram that must be empty; nil: the answer is no histogram.
	forbidden []int
	// sum is the number of outcomes of such a histogram.
	sum int
	// timed is what was measured, which is compared with a row of the model; nil: the answer is no time.
	timed *measurement
	// figure says that the answer is a time for people, with which nothing is compared.
	figure bool
}

// approximations are the largest errors of approximate instructions (PTX ISA, sections of each; those that it gives
// for a range are asked there). The emulator is exact.
var approximations = []struct {
	contains           string
	relative, absolute float64
}{
	{"div.approx", 0x1p-21, 0}, {"div.full", 0x1p-21, 0}, {"rcp.approx.ftz.f64", 0x1p-19, 0}, {"rcp.approx", 0x1p-22, 0},
	{"rsqrt.approx.ftz.f64", 0x1p-19, 0}, {"rsqrt.approx.f64", 0x1p-19, 0}, {"rsqrt.approx", 0x1p-22, 0}, {"sqrt.approx", 0x1p-22, 0},
	{"sin.approx", 0, 0x1p-20}, {"cos.approx", 0, 0x1p-20}, {"lg2.approx", 0x1p-22, 0x1p-22}, {"ex2.approx.f16", 0x1p-9, 0}, {"ex2.approx.ftz.bf16", 0x1p-7, 0}, {"ex2.approx", 0x1p-21, 0},
	{"tanh.approx.f32", 0x1p-10, 0}, {"tanh.approx.f16", 0, 0x1p-10}, {"tanh.approx.bf16", 0, 0x1p-8},
}

// closeness is how near the results of a form must be.
func closeness(ptx string) judge {
	for _, a := range approximations {
		if strings.Contains(ptx, a.contains) {
			return judge{relative: a.relative, absolute: a.absolute}
		}
	}
	return judge{}
}

// A difference is how an answer differs from what is expected.
type difference struct {
	values, of int
	first      string // where and what, of the first
}

func (d *difference) String() string {
	return fmt.Sprintf("%d of %d values differ, first %s", d.values, d.of, d.first)
}

// compare compares the fields of an answer.
func (j *judge) compare(fields []Field, got, want []byte) (*difference, error) {
	if len(got) != len(want) {
		return nil, fmt.Errorf("the answer has %d bytes, expected %d", len(got), len(want))
	}
	if j.forbidden != nil {
		return j.outcomes(got, fields[0].Count, bits.Len(uint(fields[0].Count))-1), nil
	}
	var d difference
	for _, f := range fields {
		size := (f.Type.Bytes(f.Count) + 7) &^ 7
		if size > len(got) {
			return nil, fmt.Errorf("the answer ends before field '%s'", f.Name)
		}
		for i := range f.Count {
			if f.Opaque {
				break
			}
			d.of++
			g, w := f.Type.Load(got, i), f.Type.Load(want, i)
			if j.same(f, g, w) {
				continue
			}
			if d.values++; d.values == 1 {
				d.first = fmt.Sprintf("%s, number %d: got %s, expected %s", f.Name, i, show(f, g), show(f, w))
			}
		}
		got, want = got[size:], want[size:]
	}
	if d.values == 0 {
		return nil, nil
	}
	return &d, nil
}

// show writes a value as a number of its type, and its bits.
func show(f Field, v uint64) string {
	raw := fmt.Sprintf("0x%0*x", 2*f.Type.Size(), v)
	if _, float := f.Type.Format(); float {
		return f.Type.FormatValue(v) + " (" + raw + ")"
	}
	return raw
}

func (j *judge) same(f Field, got, want uint64) bool {
	if got == want {
		return true
	}
	if _, float := f.Type.Format(); float {
		return j.near(f.Type, got, want)
	}
	if f.Halves == 0 {
		return false
	}
	for at := 0; at < 8*f.Type.Size(); at += 16 {
		g, w := got>>at&0xffff, want>>at&0xffff
		if g != w && !j.near(f.Halves, g, w) {
			return false
		}
	}
	return true
}

// near reports whether two floats are as near as the judge demands. One NaN is as good as another.
func (j *judge) near(d launch.DType, got, want uint64) bool {
	f, _ := d.Format() // the caller asked
	g, w := f.Decode(got), f.Decode(want)
	if math.IsNaN(g) || math.IsNaN(w) {
		return math.IsNaN(g) && math.IsNaN(w)
	}
	return j.relative+j.absolute > 0 && math.Abs(g-w) <= j.relative*math.Abs(w)+j.absolute
}
