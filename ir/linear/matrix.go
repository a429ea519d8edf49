package linear

import (
	"errors"
	"fmt"
)

// MatrixAccess is a plan to load a distributed tile with ldmatrix or to store it
// with stmatrix (m8n8, b16). One op moves Matrices 8x8 matrices of 16-bit units,
// a row of each being 16 contiguous bytes. Lane l gives the address of row l%8 of
// matrix l/8, which is the offset Op.Offset ^ Row(thread) in elements; lanes
// beyond the last matrix compute some valid address.
type MatrixAccess struct {
	Trans    bool
	Matrices int // 1, 2 or 4
	Row      ThreadFn
	Ops      []MatrixOp
	Copies   []int // as in Access
	Disjoint bool  // as in Access
	Cost
}

// MatrixOp is one instruction.
type MatrixOp struct {
	Offset uint32
	// Registers lists, for each matrix, the registers of the layout whose
	// elements fill the 32-bit operand, lowest bits first.
	Registers [][]int
}

// matrixShape is a distributed layout matched against the instruction.
type matrixShape struct {
	regs registers
	rows []uint64 // offsets of the three bits of the row of a matrix
	cost Cost
}

// PlanMatrix plans the access of a tile by ldmatrix and stmatrix. The error tells why the layouts do not allow it.
//
// Without trans, lane l receives the l%4-th word of row l/4 of each matrix. So the bits inside a word must be
// registers, and the next two bits of the offset the low bits of the lane. Nothing else may reach into the 16 bytes of
// a row. The high bits of the lane choose the row. Elements of up to 32 bits do. With trans, lane l receives the
// 16-bit units l/4 of the rows 2*(l%4) and 2*(l%4)+1.
func PlanMatrix(dist Layout, sh Shared, elemBits int, trans bool) (MatrixAccess, error) {
	m, err := accessMap(dist, sh)
	if err != nil {
		return MatrixAccess{}, err
	}
	shape, err := matchMatrix(m, elemBits, trans)
	if err != nil {
		return MatrixAccess{}, err
	}
	regs := shape.regs
	offsets := regs.outerOffsets()
	n := min(2, len(regs.outer))
	a := MatrixAccess{Trans: trans, Matrices: 1 << n, Row: threadFn(m, Offset), Copies: regs.copyList(), Cost: shape.cost}
	a.Row.Lane = make([]uint32, 5)
	copy(a.Row.Lane, narrow(shape.rows))
	copy(a.Row.Lane[3:], narrow(offsets[:n]))
	a.Ops = make([]MatrixOp, 1<<(len(regs.outer)-n))
	var used uint32
	for i := range a.Ops {
		op := &a.Ops[i]
		op.Offset = uint32(apply(offsets[n:], uint64(i)))
		base := apply(regs.outer[n:], uint64(i))
		for j := range uint64(a.Matrices) {
			op.Registers = append(op.Registers, gather(base^apply(regs.outer[:n], j), regs.inner))
		}
		used |= op.Offset
	}
	a.Disjoint = used&a.Row.support() == 0
	return a, nil
}

var (
	errMatrixLanes = errors.New("the lanes do not walk the units of a row")
	errMatrixAlign = errors.New("some row of a matrix is not 16 contiguous, aligned bytes")
)

func matchMatrix(m Map, elemBits int, trans bool) (matrixShape, error) {
	elem, err := elemLog(elemBits)
	if err != nil {
		return matrixShape{}, err
	}
	unitLog := wordLog // what stays together
	if trans {
		unitLog--
	}
	if elem > unitLog {
		return matrixShape{}, fmt.Errorf("elements of %d bits do not fit the units of %d bits", elemBits, 1<<unitLog)
	}
	if m.FromBits(Lane) != 5 {
		return matrixShape{}, fmt.Errorf("layout has %d lanes, expected 32", 1<<m.FromBits(Lane))
	}
	sub, row := unitLog-elem, 7-elem // log2 of the elements of a unit and of a row
	if m.ToBits(Offset) < row {
		return matrixShape{}, fmt.Errorf("buffer of %d elements has no row of 16 bytes", 1<<m.ToBits(Offset))
	}
	lanes := m.axisCols(Lane)
	walk, rows := lanes[:2], lanes[2:]
	if trans {
		walk, rows = lanes[2:], lanes[:2]
	}
	for i, v := range walk {
		if v != 1<<(sub+i) {
			return matrixShape{}, errMatrixLanes
		}
	}
	regs, ok := splitRegisters(m.axisCols(Register), unit(sub))
	if !ok {
		return matrixShape{}, fmt.Errorf("the registers do not hold %d contiguous bits", 1<<unitLog)
	}
	if trans {
		// The second half of the word is another row.
		if len(regs.outer) == 0 {
			return matrixShape{}, errors.New("a thread has no register for the second row of a transposed matrix")
		}
		rows = append([]uint64{apply(regs.cols, regs.outer[0])}, rows...)
		regs.inner = append(regs.inner, regs.outer[0])
		regs.outer = regs.outer[1:]
	}
	inRow := uint64(1)<<row - 1
	if reaches(rows, inRow) || reaches(regs.outerOffsets(), inRow) || reaches(m.cols[m.from.shift(Warp):], inRow) {
		return matrixShape{}, errMatrixAlign
	}
	cost := Cost{Instructions: 1 << max(0, len(regs.outer)-2)}
	// Each matrix is one pass of eight lanes with 16 bytes.
	cost.Ways = conflictWays(rows, row, elem)
	cost.Wavefronts = cost.Ways << len(regs.outer)
	return matrixShape{regs, rows, cost}, nil
}
