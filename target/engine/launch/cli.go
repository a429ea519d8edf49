package launch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/target/engine/npy"
)

// maxBuffer bounds a buffer made on the command line, in bytes.
const maxBuffer = 1 << 34

// ParseArg reads an argument given on a command line:
//
//	f32:a.npy        a buffer with the contents of a file
//	f32[1024]        a buffer of zeros; f32[4x256] has a shape
//	f32[1024]=7.5    a buffer filled with a value
//	f32[1024]=random a buffer of random numbers, the same in each run; =zeros as none
//	f32[1024]=uninitialized  a buffer that holds nothing before the launch
//	f32[1024]=a.npy  a buffer with the contents of a file, whose length must agree
//	f32[2@1024]      a buffer on two devices, of 1024 elements on each
//	i32:100          a scalar
//	f32:#7fc00001    a scalar, as its bits
//	ptr:0x7f0000     an address, as it is
//
// What reads as a value of the type is a value; everything else is a file, which open reads (npy.ReadFile, if nil).
func ParseArg(s string, open func(path string) (*npy.Array, error)) (Arg, error) {
	if open == nil {
		open = npy.ReadFile
	}
	end := strings.IndexAny(s, ":[")
	if end < 0 {
		return Arg{}, fmt.Errorf("argument %q: expected TYPE:VALUE, TYPE:FILE or TYPE[N]", s)
	}
	d, err := ParseDType(s[:end])
	if err != nil {
		return Arg{}, fmt.Errorf("argument %q: %w", s, err)
	}
	var a Arg
	if s[end] == '[' {
		a.Buffer, err = parseSized(d, s[end+1:], open)
	} else if pattern, ok := strings.CutPrefix(s[end+1:], "#"); ok {
		a.Scalar = Scalar{DType: d}
		if a.Scalar.Bits, err = strconv.ParseUint(pattern, 16, 8*d.Size()); err != nil {
			err = fmt.Errorf("%q is no pattern of %d bytes in hexadecimal", pattern, d.Size())
		}
	} else if bits, valueErr := d.ParseValue(s[end+1:]); valueErr == nil {
		a.Scalar = Scalar{d, bits}
	} else if looksNumeric(s[end+1:]) {
		err = valueErr
	} else {
		a.Buffer, err = load(d, s[end+1:], open)
	}
	if err != nil {
		return Arg{}, fmt.Errorf("argument %q: %w", s, err)
	}
	return a, nil
}

