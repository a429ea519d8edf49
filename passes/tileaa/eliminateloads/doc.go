// Package eliminateloads is the pass tileaa-eliminate-loads. It replaces a load by the value that the CTA has
// loaded from or stored to the same location before.
//
//	%t1 = store %x, %p                    %t1 = store %x, %p
//	%v, %t2 = load %p token %t1           (uses of %v use %x)
//
// # Model
//
// The pass walks the structured control flow forwards with the values that are known to be in memory: those of
// weak loads and weak stores, at equal locations (alias.SameLocation). A write that may touch a location makes it
// unknown. At the start of an iteration, every write in the loop may have happened; after an if, those of both
// branches. What is known before an if or loop is known inside, but not the reverse, since control may have taken
// another path.
//
// Text order is enough for the writes of the CTA itself. Accesses that conflict are ordered by tokens, or the
// program has no meaning, and tokens follow the text. A stored value is used only by a load whose token comes
// after the store. The CTA sees the writes of others only through accesses that are stronger than weak, or
// through what orders kernels. These make everything unknown except memory that no one else can see. Only weak
// accesses are removed.
//
// The stored value lacks the elements that a mask or a bound excluded from the store. If the load fills these
// with a value, it becomes a select, or stays if the bounds are not values. If the load leaves them undefined,
// any value is right.
package eliminateloads
