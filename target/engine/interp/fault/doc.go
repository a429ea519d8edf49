// Package fault makes the errors of a run: which operation, which element, and what kind of mistake it was.
//
// Memory does not know the operation that accesses it. It returns an error of Wrongf, and At adds the operation and
// the element. OfBlock adds the tile block, and where the user's program reached the operation.
package fault
