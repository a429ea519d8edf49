// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

// What a front end says of an argument is kept.
// CHECK: entry @annotated(%n: tile<i32> {frontend.name = "n"
entry @annotated(%n: tile<i32> {frontend.name = "n", frontend.type = !cuda_tile.tile<i32>}, %m: tile<i32>) {
  return
}
