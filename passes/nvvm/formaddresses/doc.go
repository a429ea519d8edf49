// Package formaddresses is the pass nvvm-form-addresses. It writes an address as a base to which products of two numbers
// of 32 bits are added.
//
//	p + (extsi %row * (extsi %stride * 4)) + extui %column * 4        p + %column * 4 + (%row * 4) * %stride
//	p + (extsi %row * extsi %stride + extui %column) * 4              the same
//	p + (extsi %i * (extsi %stride * 4)) + extui %column * 4          p + (%i * %stride + %column) * 4
//
// In the last line %i times 4 may have more than 32 bits. Elements are counted there, and scaled once.
//
// # Why
//
// The machine multiplies 32 bits by 32 and adds 64 in one instruction (IMAD.WIDE). It has no multiplication of 64 bits,
// and a scaling of 64 bits and an addition are two instructions (LEA, LEA.HI.X). Three accesses to rows of matrices, as
// the conversion writes them, are 51 instructions of sm_80 in all; 25 in the first form above and 27 in the last
// (ptxas 13.5; 51, 30 and 33 for sm_90). What all accesses share is added first, since ptxas folds a parameter into the
// first addition only.
//
// # What stays
//
// A part of an offset that others need too stays one value. In a loop an offset with a part that does not change in it
// stays as it is: the part was computed before the loop.
package formaddresses
