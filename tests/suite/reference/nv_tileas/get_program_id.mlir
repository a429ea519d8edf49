// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() {
  %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
  nv_tileas.return
}
