// Package eliminateloads is the pass tileaa-eliminate-loads: a load of what the tile block has loaded or stored before, at the same place, becomes that value.
//
// # Model
//
// The pass walks the structured control flow forwards with the values that are known to be in memory: what weak loads found and weak stores left, at places that are the
// same (alias.SameLocation). A write that may touch a place makes it unknown; a loop may have made every write in it when an iteration begins; behind an if, both branches may
// have made theirs. What is known before an if or loop is known inside, but not the other way round, since control may have gone elsewhere.
//
// Text order is enough for the writes of the tile block itself: accesses that conflict are ordered by tokens, or the program has no meaning, and tokens follow the text. A stored
// value is taken only by a load whose token comes after the store. Other tile blocks may change memory that the tile block may see only through accesses that are
// stronger than weak, or through what orders kernels; these make everything unknown but memory that no one else can see. Only weak accesses are taken away.
//
// Elements that the store left out, where a mask or a bound stood, are not in the stored value. A load that fills them in with something gets a select, or, when the
// bounds are not values, stays. A load that leaves them open may as well get what was not stored.
package eliminateloads
