// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%n: i32) {
  %t = nv_tileaa.print "hello\0A" -> !nv_tileaa.mem_token
  %u = nv_tileaa.print "n = %d\0A", %n : i32 token %t : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  nv_tileaa.return
}
