// Package tilemmak is the pass tileas-tile-mma-k. It splits MMAs along K into steps of one instruction, each of
// which loads its own part of the operands.
//
//	%a = local_load %bufA : 128x64             %a0 = local_load %bufA from [0, 0] : 128x16
//	%b = local_load %bufB : 64x128             %b0 = local_load %bufB from [0, 0] : 16x128
//	%d = dot %a, %b, %c                        %d0 = dot %a0, %b0, %c ; ... three more steps
//
// As one operation, an MMA needs all of its operands in registers before it begins. A 128x128x64 MMA of halves in
// four warps takes 128 registers of each thread for them, as many as for the accumulator. An instruction needs
// only few of these at a time. In steps of the instruction's K, the operands take 32 registers, and one step
// loads while another one multiplies. The scheduler orders the steps, or ptxas where there is no schedule.
//
// An operand that a loop does not change stays in registers, if the loop has enough; else its steps load it too
// (reload.go). Where one access has parts of several steps, these are loaded at once.
//
// An operand may be a subtile that only the run chooses (extracted.go). The tile is stored to shared memory, and
// each step loads its own part from there.
//
// # MMAs without tensor cores
//
// If the target has no instruction for the types, above all for f32, each thread multiplies and adds for itself.
// A patch of r x c elements of the accumulator takes r*c multiply-adds for each step along K. Unrolled, that is
// thousands of instructions for a usual tile. So such an MMA becomes an scf.for over K (threads.go). Each
// iteration loads a few columns of A and rows of B from shared memory, at an address that only the run knows, and
// multiplies them. A small MMA is unrolled instead.
//
// The loop is made here, and not in the conversion to threads, so that the scheduler sees it. To the scheduler
// the loop is one operation (tileas.StepLoop). It reads its buffers from beginning to end, while only one step is
// in registers. That gives it the true work, latency and registers. As a dot of entire operands, it would seem to
// need hundreds of registers, or copies would overwrite operands that are still in use. The barrier is before the
// loop (package hazards), the interpreter runs it, and a dump shows it.
//
// The result has the same bits: an MMA adds along K in the same order (convert-tileas-to-nvvm).
package tilemmak
