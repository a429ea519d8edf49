package linear

import (
	"strings"
	"testing"
)

func TestStringForms(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		l    Layout
		want string
	}{
		{must(MMA{16, 8, 16, 16, 1}.Accumulator([]int{16, 8}, 1, 1)),
			"{shape = [16, 8], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}"},
		{must(Identity1D(Offset, 4)), "{shape = [4], offset = [[1], [2]]}"},
		{must(Coalesced(nil, 32, 128, 2, 1, nil)), "{shape = [], register = [], lane = [[]], warp = [], block = []}"},
		{Layout{}, "{shape = [], register = [], lane = [], warp = [], block = []}"},
	} {
		if got := tc.l.String(); got != tc.want {
			t.Errorf("printed %s\nwant    %s", got, tc.want)
		}
		if back := must(Parse(tc.want)); !back.Equal(tc.l) {
			t.Errorf("%s came back as %s", tc.want, back)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 200 {
		l := randomLayout(r, []int{1 << r.IntN(5), 1 << r.IntN(5), 1 << r.IntN(3)}, r.IntN(5), r.IntN(6), r.IntN(4), r.IntN(2), r.IntN(2) == 0)
		if back := must(Parse(l.String())); !back.Equal(l) {
			t.Fatalf("%s came back as %s", l, back)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{lane=[[1]],shape=[2]}":                     "{shape = [2], register = [], lane = [[1]], warp = [], block = []}",
		" {\n shape = [ 2 ] , register = [ [0 ] ] }": "{shape = [2], register = [[0]], lane = [], warp = [], block = []}",
	} {
		if l, err := Parse(text); err != nil || l.String() != want {
			t.Errorf("%q parsed to %s, %v", text, l, err)
		}
	}
	for text, want := range map[string]string{
		"":                                    "expected '{', got the end",
		"{":                                   "expected '=', got the end",
		"{}":                                  "'shape' is missing",
		"{shape = [2]":                        "expected ',', got the end",
		"{shape = [2],}":                      "expected '=', got '}'",
		"{shape = [2]} x":                     "unexpected 'x'",
		"{shape = [2], shape = [2]}":          "'shape' occurs twice",
		"{shape = [2], lane = [], lane = []}": "'lane' occurs twice",
		"{shape = [2], thread = []}":          "got 'thread'",
		"{shape = [2], element = []}":         "got 'element'",
		"{shape = [3]}":                       "not a power of two",
		"{shape = [99999999999]}":             "expected an integer below 2^31, got '99999999999'",
		"{shape = [-1]}":                      "expected an integer",
		"{shape = [2], lane = [[2]]}":         "outside its extent",
		"{shape = [2], lane = [[1, 1]]}":      "2 coordinates, expected 1",
		"{shape = [2 2]}":                     "expected ',', got '2'",
		"{shape = [2], lane = [1]}":           "expected '[', got '1'",
		"{shape = [" + strings.Repeat("1,", 40) + "1]}":                 "more than 32",
		"{shape = [2], lane = [" + strings.Repeat("[0],", 40) + "[0]]}": "more than 30",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(must(MMA{16, 8, 16, 16, 1}.OperandA([]int{64, 32}, 2, 2)).String())
	f.Add("{shape = [4, 1], offset = [[1, 0], [2, 0]]}")
	f.Add("{shape = [], lane = [[]]}")
	f.Add("{shape = [2, lane")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse(text)
		if err != nil {
			return
		}
		back, err := Parse(l.String())
		if err != nil || !back.Equal(l) {
			t.Fatalf("%s came back as %s, %v", l, back, err)
		}
		l.FreeMask(Lane)
		l.Contiguity(0)
		if c, err := Convert(l, l); err == nil {
			if _, err := c.Shuffles(); c.Class != NoMove || err != nil && l.Bits(Register) <= maxPlanBits {
				t.Fatalf("conversion of %s to itself is %s, %v", l, c.Class, err)
			}
		}
		if sh, err := NewShared(l); err == nil && sh.String() != l.String() {
			t.Fatalf("buffer of %s is %s", l, sh)
		}
	})
}
