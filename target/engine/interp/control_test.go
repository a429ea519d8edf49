package interp

import (
	"slices"
	"testing"
)

// Control flow: what %r is. Entries have %c0 to %c9, numbers of type i32.
func TestControlFlow(t *testing.T) {
	t.Parallel()
	prefix := ""
	for i := range 10 {
		n := string(rune('0' + i))
		prefix += "%c" + n + " = constant <i32: " + n + "> : tile<i32>\n"
	}
	tests := []struct {
		name, body string
		want       uint64
	}{
		{"for", "%s = for %i in (%c0 to %c5, step %c2) : tile<i32> iter_values(%a = %c1) -> (tile<i32>) {\n%b = addi %a, %i : tile<i32>\ncontinue %b : tile<i32>\n}", 7},
		{"no trips", "%s = for %i in (%c5 to %c5, step %c2) : tile<i32> iter_values(%a = %c3) -> (tile<i32>) {\ncontinue %c1 : tile<i32>\n}", 3},
		{"negative", "%m = negi %c3 : tile<i32>\n%s = for %i in (%m to %c0, step %c1) : tile<i32> iter_values(%a = %c0) -> (tile<i32>) {\n%b = subi %a, %i : tile<i32>\ncontinue %b : tile<i32>\n}", 6},
		{"unsigned", "%m = negi %c3 : tile<i32>\n%s = for unsigned %i in (%m to %c0, step %c1) : tile<i32> iter_values(%a = %c4) -> (tile<i32>) {\ncontinue %c1 : tile<i32>\n}", 4},
		{"to the largest value", "%f = constant <i8: 120> : tile<i8>\n%e = constant <i8: 127> : tile<i8>\n%d = constant <i8: 5> : tile<i8>\n" +
			"%s = for %i in (%f to %e, step %d) : tile<i8> iter_values(%a = %c0) -> (tile<i32>) {\n%b = addi %a, %c1 : tile<i32>\ncontinue %b : tile<i32>\n}", 2},
		// The carried values change places in each iteration.
		{"swap", "%s, %q = for %i in (%c0 to %c3, step %c1) : tile<i32> iter_values(%a = %c4, %b = %c9) -> (tile<i32>, tile<i32>) {\ncontinue %b, %a : tile<i32>, tile<i32>\n}", 9},
		// A value of the iteration before stays alive next to that of this one.
		{"previous", "%s, %q = for %i in (%c0 to %c5, step %c1) : tile<i32> iter_values(%a = %c0, %b = %c0) -> (tile<i32>, tile<i32>) {\n%n = addi %i, %c1 : tile<i32>\ncontinue %b, %n : tile<i32>, tile<i32>\n}", 4},
		{"loop", "%s = loop iter_values(%a = %c1) : tile<i32> -> tile<i32> {\n%l = cmpi greater_than %a, %c9, signed : tile<i32> -> tile<i1>\nif %l {\n%m = addi %a, %c1 : tile<i32>\nbreak %m : tile<i32>\n}\n" +
			"%b = addi %a, %a : tile<i32>\ncontinue %b : tile<i32>\n}", 17},
		{"continue in an if", "%s = for %i in (%c0 to %c5, step %c1) : tile<i32> iter_values(%a = %c0) -> (tile<i32>) {\n%l = cmpi equal %i, %c2, signed : tile<i32> -> tile<i1>\n" +
			"if %l {\ncontinue %a : tile<i32>\n}\n%b = addi %a, %i : tile<i32>\ncontinue %b : tile<i32>\n}", 8},
		{"nested loops", "%s = for %i in (%c0 to %c3, step %c1) : tile<i32> iter_values(%a = %c0) -> (tile<i32>) {\n%e = loop iter_values(%x = %a) : tile<i32> -> tile<i32> {\n" +
			"%y = addi %x, %c1 : tile<i32>\n%r3 = remi %y, %c4 signed : tile<i32>\n%l = cmpi equal %r3, %c0, signed : tile<i32> -> tile<i1>\n%w = if %l -> (tile<i32>) {\nbreak %y : tile<i32>\n} else {\nyield %y : tile<i32>\n}\ncontinue %w : tile<i32>\n}\n" +
			"continue %e : tile<i32>\n}", 12},
		{"if", "%t = constant <i1: false> : tile<i1>\n%s, %q = if %t -> (tile<i32>, tile<i32>) {\nyield %c1, %c2 : tile<i32>, tile<i32>\n} else {\nyield %c3, %c4 : tile<i32>, tile<i32>\n}", 3},
		{"nested if", "%t = constant <i1: true> : tile<i1>\n%s = if %t -> (tile<i32>) {\n%u = if %t -> (tile<i32>) {\nyield %c7 : tile<i32>\n} else {\nyield %c1 : tile<i32>\n}\n%v = addi %u, %c1 : tile<i32>\nyield %v : tile<i32>\n} else {\nyield %c3 : tile<i32>\n}", 8},
		// What return leaves out keeps the zero of the buffer.
		{"return in an if", "%t = constant <i1: true> : tile<i1>\n%s = addi %c1, %c1 : tile<i32>\nif %t {\nif %t {\nreturn\n}\n}", 0},
		// The outer tile is used in every iteration, and not after them.
		{"use in a loop", "%u = addi %c1, %c1 : tile<i32>\n%s = for %i in (%c0 to %c4, step %c1) : tile<i32> iter_values(%a = %c0) -> (tile<i32>) {\n%b = addi %a, %u : tile<i32>\n%d = addi %b, %c1 : tile<i32>\n%e = subi %d, %c1 : tile<i32>\ncontinue %e : tile<i32>\n}", 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := compute(t, prefix+tt.body+"\n%r = reshape %s : tile<i32> -> tile<1xi32>", "i32", 1)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, []uint64{tt.want}) {
				t.Errorf("got %d, want %d", got[0], tt.want)
			}
		})
	}
}
