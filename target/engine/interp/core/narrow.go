package core

import "github.com/tilewright/tilewright/ir"

// Narrow reports whether a result may be narrow at run time: it has fewer elements than its tile, each of which stands
// for as many equal neighbours. Of
//
//	%m = broadcast %row : tile<128x1xf32> -> tile<128x128xf32>
//	%d = subf %x, %m : tile<128x128xf32>
//
// the first result has 128 elements then, and nothing makes 16,384 of them. All users must take that, and so must the
// users of what has narrow operands only.
//
// Nothing unspecified is narrow, nor is anything while someone follows the operations (Machine.Watched).
func (d *Decoder) Narrow(result ir.Value) bool {
	if known, ok := d.narrow[result]; ok {
		return known
	}
	narrow := true
	for use := range result.Uses() {
		user := use.Owner()
		if narrow = RowOf(user.Def()).TakesNarrow && (!d.mayNarrow(user.Result(0)) || d.Narrow(user.Result(0))); !narrow {
			break
		}
	}
	d.narrow[result] = narrow
	return narrow
}

// InMemory reports whether the tile that an operation loads may stay where it is: all users take that, and nothing in
// between may write memory. Of
//
//	%a = load_view %m[%i, %k] : tile<128x64xf32>
//	%c = mmaf %a, %b, %sum
//
// the load copies nothing then, and the MMA reads rows of the matrix. As nothing narrow, no element is unspecified, and
// nobody follows the operations.
func (d *Decoder) InMemory(load ir.Op) bool {
	tile, uses := load.Result(0), 0
	for use := range tile.Uses() {
		user := use.Owner()
		if takes := RowOf(user.Def()).TakesRows; takes == nil || !takes(user, use.Index()) || user.Block() != load.Block() {
			return false
		}
		uses++
	}
	if uses == 0 {
		return false
	}
	for op := load.Next(); ; op = op.Next() {
		if op.NumRegions() > 0 || ir.MayWrite(op) {
			return false
		}
		for _, v := range op.Operands() {
			if v == tile {
				uses--
			}
		}
		if uses == 0 {
			return true
		}
	}
}

// mayNarrow reports whether a value is narrow if its users take that.
func (d *Decoder) mayNarrow(v ir.Value) bool {
	if known, ok := d.made[v]; ok {
		return known
	}
	may := false
	if op := v.DefiningOp(); !op.IsNil() {
		row := RowOf(op.Def())
		may = row.MakesNarrow || row.TakesNarrow
		for i := 0; may && !row.MakesNarrow && i < op.NumOperands(); i++ {
			may = d.mayNarrow(op.Operand(i))
		}
	}
	d.made[v] = may
	return may
}
