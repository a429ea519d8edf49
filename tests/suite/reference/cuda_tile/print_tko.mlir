// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>, %x: tile<f32>) {
  %t = print_tko "hello\0A" -> token
  %u = print_tko "n = %d, x = %5.2f\0A", %n, %x : tile<i32>, tile<f32> -> token
  return
}
