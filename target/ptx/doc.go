// Package ptx models a PTX module and prints it.
//
//	body.Ins(ptx.OpAdd, ptx.F32).Regs(d, a, b)   // add.f32 %f2, %f0, %f1;
//
// A [Module] holds what is at module scope: the target, source files, variables, external functions, entries and debug
// sections. An [Entry] has parameters, launch directives, a register file and a [Body]. A body is a flat list of
// statements: instructions, labels, source locations, comments, local declarations, calls, and the braces of a scope.
//
// The model is typed so that a producer cannot misspell. An opcode is an [Op] followed by [Mod] modifiers. One function
// for each form makes an operand. A register is a [Reg] that carries its class, and a symbol is a [Sym] of the module.
// [Module.Verify] checks what types cannot, such as a label that is never placed.
//
// Printing decides nothing: one function per kind of statement writes what the statement holds, into a buffer that is
// flushed to the writer. Statements, modifiers and operands live in three pointer-free tables for each body, so that
// building and printing allocate nothing per instruction.
//
// The text follows the PTX ISA manual: section "Syntax" for lexical rules, "Directives" for module and entry scope,
// "Operands" for operand forms.
package ptx
