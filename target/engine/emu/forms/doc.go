// Package forms lists the instructions of the PTX ISA with their main qualifiers, by chapter: those that the emulator
// executes, and those that it rejects with an error.
//
// It is data and imports nothing. The list is written from the ISA, not made from the decoders, so that it shows what
// they miss. A test of package emu shows every form to the emulator and to ptxas.
package forms
