// Package reducedivisions is the pass nvvm-reduce-divisions: no GPU divides integers by an instruction, and what ptxas makes of a division depends on its type alone. The pass uses what is known of the operands.
//
// # What ptxas makes (13.5, sm_80; instructions)
//
//	u32  18, of which 10 stay in a loop whose divisor does not change     s32  23, of which 13 stay
//	u64  a call, 65                                                       s64  a call, 75
//	u16  a call, 20                                                       rem  one or two less; not shared with the division
//
// # What the pass makes of it
//
//   - Numbers that are not negative are divided as unsigned ones, and those of 64 bits that fit in 32 bits there; so are 16 bits and less. A ceiling is a division of the sum where that does not overflow, a floor
//     by a positive number one of complements. Other ceilings and floors are a division towards zero and a correction.
//   - A remainder beside the division of the same numbers is what the quotient leaves.
//   - By constants, what is known of the dividend spares the longer sequence where the multiplier has a bit too many (package scalar; nvvm-legalize-arith does the other constants).
//   - By a number that does not change in an innermost loop, or that many elements of a tile are divided by, the multiplier and the shifts are computed once, in front, where the iterations that are expected pay for it: 3 to 6 instructions
//     stay, exact for all numbers (Granlund and Montgomery, Division by invariant integers using multiplication, PLDI 1994). Loops are expected to run 16 times where nothing is known.
//   - A division of 64 bits first tests whether both numbers fit in 32 bits, as they nearly always do. At most eight in a function: the code of both sides is there.
//
// # Rejected
//
// The quotient and the remainder of a counter could be carried by the loop and stepped: 2 additions, a comparison and 2 corrections in each iteration, where the product above takes 4 with the remainder. A multiplier of 64 bits,
// computed once, would spare the test above; it takes a division of 128 bits to make it, for numbers that do not occur.
package reducedivisions
