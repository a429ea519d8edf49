package linear

import "fmt"

// A Cut divides a tile into a grid of subtiles. Every thread holds some elements of each subtile before and after
// a conversion. So each subtile is converted like the entire tile, and subtiles differ in registers only.
//
//	128x256, rows from lanes and warps except bits 3 to 5:
//	shape 2 x 8 x 8 x 256, grid 1 x 8 x 1 x 1, part 2 x 1 x 8 x 256
//
// The subtiles are not blocks of the tile: fragments of MMAs give warps the high bits of coordinates, and
// registers lower ones.
type Cut struct {
	Shape, Part []int
	Subtiles    int
	Src, Dst    Layout // of a subtile
}

// CutInto returns the cut into the given number of subtiles, a power of two, or into fewer if there are no more. Both
// layouts are of distributed tensors.
func CutInto(src, dst Layout, subtiles int) Cut {
	mask := make([]int, src.Dims())
	best, _ := newCut(src, dst, mask) // one subtile, for which nothing has to be cut
	// Outer dimensions and high bits first: elements that are adjacent in memory stay together.
	for d, n := range src.Shape() {
		for bit := n / 2; bit > 0 && best.Subtiles < subtiles; bit /= 2 {
			if !ofRegisters(src, d, bit) || !ofRegisters(dst, d, bit) {
				continue
			}
			mask[d] |= bit
			c, err := newCut(src, dst, mask)
			if err != nil { // registers hold this bit together with others
				mask[d] &^= bit
				continue
			}
			best = c
		}
	}
	return best
}

// ofRegisters reports whether no two threads differ in a bit of a coordinate.
func ofRegisters(l Layout, dim, bit int) bool {
	for _, a := range []Axis{Lane, Warp, Block} {
		for i := range l.Bits(a) {
			if l.Base(a, i)[dim]&bit != 0 {
				return false
			}
		}
	}
	return true
}

// newCut cuts at the bits of coordinates that are in the mask of their dimension.
func newCut(src, dst Layout, mask []int) (c Cut, err error) {
	c.Subtiles = 1
	for d, n := range src.Shape() {
		for n > 1 { // a run of bits that are all in the mask, or all not, from the highest
			in, run := mask[d]&(n/2) != 0, 1
			for n > 1 && (mask[d]&(n/2) != 0) == in {
				n, run = n/2, run*2
			}
			c.Shape = append(c.Shape, run)
			if in {
				c.Subtiles *= run
				run = 1
			}
			c.Part = append(c.Part, run)
		}
	}
	if c.Src, err = c.subtile(src); err != nil {
		return c, err
	}
	c.Dst, err = c.subtile(dst)
	return c, err
}

// subtile returns the layout of a subtile, of a tile of a layout.
func (c Cut) subtile(l Layout) (part Layout, err error) {
	if l, err = l.Reshape(c.Shape); err != nil {
		return part, err
	}
	if part, err = l.Part(c.Part); err != nil {
		return part, err
	}
	whole, err := part.Whole(c.Shape)
	if err != nil {
		return part, err
	}
	// reshape and cat of such subtiles must rename registers only; any exchange between lanes would be a
	// conversion of its own.
	for _, pair := range [][2]Layout{{l, whole}, {whole, l}} {
		if conv, err := Convert(pair[0], pair[1]); err != nil || conv.Class > RegisterMove {
			return part, fmt.Errorf("subtiles of shape %v are not cut along registers", c.Part)
		}
	}
	return part, nil
}
