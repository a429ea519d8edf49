// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>, %p: tile<ptr<f32>>) {
  %a = assume div_by<16>, %n : tile<i32>
  %b = assume bounded<0, 4096>, %a : tile<i32>
  // Of each two elements the first is even and the second one more.
  %x = constant <i32: [0, 1, 4, 5]> : tile<4xi32>
  %c = assume div_by<2, every 2 along 0>, %x : tile<4xi32>
  %q = assume div_by<16>, %p : tile<ptr<f32>>
  return
}
