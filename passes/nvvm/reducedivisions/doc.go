// Package reducedivisions is the pass nvvm-reduce-divisions. It replaces integer divisions by cheaper ones, by
// what is known of their operands. No GPU has an instruction for integer division, and what ptxas generates
// depends on the type alone.
//
//	%q = divsi %x, %n : i32, in a loop        before the loop: %m, %s = multiplier and shift of %n
//	                                          in the loop:     %q = shrui (mulhui %x2, %m), %s
//
// # What ptxas generates (13.5, sm_80; instructions)
//
//	u32  18, of which 10 stay in a loop with an invariant divisor    s32  23, of which 13 stay
//	u64  a call, 65                                                  s64  a call, 75
//	u16  a call, 20                                                  rem  one or two less; no sharing
//
// # What the pass generates
//
//   - Numbers that are not negative are divided as unsigned ones. 64-bit numbers that fit in 32 bits are divided
//     in 32 bits, and so are 16 bits and less. A ceiling is a division of the sum x + y - 1, if that does not
//     overflow. A floor by a positive number is a division of complements. Other ceilings and floors are a
//     division towards zero and a correction.
//   - A remainder next to a division of the same numbers is computed from the quotient. Ceilings and floors of the
//     same numbers share that quotient and remainder too.
//   - For a constant divisor, the multiplier may have one bit too many. A known range of the dividend then avoids
//     the longer sequence (package scalar; nvvm-legalize-arith does the other constants).
//   - A divisor may be invariant in an innermost loop, or divide many elements of a tile. Then the multiplier and
//     the shifts are computed once, before the loop, if the expected iterations make that profitable. 3 to 6
//     instructions stay, exact for all numbers (Granlund and Montgomery, Division by invariant integers using
//     multiplication, PLDI 1994). Loops of unknown trip count are expected to run 16 times.
//   - A division of 64 bits first tests whether both numbers fit in 32 bits, as they nearly always do. There are at
//     most eight of these in a function, since each has the code of both sides. Those of a thread's elements share
//     one test. Short, each then executes 20 instructions where ptxas alone has 90; long, 2 more than those.
//
// # Rejected alternatives
//
// The loop could carry the quotient and the remainder of a counter, and step them. That takes 2 additions, a
// comparison and 2 corrections in each iteration; the multiplication above takes 4 instructions with the
// remainder. A multiplier of 64 bits, computed once, would avoid the test above. Computing it takes a division of
// 128 bits, for numbers that do not occur.
package reducedivisions
