// Package forms lists the instructions of the PTX ISA with their main qualifiers, under the titles of its chapters:
// those that the emulator executes and those that it refuses, with the error.
//
// It is data and imports nothing, not even the emulator: the list is written from the ISA, and a test of package emu
// shows every form to the emulator and to ptxas. A list that were made from the decoders could not miss what they
// miss.
package forms
