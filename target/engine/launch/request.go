package launch

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/target/engine/npy"
)

// Buffer is device memory: elements in C order, little-endian. An engine places it at an address divisible by 16.
type Buffer struct {
	DType DType
	Shape []int // of the file it came from; a kernel sees a flat buffer
	Data  []byte

	// Replicas is how many copies of the memory there are, one on each device of a multicast object; 0 means one.
	// Data holds all of them, one after the other. A kernel runs on the first device, and reaches the others by
	// multimem operations alone.
	Replicas int

	// Uninitialized says that what the memory holds before the launch has no meaning, as an output's. The interpreter
	// then knows its elements as unspecified until the kernel writes them.
	Uninitialized bool
}

// Len is the number of elements, of all replicas.
func (b *Buffer) Len() int { return len(b.Data) / b.DType.Size() * b.DType.PerByte() }

// Replica returns the memory of a device.
func (b *Buffer) Replica(i int) []byte {
	n := len(b.Data) / max(1, b.Replicas)
	return b.Data[i*n : (i+1)*n : (i+1)*n]
}

// Clone returns a copy that shares nothing.
func (b *Buffer) Clone() *Buffer {
	out := *b
	out.Shape, out.Data = slices.Clone(b.Shape), bytes.Clone(b.Data)
	return &out
}

// Array returns the buffer as NumPy holds it; formats that NumPy lacks become unsigned integers, two elements of half a
// byte one of them. The data is shared.
func (b *Buffer) Array() *npy.Array {
	return &npy.Array{DType: dtypes[b.DType].stored, Shape: b.Shape, Data: b.Data}
}

// NewBuffer takes over the data of a. With d zero the type is that of the file; else it is d, and the file must hold it
// or raw bits of its size.
func NewBuffer(a *npy.Array, d DType) (*Buffer, error) {
	if d == 0 {
		d = fromNumpy(a.DType)
	}
	if !d.storable(a.DType) {
		return nil, fmt.Errorf("the file holds elements of type %s, which cannot stand for %s", a.DType.Name(), d)
	}
	return &Buffer{DType: d, Shape: a.Shape, Data: a.Data}, nil
}

// Scalar is a value passed to the kernel.
type Scalar struct {
	DType DType
	Bits  uint64
}

// Arg is an argument of an entry: a pointer into Buffer, or Scalar when that is nil. A scalar of type Ptr is an
// address, as it stands, into a segment of the request.
type Arg struct {
	Buffer *Buffer
	Offset uint64 // in bytes, of where in Buffer the pointer points
	Scalar Scalar
}

// IsPointer reports whether the argument is for a parameter that is a pointer.
func (a Arg) IsPointer() bool { return a.Buffer != nil || a.Scalar.DType == Ptr }

// DType is the type of the scalar or of the elements.
func (a Arg) DType() DType {
	if a.Buffer != nil {
		return a.Buffer.DType
	}
	return a.Scalar.DType
}

func (a Arg) String() string {
	if b := a.Buffer; b != nil {
		text := fmt.Sprintf("%s[%d]", b.DType, b.Len())
		if b.Replicas > 1 {
			text = fmt.Sprintf("%s[%d] on %d devices", b.DType, b.Len()/b.Replicas, b.Replicas)
		}
		if a.Offset > 0 {
			text += fmt.Sprintf(" from byte %d on", a.Offset)
		}
		return text
	}
	return fmt.Sprintf("%s:%s", a.Scalar.DType, a.Scalar.DType.FormatValue(a.Scalar.Bits))
}

// Request is one launch.
type Request struct {
	Entry string
	Grid  [3]uint32
	Args  []Arg
	// Segments is memory at addresses that the caller chose, beside the buffers, whose addresses the engine chooses.
	Segments []*Segment
}

