// Package instr holds what follows from the matrix instruction of a dot, which its attribute #nv_tileas.mma names. That
// is a row of the target's table, layouts of operands in registers, and descriptors of operands in shared memory.
//
//	%d = dot %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n256k16, warps = [4, 1]>}
//	a: shared memory by a descriptor, or 16 x 16 fragments in each warp; b: shared memory; c: 16 rows in each warp
//
// Passes that choose instructions, give layouts to operands and lower MMAs share it. Which instruction a dot may have
// is the question of passes/machine/mma, which knows no level.
package instr
