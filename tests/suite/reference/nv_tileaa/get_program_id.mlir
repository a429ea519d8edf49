// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
  nv_tileaa.return
}
