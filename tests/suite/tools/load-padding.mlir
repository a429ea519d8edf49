// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s | tile-opt --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-translate --mlir-to-cudatilebc %s | tile-translate --disassemble | FileCheck %s --check-prefix=LISTING

// A load whose only extra operand is a padding value is spelled as one whose only extra operand is a mask. The types
// tell them apart, unless the elements are i1: then the padding value is printed in the generic syntax, and the listing
// of the reference disassembler is ambiguous.

entry @loads(%p: tile<ptr<f16>>, %b: tile<ptr<i1>>) {
  %mask = constant <i1: true> : tile<i1>
  %zero = constant <f16: 0.0> : tile<f16>

  // CHECK: load_ptr_tko weak %p, %mask : tile<ptr<f16>>, tile<i1> -> tile<f16>, token
  // GENERIC: load_ptr_tko"(%p, %mask) <{{.*}} array<i32: 1, 1, 0, 0>
  // LISTING: load_ptr_tko weak %arg0, %true : tile<ptr<f16>>, tile<i1> ->
  %0, %t0 = load_ptr_tko weak %p, %mask : tile<ptr<f16>>, tile<i1> -> tile<f16>, token

  // CHECK: load_ptr_tko weak %p, %zero : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
  // GENERIC: load_ptr_tko"(%p, %zero) <{{.*}} array<i32: 1, 0, 1, 0>
  // LISTING: load_ptr_tko weak %arg0, {{%.*}} : tile<ptr<f16>>, tile<f16> ->
  %1, %t1 = load_ptr_tko weak %p, %zero : tile<ptr<f16>>, tile<f16> -> tile<f16>, token

  // CHECK: load_ptr_tko weak %p, %zero token=%t1 : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
  // GENERIC: load_ptr_tko"(%p, %zero, %t1) <{{.*}} array<i32: 1, 0, 1, 1>
  // LISTING: load_ptr_tko weak %arg0, {{%.*}} token=
  %2, %t2 = load_ptr_tko weak %p, %zero token=%t1 : tile<ptr<f16>>, tile<f16> -> tile<f16>, token

  // CHECK: load_ptr_tko weak %p, %mask, %zero :
  // GENERIC: load_ptr_tko"(%p, %mask, %zero) <{{.*}} array<i32: 1, 1, 1, 0>
  // LISTING: load_ptr_tko weak %arg0, %true, {{%.*}} : tile<ptr<f16>>, tile<i1>, tile<f16> ->
  %3, %t3 = load_ptr_tko weak %p, %mask, %zero : tile<ptr<f16>>, tile<i1>, tile<f16> -> tile<f16>, token

  // CHECK: load_ptr_tko weak %b, %mask : tile<ptr<i1>>, tile<i1> -> tile<i1>, token
  // GENERIC: load_ptr_tko"(%b, %mask) <{{.*}} array<i32: 1, 1, 0, 0>
  // LISTING: load_ptr_tko weak %arg1, %true : tile<ptr<i1>>, tile<i1> ->
  %4, %t4 = load_ptr_tko weak %b, %mask : tile<ptr<i1>>, tile<i1> -> tile<i1>, token

  // CHECK: "cuda_tile.load_ptr_tko"(%b, %mask) <{{.*}} array<i32: 1, 0, 1, 0>
  // GENERIC: load_ptr_tko"(%b, %mask) <{{.*}} array<i32: 1, 0, 1, 0>
  // LISTING: load_ptr_tko weak %arg1, %true : tile<ptr<i1>>, tile<i1> ->
  %5, %t5 = "cuda_tile.load_ptr_tko"(%b, %mask) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 1, 0>}>
    : (!cuda_tile.tile<ptr<i1>>, !cuda_tile.tile<i1>) -> (!cuda_tile.tile<i1>, !cuda_tile.token)
}
