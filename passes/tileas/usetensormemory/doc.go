// Package usetensormemory is the pass tileas-use-tensor-memory: asynchronous products of instructions whose sums are in tensor memory get them there.
//
// Up to here such products are as those whose sums are in registers: a dot_async whose result is a tensor, and dot_waits, which schedules have placed. A sum that only products and waits take, also through what loops
// carry, becomes a buffer in tensor memory; what else takes it takes what is loaded behind the wait, and what it begins with is stored in front. So the safe form of one product stores, multiplies, waits and loads, and a
// sum over a loop stays where it is.
//
// What threads take of a sum that a loop carries, as attention which scales it in each iteration, they load in front of the product that goes on with it, and what they make of it is stored back to the same place: registers have it
// in between alone. A factor A that threads have is stored to tensor memory in front of its product (factors.go).
//
// The queue of products becomes a ring of mbarriers. Products are counted as the kernel runs, a number that loops and ifs carry: product n tells mbarrier n mod slots, whose phase n / slots it ends. A wait that leaves the
// latest k under way is one for the phase of the product k+1 before the next. No more products are under way than there are slots (flight.go).
package usetensormemory
