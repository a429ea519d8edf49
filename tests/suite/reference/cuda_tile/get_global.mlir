// RUN: tile-opt %s --verify-roundtrip

global @table <i32: [2, 3, 5, 7]> : tile<4xi32>

entry @example() {
  %p = get_global @table : tile<ptr<i32>>
  %x, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  return
}
