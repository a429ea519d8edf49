// Package names finds what the author of a kernel calls its values.
//
//	acc = ct.mma(p, v, acc * r)     column 10 is where the expression begins, and the last operation there computes acc
//
// The debug information of Tile IR has positions and no variables. A position that cuTile gives to an operation is that
// of the expression that it computes. So an assignment of the source at that position names the result. Arguments of a
// loop have the names of what goes into them. Sources are read as text, by the few rules of Python that this needs. A
// variable whose value the front end has folded into another operation has no name here.
package names
