package expr

import (
	"math"
	"strings"
	"testing"
	"time"
)

// names is an environment for tests.
type names map[string]Array

func (n names) Lookup(name string) (Array, bool) { a, ok := n[name]; return a, ok }

func (n names) Names() (list []string) {
	for name := range n {
		list = append(list, name)
	}
	return list
}

// matrix is x[i,j] = 10 i + j, of floats; element (1, 2) is NaN if nan is set.
func matrix(rows, columns int64, nan bool) Array {
	return Array{Type: "f32", Kind: Float, Bits: 32, Shape: []int64{rows, columns}, Strides: []int64{columns, 1}, Get: func(i int64) Elem {
		if nan && i == columns+2 {
			return Elem{F: math.NaN()}
		}
		return Elem{F: float64(i/columns*10 + i%columns)}
	}}
}

func world() names {
	holes := matrix(2, 2, false)
	holes.Kind, holes.Type = Int, "i32"
	holes.Get = func(i int64) Elem { return Elem{I: i, Undef: i == 3} }
	return names{"x": matrix(4, 8, false), "y": matrix(4, 8, true), "huge": matrix(1<<40, 1<<20, false), "block": Tuple(3, 0, 0), "j": Integer(2), "%c_0": Integer(-7),
		"holes": holes, "flag": Truth(true), "v": made(Int, []int64{3}, []Elem{{I: 4}, {I: -5}, {I: 6}})}
}

func TestEval(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1 + 2 * 3": "7", "(1 + 2) * 3": "9", "-2 - -3": "1", "7 // 2": "3", "-7 // 2": "-4", "-7 % 2": "1", "7 / 2": "3.5", "7.5 // 2": "3", "1e3": "1000", "0x10": "16",
		"block == (3, 0)": "True", "block == (3, 1)": "False", "block != (3, 0)": "False", "(0, 3) == block": "False", "block[0] == 3 and j < 3": "True",
		"x[0, 5]": "5", "x[-1, -1] > 1": "True", "x[1]": "[10, 11, 12, 13, 14, 15, 16, 17]", "x[:2, 1]": "[1, 11]", "x[0][1:3]": "[1, 2]", "x.T[5, 0]": "5", "x[0, 6:100]": "[6, 7]",
		"x.shape": "(4, 8)", "x.dtype": "f32", "x": "f32 (4, 8), 0 to 37", "x * 0": "float (4, 8), all 0", "max(x)": "37", "min(x[2])": "20", "sum(v)": "5", "mean(v)": "1.6666666666666667",
		"any(isnan(x))": "False", "any(isnan(y))": "True", "count(isnan(y))": "1", "max(y)": "nan", "y[1, 2] == y[1, 2]": "False", "y[1, 2] <= nan": "False", "y": "f32 (4, 8), 0 to 37, 1 NaN",
		"all(x >= 0)": "True", "not flag": "False", "flag or nothing": "True", "abs(v)": "[4, 5, 6]", "abs(%c_0)": "7", "5 % j": "1", "5 %j": "1", "%c_0 + 1": "-6", "x[0, j]": "2",
		"holes": "i32 (2, 2), 0 to 2, 1 unspecified", "unspecified(holes)": "1", "holes[1, 1] == 3": "?", "v + x[0, 0:3]": "[4, -4, 8]", "1 // 0": "?", "1.0 / 0": "inf", "-inf < 0": "True",
		"huge[5, 6]": "56", "huge": "f32 (1099511627776, 1048576)", "exp(0)": "1", "sqrt(4)": "2", "v == v": "[True, True, True]", "()": "()", "isfinite(inf)": "False",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		a, err := e.Eval(world())
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := a.Summary(); got != want {
			t.Errorf("%s: got %s, expected %s", text, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "column 1: expected an expression, but got the end",
		"1 +":                          "column 4: expected an expression, but got the end",
		"x[0":                          "column 4: expected ']', but got the end",
		"x[0, 9]":                      "column 6: index 9 is outside of 8 elements",
		"x[0, 0, 0]":                   "column 2: 3 indices for 2 dimensions",
		"x[1.5]":                       "column 3: expected an integer",
		"x[holes[1, 1]]":               "column 8: expected an integer, but the element is unspecified",
		"z":                            "column 1: nothing is called 'z' here",
		"blok":                         "did you mean 'block'?",
		"x and 1":                      "column 1: expected one truth value, but got (4, 8) elements; any() or all() makes one of them",
		"isnann(x)":                    "there is no function 'isnann' (did you mean 'isnan'?)",
		"max(x, 1)":                    "'max' takes one argument, but got 2",
		"x + v":                        "shapes (4, 8) and (3,) do not go together",
		"x.size":                       "there is no '.size'",
		"max(huge)":                    "looks at more than 4194304 elements; take a slice",
		"huge + 1":                     "looks at more than 4194304 elements; take a slice",
		"1 2":                          "column 3: expected the end, but got '2'",
		"1..2":                         "expected a number, but got '1..2'",
		"x; y":                         "column 2: expected an expression, but got ';'",
		"\xff":                         "column 1: expected an expression, but got '?'",
		"x.dtype + 1":                  "expected numbers, but got 'f32'",
		"(x, 1)":                       "column 2: expected an integer",
		strings.Repeat("(", 100) + "1": "expected at most 64 levels",
		strings.Repeat("-", 100) + "1": "expected at most 64 levels",
		strings.Repeat("1", 5000):      "has 5000 bytes, but at most 4096 are read",
		"lambda":                       "nothing is called 'lambda' here",
		"__import__('os')":             "column 12: expected an expression",
	} {
		e, err := Parse(text)
		if err == nil {
			_, err = e.Eval(world())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, expected %q", text, err, want)
		}
	}
}

// The work of all parts of an expression counts together.
func TestBudget(t *testing.T) {
	t.Parallel()
	env := names{"x": matrix(1024, 1024, false)}
	e, err := Parse(strings.Repeat("sum(x) + ", 400) + "1")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, err := e.Eval(env); err == nil || !strings.Contains(err.Error(), "looks at more than") {
		t.Errorf("got %v", err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"x[:2, :3]":           "f32 (2, 3), 0 to 12\n     [0]  [1]  [2]\n[0]    0    1    2\n[1]   10   11   12",
		"v":                   "[4, -5, 6]\n     [0]  [1]  [2]\n[0]    4   -5    6",
		"picture(x[:3, :4])":  "f32 (3, 4), 0 to 23\n  ..\n==++\n%%@@",
		"picture(y[1:2, :4])": "f32 (1, 4), 10 to 13, 1 NaN\n -N@",
		"j":                   "2",
		"x[:0]":               "f32 (0, 8)",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Eval(world())
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Show(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s: got\n%s\nexpected\n%s", text, got, want)
		}
	}
	e, _ := Parse("huge")
	a, _ := e.Eval(world())
	if lines := strings.Split(a.Show(), "\n"); len(lines) != tableRows+3 || !strings.Contains(lines[1], "[1048575]") {
		t.Errorf("a large array is\n%s", a.Show())
	}
}

func FuzzExpr(f *testing.F) {
	for _, s := range []string{"block == (3, 0)", "x[0, 5] > 1 and not j", "any(isnan(y[1:, -3:]))", "picture(x.T)", "%c_0 // 2 % 3", "huge[j][0x7fffffff:-1]", "x[:][:][::]", "-x * v.shape", "holes[1,1]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		if a, err := e.Eval(world()); err == nil {
			if shown := a.Show(); len(shown) > 1<<16 {
				t.Errorf("shows %d bytes", len(shown))
			}
		}
		_, _ = e.Holds(world())
	})
}
