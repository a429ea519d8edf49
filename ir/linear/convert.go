package linear

import "fmt"

// Class says how far the values are transferred in a layout conversion.
type Class uint8

// The classes, from the cheapest to the dearest.
const (
	NoMove       Class = iota // every register keeps its value
	RegisterMove              // registers of a thread are renamed, copied or dropped
	LaneMove                  // lanes of a warp exchange values: shuffles
	SharedMove                // warps of a block exchange values: shared memory
	ClusterMove               // blocks exchange values: distributed shared memory
)

var classNames = [...]string{"none", "registers", "lanes", "shared", "cluster"}

func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("class(%d)", uint8(c))
}

// Conversion is the change of a value from one distributed layout to another.
type Conversion struct {
	Src, Dst Layout
	Class    Class
	// Map takes a position of Dst to the position of Src where its element is
	// found: Src(Map(x)) = Dst(x). Where Src holds copies it picks the nearest.
	Map Map
}

// Convert relates two layouts of the same tile over the same lanes, warps and
// blocks. It fails when Dst wants an element that Src does not hold.
func Convert(src, dst Layout) (Conversion, error) {
	c := Conversion{Src: src, Dst: dst}
	if len(src.shape) != len(dst.shape) || string(src.shape) != string(dst.shape) {
		return c, fmt.Errorf("cannot convert a layout of shape %v to one of shape %v", src.Shape(), dst.Shape())
	}
	for _, a := range [...]Axis{Lane, Warp, Block} {
		if src.in[a] != dst.in[a] {
			return c, fmt.Errorf("cannot convert a layout over %d %ss to one over %d", src.Size(a), a, dst.Size(a))
		}
	}
	if src.in[Offset] != 0 || dst.in[Offset] != 0 {
		return c, fmt.Errorf("cannot convert the layout of a buffer: it has no threads")
	}
	// reach[a] solves with the bits of all axes up to a.
	var reach [Block + 1]echelon
	for a := range reach {
		for b := range Axis(a) + 1 {
			for i, v := range src.axisBases(b) {
				reach[a].add(v, 1<<(src.in.shift(b)+i))
			}
		}
	}
	c.Map = Map{from: dst.in, to: src.in, cols: make([]uint64, 0, len(dst.bases))}
	for a := range Block + 1 {
		for i, want := range dst.axisBases(a) {
			col, class, ok := nearest(&reach, src, a, i, want)
			if !ok {
				return c, fmt.Errorf("source layout does not hold element %v of the result", dst.coords(want))
			}
			c.Map.cols = append(c.Map.cols, col)
			c.Class = max(c.Class, class)
		}
	}
	if c.Class == NoMove && !src.Equal(dst) {
		c.Class = RegisterMove
	}
	return c, nil
}

// nearest finds a position of src with the wanted element, for bit i of axis a of
// the result, that is as close to that bit's own thread as possible.
func nearest(reach *[Block + 1]echelon, src Layout, a Axis, i int, want uint64) (col uint64, class Class, ok bool) {
	var own, ownBit uint64
	if i < int(src.in[a]) {
		own, ownBit = src.axisBases(a)[i], 1<<(src.in.shift(a)+i)
		if own == want {
			return ownBit, NoMove, true
		}
	}
	for b := range Block + 1 {
		// Below its own axis a position keeps its place: the value comes from
		// the same lane, the same warp, the same block.
		target, place := want, uint64(0)
		if b < a {
			target, place = want^own, ownBit
		}
		rest, x := reach[b].reduce(target, 0)
		if rest != 0 {
			continue
		}
		class = Class(b) + RegisterMove
		// A register that depends on the lane or warp is a select by the
		// thread's number, which the shuffle plan expresses.
		if a != Register {
			class = max(class, LaneMove)
		}
		return x | place, class, true
	}
	return 0, 0, false
}

// RegisterMap returns, for each register of Dst, the register of Src in the same thread with its value. It fails
// when values are transferred between threads.
func (c Conversion) RegisterMap() ([]int, error) {
	if c.Class > RegisterMove {
		return nil, fmt.Errorf("conversion of class '%s' moves values between threads", c.Class)
	}
	if c.Dst.Bits(Register) > maxPlanBits {
		return nil, fmt.Errorf("conversion to 2^%d registers is too large to list", c.Dst.Bits(Register))
	}
	out := make([]int, c.Dst.Size(Register))
	for r := range out {
		out[r] = int(c.Map.Apply(Index{Register: uint32(r)})[Register])
	}
	return out, nil
}
