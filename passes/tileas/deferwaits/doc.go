// Package deferwaits is the pass tileas-defer-waits: where nothing but the next product of a chain takes a sum, the sum stays under way.
//
// Whoever makes asynchronous products puts a wait behind each, which is right whatever takes the sum. A product of the same instruction may add to a sum that is under way: the tensor cores take products in
// their order. So a chain, in a block or through what a loop carries, needs one wait behind its end. What the waits in it did besides stays, as waits for buffers: the products in
// front of them have read theirs. When buffers are free is the decision of tileas-schedule-loops, which finds better places for those.
package deferwaits