// looksNumeric is for literals that are no values of their type: better rejected as such than as missing files.
func looksNumeric(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func load(d DType, path string, open openFunc) (*Buffer, error) {
	a, err := open(path)
	if err != nil {
		return nil, err
	}
	return NewBuffer(a, d)
}

// parseSized reads N], N]=VALUE or N]=FILE.
func parseSized(d DType, s string, open openFunc) (*Buffer, error) {
	dims, content, ok := strings.Cut(s, "]")
	if !ok {
		return nil, fmt.Errorf("expected ']'")
	}
	replicas, err := 0, error(nil)
	if devices, rest, ok := strings.Cut(dims, "@"); ok {
		if replicas, err = strconv.Atoi(devices); err != nil || replicas < 1 || replicas > maxReplicas {
			return nil, fmt.Errorf("got %q devices, expected a number from 1 to %d", devices, maxReplicas)
		}
		dims = rest
	}
	shape, n, err := parseShape(d, dims, max(1, replicas))
	if err != nil {
		return nil, err
	}
	b, err := parseContent(d, shape, n, content, open)
	if err != nil {
		return nil, err
	}
	b.Replicas = replicas
	return b, nil
}

// parseShape reads the extents of a buffer, and returns its shape in elements of a NumPy file and its number of
// elements.
func parseShape(d DType, dims string, replicas int) (shape []int, n int, err error) {
	n = replicas
	if replicas > 1 {
		shape = append(shape, replicas)
	}
	last := 1
	for dim := range strings.SplitSeq(dims, "x") {
		extent, err := strconv.ParseUint(dim, 10, 62)
		if err != nil {
			return nil, 0, fmt.Errorf("length %q is not a number", dim)
		}
		if extent > 0 && n > maxBuffer/d.Size()/int(extent) {
			return nil, 0, fmt.Errorf("buffer is larger than %d bytes", maxBuffer)
		}
		n *= int(extent)
		last = int(extent)
		shape = append(shape, last)
	}
	if last%d.PerByte() != 0 {
		return nil, 0, fmt.Errorf("got %d elements of %s in a row, expected an even number", last, d)
	}
	shape[len(shape)-1] = last / d.PerByte()
	return shape, n, nil
}

// parseContent reads nothing, =VALUE or =FILE after the size of a buffer.
func parseContent(d DType, shape []int, n int, content string, open openFunc) (*Buffer, error) {
	if content == "" {
		return &Buffer{DType: d, Shape: shape, Data: make([]byte, d.Bytes(n))}, nil
	}
	if content[0] != '=' {
		return nil, fmt.Errorf("got %q after ']', expected '='", content)
	}
	content = content[1:]
	switch content {
	case "random":
		return random(d, shape, n)
	case "zeros", "uninitialized":
		return &Buffer{DType: d, Shape: shape, Data: make([]byte, d.Bytes(n)), Uninitialized: content == "uninitialized"}, nil
	}
	if v, err := d.ParseValue(content); err == nil {
		b := &Buffer{DType: d, Shape: shape, Data: make([]byte, d.Bytes(n))}
		for i := range n {
			d.Store(b.Data, i, v)
		}
		return b, nil
	} else if looksNumeric(content) {
		return nil, err
	}
	b, err := load(d, content, open)
	if err != nil {
		return nil, err
	}
	if b.Len() != n {
		return nil, fmt.Errorf("%s has %d elements, expected %d", content, b.Len(), n)
	}
	b.Shape = shape
	return b, nil
}

// ParseSegment reads ADDRESS=ARGUMENT, memory at an address; the argument is one that ParseArg reads, of a buffer.
func ParseSegment(s string, open func(path string) (*npy.Array, error)) (*Segment, error) {
	at, content, ok := strings.Cut(s, "=")
	if !ok {
		return nil, fmt.Errorf("segment %q: expected ADDRESS=ARGUMENT", s)
	}
	addr, err := strconv.ParseUint(at, 0, 64)
	if err != nil {
		return nil, fmt.Errorf("segment %q: %q is no address", s, at)
	}
	a, err := ParseArg(content, open)
	switch {
	case err != nil:
		return nil, fmt.Errorf("segment %q: %w", s, err)
	case a.Buffer == nil:
		return nil, fmt.Errorf("segment %q: %s is no memory", s, a)
	case a.Buffer.Replicas > 1:
		return nil, fmt.Errorf("segment %q: memory at an address is on one device", s)
	}
	return &Segment{Addr: addr, Data: alignedTo(addr, a.Buffer.Data), DType: a.Buffer.DType, Shape: a.Buffer.Shape, Uninitialized: a.Buffer.Uninitialized}, nil
}

// random makes a buffer of random numbers, the same in each run. Floats are between -1 and 1 in steps of 1/64, which
// small formats have or round. Integers are from 0 to 7.
func random(d DType, shape []int, n int) (*Buffer, error) {
	b := &Buffer{DType: d, Shape: shape, Data: make([]byte, d.Bytes(n))}
	source := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	_, float := d.Format()
	values := make(map[string]uint64) // reading a number takes longer than finding it
	for i := range n {
		text := strconv.Itoa(source.IntN(8))
		switch {
		case float:
			text = strconv.FormatFloat(float64(source.IntN(129)-64)/64, 'g', -1, 64)
		case d == I1:
			text = strconv.Itoa(source.IntN(2))
		}
		v, ok := values[text]
		if !ok {
			var err error
			if v, err = d.ParseValue(text); err != nil {
				return nil, err
			}
			values[text] = v
		}
		d.Store(b.Data, i, v)
	}
	return b, nil
}

// Out says where to write a buffer after the launch.
type Out struct {
	Arg  int
	File string
}

// ParseOut reads INDEX=FILE; the index counts the arguments from 0.
func ParseOut(s string) (Out, error) {
	index, file, err := parseIndexed(s)
	if err != nil {
		return Out{}, fmt.Errorf("output %q: %w", s, err)
	}
	return Out{index, file}, nil
}

func parseIndexed(s string) (int, string, error) {
	index, file, ok := strings.Cut(s, "=")
	if !ok || file == "" {
		return 0, "", fmt.Errorf("expected INDEX=FILE")
	}
	n, err := strconv.ParseUint(index, 10, 16)
	if err != nil {
		return 0, "", fmt.Errorf("%q is not the index of an argument", index)
	}
	return int(n), file, nil
}

// ParseCheck reads INDEX=FILE[,rtol=R][,atol=A], an expectation on a buffer of args. Without tolerances the outputs
// must be equal.
func ParseCheck(s string, args []Arg, open func(path string) (*npy.Array, error)) (Expect, error) {
	if open == nil {
		open = npy.ReadFile
	}
	fail := func(err error) (Expect, error) { return Expect{}, fmt.Errorf("check %q: %w", s, err) }
	head, options, _ := strings.Cut(s, ",")
	index, file, err := parseIndexed(head)
	if err != nil {
		return fail(err)
	}
	if index >= len(args) {
		return fail(fmt.Errorf("there are %d arguments, counted from 0", len(args)))
	}
	if args[index].Buffer == nil {
		return fail(fmt.Errorf("argument %d is not a buffer", index))
	}
	e := Expect{Arg: index, File: file}
	for options != "" {
		var option string
		option, options, _ = strings.Cut(options, ",")
		name, text, _ := strings.Cut(option, "=")
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 0) {
			return fail(fmt.Errorf("%s: got %q, expected a finite number that is not negative", name, text))
		}
		switch name {
		case "rtol":
			e.Relative = x
		case "atol":
			e.Absolute = x
		default:
			return fail(fmt.Errorf("unknown option %q, expected rtol or atol", name))
		}
	}
	if e.Want, err = load(args[index].Buffer.DType, file, open); err != nil {
		return fail(err)
	}
	if got, want := args[index].Buffer.Len(), e.Want.Len(); got != want {
		return fail(fmt.Errorf("%s has %d elements, but argument %d has %d", file, want, index, got))
	}
	return e, nil
}
