#include "textflag.h"

// spread is a C function: uintptr spread(uintptr function, uintptr *arguments, uintptr count), with six arguments or
// more. It calls the function with all of them (System V ABI: six in registers, the others on the stack, the last one
// first).
TEXT spread(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BP
	MOVQ  SP, BP
	MOVQ  DI, R11
	MOVQ  SI, R10
	MOVQ  DX, AX
	SUBQ  $5, DX
	ANDQ  $~1, DX
	SHLQ  $3, DX
	SUBQ  DX, SP // the others, and a word more if their number is odd: the stack is aligned to 16 bytes at a call

more:
	CMPQ AX, $6
	JLE  call
	MOVQ -8(R10)(AX*8), CX
	MOVQ CX, -56(SP)(AX*8)
	DECQ AX
	JMP  more

call:
	MOVQ 0(R10), DI
	MOVQ 8(R10), SI
	MOVQ 16(R10), DX
	MOVQ 24(R10), CX
	MOVQ 32(R10), R8
	MOVQ 40(R10), R9
	XORL AX, AX
	CALL R11
	MOVQ BP, SP
	POPQ BP
	RET

GLOBL ·spreadAddress(SB), NOPTR, $8
DATA ·spreadAddress(SB)/8, $spread(SB)
