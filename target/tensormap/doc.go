// Package tensormap describes the tensor maps that a kernel wants from its launcher: hidden parameters of 128 bytes behind those of the program, each made from these for the launch.
//
// A map describes a strided object in global memory to bulk tensor copies (PTX ISA, "Tensors"). Its bytes are opaque, and only the driver of a device can encode them (cuTensorMapEncodeTiled), or the
// emulator its own; so a compiler says what they are made of, as expressions over the arguments of the launch, and a launcher evaluates these and encodes.
package tensormap
