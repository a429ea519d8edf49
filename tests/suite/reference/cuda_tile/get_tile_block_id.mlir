// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x, %y, %z = get_tile_block_id : tile<i32>
  return
}
