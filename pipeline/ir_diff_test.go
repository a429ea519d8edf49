package pipeline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/pipeline"
)

// TestDiff shows differences of IR by what changed, whatever numbers values have.
func TestDiff(t *testing.T) {
	t.Parallel()
	const old = `func @k(%arg0: i32) {
  %0 = constant 1
  %1 = constant 1
  %2 = addi %arg0, %0
  %3 = subi %2, %1
  return %3
}
func @l(%arg0: i32) {
  %0 = constant 1
  return %0
}
`
	for _, tt := range []struct{ name, new, want string }{
		{"nothing", old, ""},
		{"renumbered", strings.NewReplacer("%2", "%5", "%3", "%7").Replace(old), ""},
		{"inserted", `func @k(%arg0: i32) {
  %0 = muli %arg0, %arg0
  %1 = constant 1
  %2 = constant 1
  %3 = addi %arg0, %1
  %4 = subi %3, %2
  return %4
}
func @l(%arg0: i32) {
  %0 = constant 1
  return %0
}
`, "@@ -1,4 +1,5 @@\n func @k(%arg0: i32) {\n+  %0' = muli %arg0, %arg0\n   %0 = constant 1\n   %1 = constant 1\n   %2 = addi %arg0, %0\n"},
		{"merged", `func @k(%arg0: i32) {
  %0 = constant 1
  %1 = addi %arg0, %0
  %2 = subi %1, %0
  return %2
}
func @l(%arg0: i32) {
  %0 = constant 1
  return %0
}
`, "@@ -1,8 +1,7 @@\n func @k(%arg0: i32) {\n   %0 = constant 1\n-  %1 = constant 1\n   %2 = addi %arg0, %0\n-  %3 = subi %2, %1\n+  %3 = subi %2, %0\n   return %3\n }\n func @l(%arg0: i32) {\n"},
		{"operands change places", strings.Replace(old, "%2, %1", "%1, %2", 1), "@@ -2,7 +2,7 @@\n   %0 = constant 1\n   %1 = constant 1\n   %2 = addi %arg0, %0\n-  %3 = subi %2, %1\n+  %3 = subi %1, %2\n   return %3\n }\n func @l(%arg0: i32) {\n"},
	} {
		got := pipeline.Diff{Context: pipeline.DefaultContext}.Unified("before", "after", old, tt.new)
		want := tt.want
		if want != "" {
			want = "--- before\n+++ after\n" + want
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	long := strings.Repeat("x\n", 20)
	hunks := pipeline.Diff{Context: 1}.Unified("before", "after", "a\nb\nc\nd\n"+long+"z\n", "A\nb\nC\nc2\nd\n"+long+"Z\n")
	if want := "--- before\n+++ after\n@@ -1,4 +1,5 @@\n-a\n+A\n b\n-c\n+C\n+c2\n d\n@@ -24,2 +25,2 @@\n x\n-z\n+Z\n"; hunks != want {
		t.Errorf("two hunks:\n%s\nwant\n%s", hunks, want)
	}
	coloured := pipeline.Diff{Colour: true}.Unified("before", "after", "a\nb\n", "a\nc\n")
	if want := "\x1b[1m--- before\x1b[0m\n\x1b[1m+++ after\x1b[0m\n\x1b[36m@@ -2 +2 @@\x1b[0m\n\x1b[31m-b\x1b[0m\n\x1b[32m+c\x1b[0m\n"; coloured != want {
		t.Errorf("in colour: %q, want %q", coloured, want)
	}
}
