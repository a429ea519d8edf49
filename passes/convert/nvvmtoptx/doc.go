// Package nvvmtoptx is the pass emit-ptx, the end of the lowering: it writes each nvvm.func of a module as an entry
// of a PTX module. The text is the artifact "ptx"; what a launcher must know is the artifact "launch".
//
// # Registers
//
// Every SSA value has one virtual register of the class of its type. An i1 is a predicate; 8 and 16 bits are .b16
// (8 bits zero-extended). Integers and addresses are .b32 or .b64, f32 and f64 .f32 and .f64. A constant has
// none: it is an immediate where PTX takes one, and is moved into a register where it does not. A block argument
// has a register that the branches to the block write. The moves of one branch are parallel, so they are put in
// order, and cycles are broken through a spare register.
//
// For example
//
//	%s = arith.addf %a, %b : f32                add.rn.f32      %f3, %f1, %f2;
//	%v:2 = nvvm.ld %p {offset = 8} : f32, f32   ld.global.v2.f32 {%f4, %f5}, [%rd1+8];
//	cf.cond_br %c, ^bb1(%s : f32), ^bb2         @!%p1 bra $bb2; mov.f32 %f6, %f3;  and on into bb1, which comes next
//
// Registers are not allocated: ptxas does that, from code in which each value has its own. A mov between two virtual
// registers is free where their lives do not overlap.
// # Operations
//
// The instruction of an operation is data. The table in rules.go maps each row of arith, cf and nvvm to a
// function, most of them made from an opcode and a choice of its type. An operation without an entry, or with a
// type that its entry does not take, is an error; nvvm-expand-math and nvvm-legalize-arith have rewritten what
// has no instruction.
//
// Additions and multiplications carry an explicit rounding, since ptxas contracts others into fused ones.
//
// Features of instructions are noted while these are written; `.version` and the suffix of `.target` are the least
// that have them (package target/sm).
//
// The instructions follow the PTX ISA manual.
package nvvmtoptx
