// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%n: i32) {
  %t = nv_tileas.print "hello\0A" -> !nv_tileas.mem_token
  %u = nv_tileas.print "n = %d\0A", %n : i32 token %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  nv_tileas.return
}
