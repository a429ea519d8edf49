package filecheck

import (
	"errors"
	"strings"
	"testing"
)

// verify parses and runs, and returns the text of whichever failed first.
func verify(t *testing.T, check, input string, opts Options) string {
	t.Helper()
	c, err := Parse("k.mlir", []byte(check), opts)
	if err == nil {
		err = c.Run("<stdin>", []byte(input))
		var failure *Failure
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("%v is not a Failure", err)
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// TestRules follows the sections of LLVM's FileCheck manual.
func TestRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		check string // lines separated by ';'
		input string // lines separated by ';'
		opts  Options
		want  string // empty: holds
	}{
		// Plain directives.
		{name: "order", check: "CHECK: a;CHECK: b", input: "a;b"},
		{name: "gap", check: "CHECK: a;CHECK: b", input: "x;a;y;z;b"},
		{name: "same line", check: "CHECK: a;CHECK: b", input: "a b"},
		{name: "wrong order", check: "CHECK: b;CHECK: a", input: "a;b", want: "k.mlir:2:8: error: CHECK: expected string not found in input"},
		{name: "one match serves one directive", check: "CHECK: a;CHECK: a", input: "a", want: "expected string not found"},
		{name: "behind a comment marker", check: "// CHECK: a", input: "a"},
		{name: "no directive", check: "nothing", input: "a", want: "k.mlir: error: no check strings found with prefix 'CHECK:'"},
		{name: "word before the prefix", check: "XCHECK: a;CHECK: b", input: "b"},
		{name: "hyphen before the prefix", check: "NO-CHECK: a;CHECK: b", input: "b"},
		{name: "word after the prefix", check: "CHECKS: a;CHECK: b", input: "b"},
		{name: "no colon", check: "the CHECK of;CHECK: b", input: "b"},
		{name: "comment prefix", check: "COM: CHECK: a;CHECK: b", input: "b"},
		{name: "run line", check: "RUN: x | CHECK: a;CHECK: b", input: "b"},
		{name: "word that ends like a comment prefix", check: "XCOM: CHECK: a", input: "b", want: "expected string not found"},
		{name: "empty pattern", check: "CHECK:", input: "a", want: "k.mlir:1:7: error: found empty check string with prefix 'CHECK:'"},
		{name: "blanks only", check: "CHECK:   ", input: "a", want: "found empty check string"},
		{name: "special characters are literal", check: "CHECK: f(x) + [1]? $ ^ *", input: "f(x) + [1]? $ ^ *"},
		{name: "empty input", check: "CHECK: a", input: "", want: "the input '<stdin>' is empty"},
		{name: "empty input allowed", check: "CHECK-NOT: a", input: "", opts: Options{AllowEmpty: true}},

		// Strictness: what is no directive is an error.
		{name: "misspelt directive", check: "CHECK-NXT: a;CHECK: b", input: "b", want: "k.mlir:1:12: error: unknown directive 'CHECK-NXT:'"},
		{name: "underscore", check: "CHECK_NEXT: a;CHECK: b", input: "b", want: "unknown directive 'CHECK_NEXT:'"},
		{name: "combination", check: "CHECK-DAG-NOT: a;CHECK: b", input: "b", want: "unknown directive 'CHECK-DAG-NOT:'"},
		{name: "count of zero", check: "CHECK-COUNT-0: a", input: "b", want: "unknown directive 'CHECK-COUNT-0:'"},
		{name: "count without number", check: "CHECK-COUNT: a", input: "b", want: "unknown directive 'CHECK-COUNT:'"},
		{name: "count of a word", check: "CHECK-COUNT-two: a", input: "b", want: "unknown directive 'CHECK-COUNT-two:'"},
		{name: "huge count", check: "CHECK-COUNT-99999999999999999999: a", input: "b", want: "unknown directive"},

		// Prefixes.
		{name: "prefix", check: "CHECK: a;O3: b", input: "b", opts: Options{Prefixes: []string{"O3"}}},
		{name: "prefixes", check: "A: a;B-NEXT: b", input: "a;b", opts: Options{Prefixes: []string{"A", "B"}}},
		{name: "longer prefix", check: "CHECK-X: a;CHECK-X-NEXT: b;CHECK: c", input: "c", opts: Options{OtherPrefixes: []string{"CHECK-X"}}},
		{name: "both prefixes", check: "CHECK-X: a;CHECK: c", input: "a;c", opts: Options{Prefixes: []string{"CHECK", "CHECK-X"}}},
		{name: "misspelt on a longer prefix", check: "CHECK-X-NXT: a;CHECK: c", input: "c", opts: Options{OtherPrefixes: []string{"CHECK-X"}}, want: "unknown directive 'CHECK-X-NXT:'"},
		{name: "unused prefix", check: "A: a", input: "a", opts: Options{Prefixes: []string{"A", "B"}}, want: "no check strings found with prefix 'B:'"},
		{name: "unused prefix allowed", check: "A: a", input: "a", opts: Options{Prefixes: []string{"A", "B"}, AllowUnusedPrefixes: true}},
		{name: "no prefix used", check: "C: a", input: "a", opts: Options{Prefixes: []string{"A", "B"}, AllowUnusedPrefixes: true}, want: "no check strings found with prefix 'A:', 'B:'"},
		{name: "bad prefix", check: "1: a", input: "a", opts: Options{Prefixes: []string{"1"}}, want: "prefix '1' must start with a letter"},
		{name: "prefix twice", check: "A: a", input: "a", opts: Options{Prefixes: []string{"A", "A"}}, want: "prefix 'A' is given twice"},
		{name: "comment prefix twice", check: "A: a", input: "a", opts: Options{Prefixes: []string{"RUN"}}, want: "prefix 'RUN' is given twice"},

		// NEXT.
		{name: "next", check: "CHECK: a;CHECK-NEXT: b", input: "a;b"},
		{name: "next on the same line", check: "CHECK: a;CHECK-NEXT: b", input: "a b", want: "CHECK-NEXT: is on the same line as previous match"},
		{name: "next too late", check: "CHECK: a;CHECK-NEXT: b", input: "a;x;b", want: "CHECK-NEXT: is not on the line after the previous match"},
		{name: "next takes the first match only", check: "CHECK: a;CHECK-NEXT: b", input: "a b;b", want: "is on the same line as previous match"},
		{name: "next first", check: "CHECK-NEXT: b", input: "b", want: "found 'CHECK-NEXT' without a previous 'CHECK:' line"},
		{name: "next absent", check: "CHECK: a;CHECK-NEXT: b", input: "a;c", want: "CHECK-NEXT: expected string not found in input"},

		// SAME.
		{name: "same", check: "CHECK: a;CHECK-SAME: b", input: "a b"},
		{name: "same on another line", check: "CHECK: a;CHECK-SAME: b", input: "a;b", want: "CHECK-SAME: is not on the same line as the previous match"},
		{name: "same first", check: "CHECK-SAME: b", input: "b", want: "without a previous"},
		{name: "same after next", check: "CHECK: a;CHECK-NEXT: b;CHECK-SAME: c", input: "a;b c"},

		// EMPTY.
		{name: "empty", check: "CHECK: a;CHECK-EMPTY:;CHECK-NEXT: b", input: "a;;b"},
		{name: "two empty", check: "CHECK: a;CHECK-EMPTY:;CHECK-EMPTY:;CHECK-NEXT: b", input: "a;;;b"},
		{name: "not empty", check: "CHECK: a;CHECK-EMPTY:", input: "a;b;;c", want: "CHECK-EMPTY: is not on the line after the previous match"},
		{name: "end of input counts as empty", check: "CHECK: a;CHECK-EMPTY:", input: "a"},
		{name: "never empty", check: "CHECK-LABEL: f;CHECK: a;CHECK-EMPTY:;CHECK-LABEL: g", input: "f;a;b;g", want: "CHECK-EMPTY: expected string not found in input"},
		{name: "empty with pattern", check: "CHECK: a;CHECK-EMPTY: b", input: "a", want: "found a pattern after 'CHECK-EMPTY:'"},
		{name: "empty first", check: "CHECK-EMPTY:", input: "a", want: "without a previous"},

		// NOT.
		{name: "not between", check: "CHECK: a;CHECK-NOT: x;CHECK: b", input: "a;y;b;x"},
		{name: "not violated", check: "CHECK: a;CHECK-NOT: x;CHECK: b", input: "a;x;b", want: "CHECK-NOT: excluded string found in input"},
		{name: "not at the start", check: "CHECK-NOT: x;CHECK: b", input: "x;b", want: "excluded string found"},
		{name: "not at the end", check: "CHECK: a;CHECK-NOT: x", input: "a;b;x", want: "excluded string found"},
		{name: "not alone", check: "CHECK-NOT: x", input: "a"},
		{name: "not at the end of the matched line", check: "CHECK: a;CHECK-NOT: x;CHECK: b", input: "x a;b"},
		{name: "two nots", check: "CHECK: a;CHECK-NOT: x;CHECK-NOT: y;CHECK: b", input: "a;y;b", want: "k.mlir:3:12: error: CHECK-NOT"},
		{name: "not before next", check: "CHECK: a;CHECK-NOT: x;CHECK-NEXT: b", input: "a x;b", want: "excluded string found"},
		{name: "implicit not", check: "CHECK: a;CHECK: b", input: "a;x;b", opts: Options{ImplicitNot: []string{"x"}}, want: "implicit-check-not 'x': excluded string found in input"},
		{name: "implicit not at the end", check: "CHECK: a;CHECK: b", input: "a;b;x", opts: Options{ImplicitNot: []string{"x"}}, want: "excluded string found"},
		{name: "implicit not holds on a match", check: "CHECK: x;CHECK: b", input: "x;b", opts: Options{ImplicitNot: []string{"x"}}},
		{name: "implicit not around dags", check: "CHECK-DAG: b;CHECK-DAG: a;CHECK: c", input: "a;b;x;c", opts: Options{ImplicitNot: []string{"x"}}, want: "excluded string found"},
		{name: "implicit not alone", check: "nothing", input: "x", opts: Options{ImplicitNot: []string{"x"}}, want: "excluded string found"},
		{name: "bad implicit not", check: "CHECK: a", input: "a", opts: Options{ImplicitNot: []string{"{{"}}, want: "implicit-check-not '{{': found start of regex string with no end '}}'"},

		// DAG.
		{name: "dag in order", check: "CHECK-DAG: a;CHECK-DAG: b", input: "a;b"},
		{name: "dag out of order", check: "CHECK-DAG: a;CHECK-DAG: b", input: "b;a"},
		{name: "dag absent", check: "CHECK-DAG: a;CHECK-DAG: c", input: "b;a", want: "CHECK-DAG: expected string not found"},
		{name: "dags do not overlap", check: "CHECK-DAG: a;CHECK-DAG: a", input: "a", want: "expected string not found"},
		{name: "dags find two places", check: "CHECK-DAG: a;CHECK-DAG: a", input: "a;a"},
		{name: "dags skip a taken place", check: "CHECK-DAG: ab;CHECK-DAG: b", input: "ab;b"},
		{name: "after the last dag", check: "CHECK-DAG: a;CHECK-DAG: b;CHECK: c", input: "b;c;a", want: "CHECK: expected string not found"},
		{name: "dag after plain", check: "CHECK: m;CHECK-DAG: a", input: "a;m", want: "CHECK-DAG: expected string not found"},
		{name: "not between dag groups", check: "CHECK-DAG: a;CHECK-NOT: x;CHECK-DAG: b", input: "a;x;b", want: "excluded string found"},
		{name: "not separates dag groups", check: "CHECK-DAG: a;CHECK-NOT: x;CHECK-DAG: b", input: "b;a", want: "CHECK-DAG: expected string not found"},
		{name: "not after dags", check: "CHECK-DAG: a;CHECK-DAG: b;CHECK-NOT: x", input: "b;a;x", want: "excluded string found"},
		{name: "dag with variables", check: "CHECK-DAG: [[A:r.]] = x;CHECK-DAG: [[B:r.]] = y;CHECK: add [[A]], [[B]]", input: "r1 = y;r2 = x;add r2, r1"},

		// LABEL.
		{name: "labels", check: "CHECK-LABEL: f;CHECK: a;CHECK-LABEL: g;CHECK: b", input: "f;a;g;b"},
		{name: "label confines", check: "CHECK-LABEL: f:;CHECK: a;CHECK-LABEL: g:;CHECK: b", input: "f:;b;g:;a;b", want: "k.mlir:2:8: error: CHECK: expected string not found in input"},
		{name: "label absent", check: "CHECK-LABEL: h;CHECK: a", input: "f;a", want: "CHECK-LABEL: expected string not found"},
		{name: "not confined by label", check: "CHECK-LABEL: f:;CHECK-NOT: x;CHECK-LABEL: g:", input: "f:;g:;x"},
		{name: "not before label", check: "CHECK-LABEL: f:;CHECK-NOT: x;CHECK-LABEL: g:", input: "f:;x;g:", want: "excluded string found"},
		{name: "label with variable", check: "CHECK-LABEL: [[A:x]]", input: "x", want: "a label cannot define or use a variable"},
		{name: "next after label", check: "CHECK-LABEL: f;CHECK-NEXT: a", input: "f;a"},
		{name: "next label directive", check: "CHECK-LABEL: f:;CHECK: a;CHECK-NEXT: b;CHECK-LABEL: g:", input: "f:;a;g:;b", want: "CHECK-NEXT: expected string not found"},

		// COUNT.
		{name: "count", check: "CHECK-COUNT-3: a;CHECK-NOT: a", input: "a;a a"},
		{name: "count too few", check: "CHECK-COUNT-3: a", input: "a;a", want: "CHECK-COUNT-3: expected string not found often enough in input"},
		{name: "count too many", check: "CHECK-COUNT-2: a;CHECK-NOT: a", input: "a;a;a", want: "excluded string found"},
		{name: "next after count", check: "CHECK-COUNT-2: a;CHECK-NEXT: b", input: "a;a;b"},

		// Regular expressions.
		{name: "regex", check: "CHECK: x{{[0-9]+}}y", input: "x123y"},
		{name: "regex absent", check: "CHECK: x{{[0-9]+}}y", input: "xy", want: "expected string not found"},
		{name: "alternatives stay inside", check: "CHECK: {{a|b}}c", input: "bc"},
		{name: "longest match", check: "CHECK: {{a|ab}};CHECK-SAME: {{^}}c", input: "abc"},
		{name: "dot does not match a newline", check: "CHECK: a{{.*}}b", input: "a;b", want: "expected string not found"},
		{name: "negated class does not match a newline", check: "CHECK: a{{[^x]*}}b", input: "a;b", want: "expected string not found"},
		{name: "line start", check: "CHECK: {{^}}b", input: "ab;b"},
		{name: "line end", check: "CHECK: a{{$}}", input: "ab;a;c"},
		{name: "character class", check: "CHECK: {{[[:alpha:]]+}}1", input: "ab1"},
		{name: "first closing braces", check: "CHECK: {a = {{[0-9]+}}}", input: "{a = 12}"},
		{name: "two opening brackets", check: "CHECK: {{\\[\\[}}1, 2]]", input: "[[1, 2]]"},
		{name: "regex without end", check: "CHECK: {{a", input: "a", want: "k.mlir:1:8: error: found start of regex string with no end '}}'"},
		{name: "bad regex", check: "CHECK: {{(}}", input: "a", want: "invalid regex"},
		{name: "groups in user regex", check: "CHECK: {{(a)(b)}}[[X:(c)d]];CHECK: [[X]]", input: "abcd;cd"},
		{name: "literal modifier", check: "CHECK{LITERAL}: [[a]] {{b}}", input: "[[a]] {{b}}"},
		{name: "literal next", check: "CHECK: x;CHECK-NEXT{LITERAL}: {{b}}", input: "x;{{b}}"},

		// Variables.
		{name: "variable", check: "CHECK: [[R:%[0-9]+]] =;CHECK: use [[R]]", input: "%12 = f;use %12"},
		{name: "variable differs", check: "CHECK: [[R:%[0-9]+]] =;CHECK: use [[R]]", input: "%12 = f;use %1", want: `note: with "R" equal to "%12"`},
		{name: "value is literal", check: "CHECK: [[R:.+]] =;CHECK: use [[R]]{{$}}", input: "a.b =;use axb", want: "expected string not found"},
		{name: "redefinition", check: "CHECK: d [[R:.]];CHECK: d [[R:.]];CHECK: u [[R]]", input: "d a;d b;u b"},
		{name: "undefined", check: "CHECK: [[R]]", input: "a", want: "CHECK: undefined variable: R"},
		{name: "undefined in not", check: "CHECK-NOT: [[R]]", input: "a", want: "CHECK-NOT: undefined variable: R"},
		{name: "brackets in definition", check: "CHECK: [[T:tile<[0-9x]+>]] to [[T]]", input: "tile<4x> to tile<4x>"},
		{name: "from the start", check: "CHECK: [[N]]", input: "7", opts: Options{Defines: map[string]string{"N": "7"}}},
		{name: "bad name", check: "CHECK: [[1a]]", input: "a", want: "invalid variable name '1a'"},
		{name: "empty name", check: "CHECK: [[]]", input: "a", want: "invalid variable name ''"},
		{name: "no end", check: "CHECK: [[a", input: "a", want: "invalid substitution block, no ]] found"},
		{name: "single bracket end", check: "CHECK: [[a] x]]", input: "a", want: "invalid substitution block"},
		{name: "empty definition", check: "CHECK: [[a:]]", input: "a", want: "variable 'a' has an empty definition"},
		{name: "two definitions", check: "CHECK: [[a:x]] [[a:y]]", input: "a", want: "variable 'a' is defined twice in one pattern"},
		{name: "numeric", check: "CHECK: [[#N:]]", input: "a", want: "numeric variable '[[#N:]]' is not supported"},
		{name: "scope ends", check: "CHECK-LABEL: f;CHECK: [[A:x]];CHECK-LABEL: g;CHECK: [[A]]", input: "f;x;g;x", opts: Options{VarScope: true}, want: "undefined variable: A"},
		{name: "scope of a global", check: "CHECK-LABEL: f;CHECK: [[$A:x]];CHECK-LABEL: g;CHECK: [[$A]]", input: "f;x;g;x", opts: Options{VarScope: true}},
		{name: "no scope", check: "CHECK-LABEL: f;CHECK: [[A:x]];CHECK-LABEL: g;CHECK: [[A]]", input: "f;x;g;x"},

		// A variable used in the pattern that defines it.
		{name: "back reference", check: "CHECK: [[R:%[0-9]+]] = add [[R]], [[R]]", input: "%1 = add %2, %1;%3 = add %3, %3"},
		{name: "back reference absent", check: "CHECK: [[R:%[0-9]+]] = add [[R]]", input: "%1 = add %2", want: "expected string not found"},
		{name: "back reference backs off", check: "CHECK: [[R:.+]] + [[R]] + end", input: "x + x + end"},
		{name: "back reference with empty loops", check: "CHECK: [[R:(a*)*]]b[[R]]c", input: "aabaac"},
		{name: "back reference with anchors", check: "CHECK: {{^}}[[R:[a-z]+]] [[R]]{{$}}", input: "ab abc;ab ab;x"},
		{name: "back reference defines", check: "CHECK: [[R:[a-z]]][[R]];CHECK: [[R]]z", input: "xyy;yz"},
		{name: "back reference to two", check: "CHECK: [[A:.]][[B:.]][[A]][[B]]", input: "aabacac"},
		{name: "back reference over wide characters", check: "CHECK: [[A:.]][[A]]", input: "éàà"},

		// Line numbers.
		{name: "line", check: ";CHECK: [[@LINE]] [[@LINE+3]] [[@LINE-1]]", input: "2 5 1"},
		{name: "numeric line", check: "CHECK: [[#@LINE]] [[# @LINE + 1 ]]", input: "1 2"},
		{name: "bad pseudo", check: "CHECK: [[@COLUMN]]", input: "1", want: "invalid pseudo variable '@COLUMN'"},
		{name: "bad offset", check: "CHECK: [[@LINE*2]]", input: "1", want: "invalid offset in '@LINE*2'"},

		// Blanks.
		{name: "blanks count as one", check: "CHECK: a b", input: "a  \t b"},
		{name: "blanks in the pattern count as one", check: "CHECK: a   b", input: "a b"},
		{name: "strict blanks", check: "CHECK: a b", input: "a  b", opts: Options{StrictWhitespace: true}, want: "expected string not found"},
		{name: "carriage returns", check: "CHECK: a{{$}};CHECK-NEXT: b", input: "a\r;b\r;"},
		{name: "full lines", check: "CHECK: a", input: "ab; a ;", opts: Options{MatchFullLines: true}},
		{name: "full lines fail", check: "CHECK: a", input: "ab;ba", opts: Options{MatchFullLines: true}, want: "expected string not found"},
		{name: "strict full lines", check: "CHECK:a", input: " a", opts: Options{MatchFullLines: true, StrictWhitespace: true}, want: "expected string not found"},
		{name: "full lines do not bind not", check: "CHECK-NOT: a", input: "bab", opts: Options{MatchFullLines: true}, want: "excluded string found"},
		{name: "case", check: "CHECK: ABC{{d}}", input: "abcD", opts: Options{IgnoreCase: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check := strings.ReplaceAll(tt.check, ";", "\n") + "\n"
			input := strings.ReplaceAll(tt.input, ";", "\n")
			if input != "" {
				input += "\n"
			}
			got := verify(t, check, input, tt.opts)
			if tt.want == "" && got != "" {
				t.Errorf("does not hold:\n%s", got)
			}
			if tt.want != "" && !strings.Contains(got, tt.want) {
				t.Errorf("got\n%s\nwant %q", got, tt.want)
			}
		})
	}
}

