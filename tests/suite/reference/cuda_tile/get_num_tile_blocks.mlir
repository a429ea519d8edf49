// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x, %y, %z = get_num_tile_blocks : tile<i32>
  return
}