// Clone returns a copy that shares nothing with the request. A buffer that is several arguments stays one.
func (r *Request) Clone() *Request {
	out := *r
	out.Args = slices.Clone(r.Args)
	clones := make(map[*Buffer]*Buffer) // arguments that are the same memory stay so
	for i, a := range out.Args {
		if a.Buffer == nil {
			continue
		}
		if clones[a.Buffer] == nil {
			clones[a.Buffer] = a.Buffer.Clone()
		}
		out.Args[i].Buffer = clones[a.Buffer]
	}
	out.Segments = make([]*Segment, len(r.Segments))
	for i, g := range r.Segments {
		out.Segments[i] = g.Clone()
	}
	return &out
}

// Engine executes launches.
//
// Interpreter, emulator and GPU are one interface, so that a case is a case for each of them and tile-run does not
// know which it has.
type Engine interface {
	// Run executes the request and returns when it has finished; the buffers then hold what the kernel stored. It
	// stops early when ctx ends.
	Run(ctx context.Context, req *Request) error
}

// maxReplicas bounds the devices of a multicast object: more than any system connects.
const maxReplicas = 1024

// maxGrid is CUDA's bound for the first dimension of a grid, the largest of the three.
const maxGrid = 1<<31 - 1

// Validate reports what no engine could run: an empty grid dimension, or an argument without a type.
func (r *Request) Validate() error {
	if r.Entry == "" {
		return fmt.Errorf("no entry named")
	}
	for i, n := range r.Grid {
		if n == 0 || n > maxGrid {
			return fmt.Errorf("grid[%d]: got %d, expected 1 to %d", i, n, maxGrid)
		}
	}
	// Engines count tile blocks in 64 bits; a count that wraps to few would be a launch that does next to nothing and
	// succeeds.
	if more, _ := bits.Mul64(uint64(r.Grid[0])*uint64(r.Grid[1]), uint64(r.Grid[2])); more != 0 {
		return fmt.Errorf("grid: %d x %d x %d tile blocks are too many", r.Grid[0], r.Grid[1], r.Grid[2])
	}
	for i, a := range r.Args {
		if !a.DType().Valid() {
			return fmt.Errorf("args[%d]: no type", i)
		}
		if b := a.Buffer; b != nil && len(b.Data)%b.DType.Size() != 0 {
			return fmt.Errorf("args[%d]: %d bytes are not a multiple of the size of %s", i, len(b.Data), b.DType)
		}
		if b := a.Buffer; b != nil {
			if err := checkReplicas(b, b.Replicas); err != nil {
				return fmt.Errorf("args[%d]: %w", i, err)
			}
			if a.Offset > uint64(len(b.Data)) {
				return fmt.Errorf("args[%d]: points to byte %d of a buffer of %d bytes", i, a.Offset, len(b.Data))
			}
		}
	}
	_, err := r.SortedSegments()
	return err
}

// checkReplicas reports a number of replicas that the data of a buffer cannot be divided into.
func checkReplicas(b *Buffer, n int) error {
	switch {
	case n < 0 || n > maxReplicas:
		return fmt.Errorf("got %d replicas, expected at most %d", n, maxReplicas)
	case n > 1 && len(b.Data)%(n*b.DType.Size()) != 0:
		return fmt.Errorf("%d bytes of %s are not %d replicas of the same size", len(b.Data), b.DType, n)
	}
	return nil
}

// Uninitialized reports whether some memory holds nothing before the launch.
func (r *Request) Uninitialized() bool {
	return slices.ContainsFunc(r.Args, func(a Arg) bool { return a.Buffer != nil && a.Buffer.Uninitialized }) ||
		slices.ContainsFunc(r.Segments, func(s *Segment) bool { return s.Uninitialized })
}

// OneDevice reports an argument that lies on several devices, for engines that have one.
func (r *Request) OneDevice() error {
	for i, a := range r.Args {
		if a.Buffer != nil && a.Buffer.Replicas > 1 {
			return fmt.Errorf("argument %d is %s, but the engine has one device", i, a)
		}
	}
	return nil
}

// OwnAddresses reports memory at addresses of the caller's, for engines that cannot choose where memory is.
func (r *Request) OwnAddresses() error {
	if len(r.Segments) > 0 {
		return fmt.Errorf("the launch has memory at address %#x, but the engine cannot choose addresses", r.Segments[0].Addr)
	}
	return nil
}
