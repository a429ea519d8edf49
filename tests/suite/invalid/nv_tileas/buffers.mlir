// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// expected-error@+1 {{a buffer needs at least one stage, but got 0}}
%r = "t.v"() : () -> !nv_tileas.buffer<0 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

// expected-error@+1 {{a buffer has at most 268435456 bytes}}
%r = "t.v"() : () -> !nv_tileas.buffer<134217728 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

// expected-error@+1 {{expected a memory space, 'shared' or 'tmem'}}
%r = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">, space = global>

// -----

// expected-error@+1 {{mbarriers lie in shared memory}}
%r = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">, space = tmem>

// -----

// expected-error@+1 {{'nv_tileas.alloc_shared' op result #0 must be shared-memory buffer, but got}}
%r = nv_tileas.alloc_shared : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">, space = tmem>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">, space = tmem>
// expected-error@+1 {{'nv_tileas.dealloc_shared' op operand #0 must be shared-memory buffer, but got}}
nv_tileas.dealloc_shared %b : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">, space = tmem>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
%c2 = arith.constant 2 : i32
// expected-error@+1 {{'nv_tileas.buffer_stage' op index must be from 0 to 1, but got 2}}
%r = nv_tileas.buffer_stage %b[%c2] : !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, i32

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
%i = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.buffer_stage' op result must be one stage, '!nv_tileas.buffer<4xf32,}}
%r = "nv_tileas.buffer_stage"(%b, %i) : (!nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, i32) -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

// A column of a row-major tile is not a piece of memory of its own.
%b = "t.v"() : () -> !nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}">>
// expected-error@+1 {{'nv_tileas.buffer_slice' op cannot be done: [4 2] of [4 4] is not a piece of the buffer's memory without gaps}}
%r = nv_tileas.buffer_slice %b [0, 2] : !nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}">> -> !nv_tileas.buffer<4x2xf32, #nv_tileas.shared<"{shape = [4, 2], offset = [[0, 1], [1, 0], [2, 0]]}">>

// -----

// The second row is swizzled by its number, so it does not look as the first one does.
%b = "t.v"() : () -> !nv_tileas.buffer<2x4xf32, #nv_tileas.shared<"{shape = [2, 4], offset = [[0, 1], [0, 2], [1, 2]]}">>
// expected-error@+1 {{'nv_tileas.buffer_slice' op cannot be done: the swizzle of [1 4] at [1 0] is not that of its first part}}
%r = nv_tileas.buffer_slice %b [1, 0] : !nv_tileas.buffer<2x4xf32, #nv_tileas.shared<"{shape = [2, 4], offset = [[0, 1], [0, 2], [1, 2]]}">> -> !nv_tileas.buffer<1x4xf32, #nv_tileas.shared<"{shape = [1, 4], offset = [[0, 1], [0, 2]]}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}">>
// expected-error@+1 {{'nv_tileas.buffer_slice' op cannot be done: [2 4] at [1 0] is none of the parts that [4 4] is cut into}}
%r = nv_tileas.buffer_slice %b [1, 0] : !nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}">> -> !nv_tileas.buffer<2x4xf32, #nv_tileas.shared<"{shape = [2, 4], offset = [[0, 1], [0, 2], [1, 0]]}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}">>
// expected-error@+1 {{'nv_tileas.buffer_permute' op result must be '!nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[1, 0], [2, 0], [0, 1], [0, 2]]}">>', but got}}
%r = nv_tileas.buffer_permute %b [1, 0] : !nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}">> -> !nv_tileas.buffer<4x4xf32, #nv_tileas.shared<"{shape = [4, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.buffer_reinterpret' op must keep the number of bytes, but changes it from 16 to 8}}
%r = nv_tileas.buffer_reinterpret %b : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">> -> !nv_tileas.buffer<4xf16, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.local_load' op accesses one stage in shared memory, but the buffer is '!nv_tileas.buffer<2 x [4xf32],}}
%r = nv_tileas.local_load %b : !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">> -> tensor<4xf32>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
%i = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.buffer_stage' op distance must be from 0 to 1, but got 2}}
%r = nv_tileas.buffer_stage %b[%i + 2] : !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, i32

// -----

// expected-error@+1 {{expected a number from 1 to 1048576, but got 0}}
"t.loop"() {nv_tileas.schedule = #nv_tileas.schedule<ii = 0, unit = 1, at = []>} : () -> ()

// -----

// expected-error@+1 {{expected a number from 0 to 16777216, but got -1}}
"t.loop"() {nv_tileas.schedule = #nv_tileas.schedule<ii = 1, unit = 1, at = [-1]>} : () -> ()

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.local_load' op along dimension 0 an extent of 4 is cut into no parts of 2 of which one begins at 1}}
%r = nv_tileas.local_load %b from [1] : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">> -> tensor<2xf32>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.local_load' op a subtile of a tile of rank 1 needs as many coordinates and extents, but got 2 and 1}}
%r = nv_tileas.local_load %b from [0, 0] : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">> -> tensor<2xf32>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
%i = arith.constant 2 : i32
// expected-error@+1 {{'nv_tileas.local_load' op dimension must be from 0 to 0, but got 1}}
%r = nv_tileas.local_load %b from [0] + %i along 1 : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">> -> tensor<2xf32>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
%i = arith.constant 2 : i32
// expected-error@+1 {{'nv_tileas.local_load' op needs coordinates, a number and a dimension for a part that begins where only the run tells}}
%r = nv_tileas.local_load %b + %i along 0 : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">> -> tensor<4xf32>
