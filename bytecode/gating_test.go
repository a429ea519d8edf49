package bytecode_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// TestVersionGating writes what a version cannot express.
func TestVersionGating(t *testing.T) {
	t.Parallel()
	entry := func(args, body string) string { return "entry @k(" + args + ") {\n" + body + "\n  return\n}\n" }
	tests := []struct {
		name, text string
		version    ir.Version
		err        string
	}{
		{"operation", entry("%a: tile<f32>", "  %0 = atan2 %a, %a : tile<f32>"), cudatile.V13_1,
			"test.mlir:2:8: error: operation 'cuda_tile.atan2' is not available in bytecode version 13.1"},
		{"type", "global @g <f8E8M0FNU: 1.0> : tile<1xf8E8M0FNU>\n", cudatile.V13_1,
			"loc(unknown): error: type 'Float8E8M0FNU' requires bytecode version 13.2+, targeting 13.1, for cuda_tile.global at test.mlir:1:1"},
		{"type parameter", entry("%a: tile<ptr<f32, <none>>>", ""), cudatile.V13_3,
			"parameter 'ptr_attr' of type 'Pointer' requires bytecode version 13.4+, but targeting 13.3"},
		{"required attribute", entry("%a: tile<i32>", "  %0 = negi %a overflow <no_signed_wrap> : tile<i32>"), cudatile.V13_1,
			"'cuda_tile.negi' op attribute 'overflow' requires bytecode version 13.2+, but targeting 13.1"},
		{"unit attribute", entry("%a: tile<i32>", "  for unsigned %i in (%a to %a, step %a) : tile<i32> {\n  }"), cudatile.V13_1,
			"optional attribute 'unsignedCmp' is provided but requires bytecode version 13.2, targeting 13.1"},
		{"operand", entry("%a: tile<i32>", "  %t = make_token : token\n  %0 = print_tko \"%i\", %a token=%t : tile<i32> -> token"), cudatile.V13_1,
			"optional operand 'token' is provided but requires bytecode version 13.2, targeting 13.1"},
		{"used result", entry("%a: tile<i32>", "  %t = print_tko \"%i\", %a : tile<i32> -> token\n  %u = join_tokens %t, %t : token"), cudatile.V13_1,
			"result 'result_token' requires bytecode version 13.2 but is being used and targeting 13.1"},
		{"enum value", entry("%a: tile<f32>", "  %0 = ftof %a rounding<nearest_away> : tile<f32> -> tile<tf32>"), cudatile.V13_3,
			"enum value 'nearest_away' for attribute 'rounding_mode' is not available in bytecode version 13.3"},
		{"private global", "global private @g <f32: 1.0> : tile<1xf32>\n", cudatile.V13_2,
			"error: global `g` uses non-public symbol visibility, which cannot be encoded in bytecode version 13.2 (requires bytecode 13.3+)"},
		{"constant global", "global constant @g <f32: 1.0> : tile<1xf32>\n", cudatile.V13_1,
			"error: constant global `g` cannot be encoded in bytecode version 13.1 (the `constant` attribute requires bytecode 13.3+)"},
		{"argument attributes", entry("%a: tile<i32> {front.x = 1 : i32}", ""), cudatile.V13_4,
			"optional attribute 'arg_attrs' is provided but requires bytecode version 13.5, targeting 13.4"},
		{"location", entry("%a: tile<i32>", "  %0 = absi %a : tile<i32> loc(\"name\")"), cudatile.V13_4,
			"unsupported location, got NameLoc, expected DILocAttr or CallSiteLoc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			op := parse(t, tt.text)
			if err := ir.Verify(op); err != nil {
				t.Fatal(err)
			}
			_, err := bytecode.Encode(op, bytecode.Options{Version: tt.version})
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %v, want %s", err, tt.err)
			}
			if tt.name == "location" {
				return
			}
			ir.DropNames(op)
			want := listing(t, op, false)
			if got := listing(t, read(t, encode(t, op, bytecode.Newest())), false); got != want {
				t.Errorf("the newest version: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestDefaultsInOldVersions writes what an old version has no field for, when it says what its absence would.
func TestDefaultsInOldVersions(t *testing.T) {
	t.Parallel()
	op := parse(t, `entry @k(%p: tile<ptr<f32>>, %a: tile<f32>, %i: tile<i32>) {
  %0 = exp %a : tile<f32>
  %1 = negi %i : tile<i32>
  %t = make_token : token
  %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
  %x, %y = load_view_tko weak %w[%i] token = %t : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
  %z = print_tko "x" -> token
  return
}
`)
	ir.DropNames(op)
	want := listing(t, op, false)
	for _, v := range cudatile.Versions {
		again := read(t, encode(t, op, v))
		if err := ir.Verify(again); err != nil {
			t.Errorf("version %v: %v", v, err)
		}
		if got := listing(t, again, false); got != want {
			t.Errorf("version %v: got\n%s\nwant\n%s", v, got, want)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	t.Parallel()
	op := parse(t, "entry @k() {\n  return\n}\n")
	if _, err := bytecode.Encode(op, bytecode.Options{Version: ir.Version{Major: 13, Minor: 9}}); err == nil ||
		!strings.Contains(err.Error(), "unsupported bytecode version 13.9: the versions are 13.1 to 13.5") {
		t.Errorf("version: got %v", err)
	}
	if _, err := bytecode.Encode(op.Body().First(), bytecode.Options{}); err == nil ||
		!strings.Contains(err.Error(), "'cuda_tile.entry' op cannot be written as bytecode: expected 'cuda_tile.module'") {
		t.Errorf("operation: got %v", err)
	}
}
