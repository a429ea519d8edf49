// Package packbytes is the pass nvvm-pack-bytes. It computes four bytes of a thread in one register of 32 bits.
//
//	%a:4 = nvvm.ld %p -> i8, i8, i8, i8             %v:4 = nvvm.ld %p -> i8, i8, i8, i8
//	%x = arith.xori %a#0, %b#0 : i8                 %a = nvvm.pack %v#0, %v#1, %v#2, %v#3
//	...                                             %x = arith.xori %a, %b : i32
//	nvvm.st %q, %x, %y, %z, %w                      nvvm.st %q, %x : i32
//
// Loads and stores move bytes in words, and a GPU computes with words. To take four bytes apart is three instructions,
// to join them two, and each byte takes an operation of its own.
//
// # How
//
// A group is four bytes that may stay in a word, the first lowest: bytes of a loaded word, also of one that a loop
// carries, parts of an unpack, constants, one byte four times, or results of four operations of one kind on groups.
// Groups are looked for from stores and packs backwards. Operations stay a group if all users of their results are
// groups, stores or packs too, so that nothing is computed twice. So are conversions of four bytes to f16 or bf16,
// which take the word (convert.go). The result is the greatest solution of these conditions, as in
// nvvm-pack-block-args.
//
// # Words
//
// Sums and differences keep the upper bit of each byte out of the addition, so that no carry leaves a byte
// (Warren, Hacker's Delight, 2-18). Shifts mask what comes from a neighbour. The larger of two bytes is that of words
// that have the bytes at the upper end, for what is below decides between equal bytes only: two bytes in each word of
// two i16 where the target has maxima of these, else one in each word of 32 bits.
package packbytes
