package launch

import (
	"strings"
	"testing"
)

const segmentCase = `{"module": "k.tileirbc", "entry": "k", "grid": [1, 1, 1],
 "segments": [{"file": "a.npy", "address": "0x7f0000000010", "name": "a"}, {"file": "h.npy", "dtype": "bf16", "address": "0x7f0000000001", "readonly": true}],
 "args": [{"pointer": "0x7f0000000014"}, {"buffer": "b.npy", "offset": 4}, {"same": 1}, {"scalar": "f32", "bits": "0x7fc00001"}, {"scalar": "i64", "bits": "0xffffffffffffffff"}],
 "expect": [{"segment": 0, "file": "a.npy", "rtol": 0, "atol": 0}, {"arg": 1, "file": "b.npy", "rtol": 0, "atol": 0}]}`

func TestSegmentCase(t *testing.T) {
	t.Parallel()
	var c Case
	if err := c.decode([]byte(segmentCase), openFake); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, a := range c.Args {
		args = append(args, a.String())
	}
	if got, want := strings.Join(args, " "), "ptr:0x7f0000000014 f32[1] from byte 4 on f32[1] f32:NaN i64:-1"; got != want {
		t.Errorf("args %s, want %s", got, want)
	}
	if c.Args[3].Scalar.Bits != 0x7fc00001 || c.Args[1].Buffer != c.Args[2].Buffer {
		t.Errorf("got %+v", c.Args)
	}
	req := c.Request()
	if s := req.Segments[1]; s.DType != BF16 || !s.ReadOnly || s.Label() != "memory at 0x7f0000000001" || s.End() != 0x7f0000000003 {
		t.Errorf("got %+v", s)
	}
	if report, err := c.Check(req); err != nil || !report.OK() {
		t.Errorf("got %+v, %v", report, err)
	}
	req.Segments[0].Data[3] ^= 1
	if report, err := c.Check(req); err != nil || report.OK() || c.Segments[0].Data[3] == req.Segments[0].Data[3] {
		t.Errorf("a wrong segment passes, or a request shares memory with its case: %+v, %v", report, err)
	}
}

func TestSegmentCaseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ old, with, want string }{
		{`"address": "0x7f0000000010"`, `"address": "x"`, `segments[0].address: got "x", expected a number`},
		{`"address": "0x7f0000000010"`, `"address": -1`, `segments[0].address: got "-1"`},
		{`"address": "0x7f0000000010"`, `"address": 0`, "are outside of the address space"},
		{`"address": "0x7f0000000010"`, `"address": "0x7f0000000000"`, "memory at 0x7f0000000001 overlaps a"},
		{`"address": "0x7f0000000010"`, `"address": "0xfffffffffffffff0"`, "are outside of the address space"},
		{`"address": "0x7f0000000010"`, `"address": "0x100000000000"`, "are the engine's own"},
		{`"readonly": true`, `"readonly": 1`, "segments[1].readonly: got a number, expected true or false"},
		{`"readonly": true`, `"readonly": true, "x": 1`, "segments[1].x: unknown key"},
		{`"offset": 4`, `"offset": 5`, "args[1].offset: got 5, expected an integer from 0 to 4"},
		{`{"same": 1}`, `{"same": 2}`, "args[2].same: argument 2 is no buffer before this one"},
		{`{"same": 1}`, `{"same": 0}`, "args[2].same: argument 0 is no buffer before this one"},
		{`"bits": "0x7fc00001"`, `"bits": "0x17fc00001"`, "args[3].bits: got 0x17fc00001, but f32 has 4 bytes"},
		{`"segment": 0`, `"segment": 2`, "expect[0].segment: got 2, but there are 2 segments"},
		{`"arg": 1, "file": "b.npy"`, `"segment": 0, "file": "a.npy"`, "expect[1].segment: segment 0 is expected twice"},
	} {
		in := strings.Replace(segmentCase, tt.old, tt.with, 1)
		if in == segmentCase {
			t.Fatalf("%s does not occur", tt.old)
		}
		if err := new(Case).decode([]byte(in), openFake); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.with, err, tt.want)
		}
	}
}

func TestParseSegment(t *testing.T) {
	t.Parallel()
	s, err := ParseSegment("0x7f0000000010=f32[4]=1.5", nil)
	if err != nil || s.Addr != 0x7f0000000010 || len(s.Data) != 16 || s.DType != F32 || s.Data[3] != 0x3f {
		t.Errorf("got %+v, %v", s, err)
	}
	for in, want := range map[string]string{"f32[4]": "expected ADDRESS=ARGUMENT", "x=f32[4]": `"x" is no address`, "0x10=i32:7": "i32:7 is no memory", "0x10=f31[4]": "unknown element type", "0x10=f32[2@4]": "on one device"} {
		if _, err := ParseSegment(in, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}

func TestParseAddresses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"f32:#7fc00001": "f32:NaN", "ptr:0x7f00": "ptr:0x7f00", "i8:#ff": "i8:-1"} {
		if a, err := ParseArg(in, nil); err != nil || a.String() != want {
			t.Errorf("%s: got %v, %v", in, a, err)
		}
	}
	for in, want := range map[string]string{"f32:#17fc00001": "no pattern of 4 bytes", "f32:#": "no pattern", "i8:#0x1": "no pattern", "ptr:-": "no such file"} {
		if _, err := ParseArg(in, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}
