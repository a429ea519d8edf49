// Threads store a tile, load what others stored, and store again, with barriers between.

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %a = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %x, %a : !rows, !tile
  nv_tileas.barrier
  %v = nv_tileas.local_load %a : !tile -> !columns
  nv_tileas.barrier
  nv_tileas.local_store %x, %a : !rows, !tile
  nv_tileas.return
}