// TestFailureText pins the whole of a message: the directive, where the search began, and what nearly matched.
func TestFailureText(t *testing.T) {
	t.Parallel()
	const check = "// CHECK: func @f\n// CHECK: %[[A:.+]] = load\n// CHECK-NEXT: return %[[A]] : f32\n"
	const input = "module {\n  func @f {\n    %7 = load\n    store %7\n    return %8 : f32\n  }\n}\n"
	const want = `k.mlir:3:16: error: CHECK-NEXT: expected string not found in input
    // CHECK-NEXT: return %[[A]] : f32
                   ^
<stdin>:3:11: note: scanning from here
     1 | module {
     2 |  func @f {
     3 |  %7 = load
       |           ^
     4 |  store %7
     5 |  return %8 : f32
note: with "A" equal to "7"
<stdin>:5:2: note: possible intended match here
     3 |  %7 = load
     4 |  store %7
     5 |  return %8 : f32
       |  ^
     6 |  }
     7 | }`
	if got := verify(t, check, input, Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestEveryBlockIsReported checks that a failure in one block does not hide one in the next.
func TestEveryBlockIsReported(t *testing.T) {
	t.Parallel()
	check := "CHECK-LABEL: f:\nCHECK: a\nCHECK-LABEL: g:\nCHECK: b\n"
	c, err := Parse("k.mlir", []byte(check), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var failure *Failure
	if err := c.Run("<stdin>", []byte("f:\ng:\n")); !errors.As(err, &failure) || len(failure.Problems) != 2 {
		t.Fatalf("got %v, want two problems", err)
	}
	for i, line := range []int{2, 4} {
		if p := failure.Problems[i]; p.Line != line || p.Directive != "CHECK" {
			t.Errorf("problem %d is about line %d, %s", i, p.Line, p.Directive)
		}
	}
}

func TestAllParseErrorsAreReported(t *testing.T) {
	t.Parallel()
	_, err := Parse("k.mlir", []byte("CHECK-NXT: a\nCHECK: [[\nCHECK: ok\n"), Options{})
	if err == nil || !strings.Contains(err.Error(), ":1:") || !strings.Contains(err.Error(), ":2:") {
		t.Errorf("got %v, want errors for lines 1 and 2", err)
	}
}

func TestHardPatternsEnd(t *testing.T) {
	t.Parallel()
	got := verify(t, "CHECK: [[A:(a|a)*(a|a)*(a|a)*]]b[[A]]\n", strings.Repeat("a", 200)+"\n", Options{})
	if !strings.Contains(got, "needs too many attempts") && !strings.Contains(got, "not found") {
		t.Errorf("got %q", got)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("CHECK: a{{b|c}}\nCHECK-NEXT: [[A:.+]] [[A]]\nCHECK-DAG: x\nCHECK-NOT: [[A]]\nCHECK-LABEL: y", "ab\nq q\nx\ny\n")
	f.Add("CHECK-COUNT-2: {{a*}}\nCHECK-EMPTY:\nCHECK-SAME: z", "aa\n\n\xff")
	f.Add("CHECK{LITERAL}: [[\nCHECK: [[@LINE+1]]", "\r\n\t ")
	f.Fuzz(func(t *testing.T, check, input string) {
		if len(check) > 200 || len(input) > 200 {
			return
		}
		c, err := Parse("c", []byte(check), Options{})
		if err != nil {
			return
		}
		if err := c.Run("i", []byte(input)); err != nil && err.Error() == "" {
			t.Error("a failure without a message")
		}
	})
}
