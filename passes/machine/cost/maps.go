package cost

import "github.com/tilewright/tilewright/target/sm"

// Maps that CTAs make cost each of them time before its first copy. The iterations of the loop must win it back.
//
// A CTA makes three round trips to global memory, one after the other (tileastonvvm/async/devicemap.go). It takes a
// slot, writes its maps, and lets the threads that start copies see them. An iteration gains the issue slots of the
// copies by threads (package cost), and what hands them to the MMA: a fence between the proxies and a barrier of the
// CTA, for both operands together. On sm_90 a map costs 3 x 493 cycles. An iteration gains 27 + 16 for 128 x 64 elements
// of f16 copied by 128 threads, and 12 + 16 for half as many: 35 and 53 iterations.
//
// No other CTA hides that, although it is latency: on an H100 each map takes 5.3 ns of a launch for each CTA, in
// proportion to the grid, since invalidations of caches are serialized. That is 1,200 cycles of each of 132 SMs. An
// earlier form, of five round trips and more, took some 9,000 cycles on an H200 (docs/measurements/h200.md).
const mapTrips = 3

// WaitForMap returns how many cycles pass until a copy can use a map that the CTA makes.
func WaitForMap(arch *sm.Arch) int { return mapTrips * arch.Memory().Global }
