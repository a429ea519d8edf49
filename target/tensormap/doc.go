// Package tensormap describes the tensor maps that a kernel wants from its launcher: hidden parameters of 128 bytes,
// which follow those of the program.
//
//	base = argument 0, sizes = [argument 3, 64], strides = [argument 4], box = [128, 64], swizzle = 128B
//
// A map describes a strided object in global memory to TMA copies (PTX ISA, "Tensors"). Its bytes are opaque: only the
// driver of a device can encode them (cuTensorMapEncodeTiled), or the emulator its own. So the compiler says what they
// are made of, as expressions over the arguments of the launch. A launcher evaluates these and encodes.
package tensormap
