#layout = #nv_tileas.layout<"{shape = [4, 256], register = [[0, 1], [0, 2], [2, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [1, 0]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[0, 1, 0], [1, 0, 0], [256, 0, 0]], lane = [[2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[1, 0, 0], [256, 0, 0], [0, 1, 0]], lane = [[2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[1, 0, 0], [256, 0, 0]], lane = [[2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout4 = #nv_tileas.layout<"{shape = [512], register = [[1], [256]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]], block = []}">
#layout5 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[0, 1, 0], [128, 0, 0], [0, 0, 1]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout6 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [0, 0, 1], [0, 1, 0]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout7 = #nv_tileas.layout<"{shape = [256, 1, 2], register = [[128, 0, 0], [0, 0, 1]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout8 = #nv_tileas.layout<"{shape = [256], register = [[128]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#layout9 = #nv_tileas.layout<"{shape = [256, 1, 1], register = [[128, 0, 0]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout10 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [0, 1, 0], [1, 0, 0]], lane = [[2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout11 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [1, 0, 0], [0, 1, 0]], lane = [[2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout12 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[256, 0, 0], [1, 0, 0]], lane = [[2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout13 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [0, 0, 2], [0, 0, 1]], lane = [[0, 1, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout14 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [0, 0, 2], [0, 1, 0]], lane = [[0, 0, 1], [1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout15 = #nv_tileas.layout<"{shape = [128, 1, 4], register = [[64, 0, 0], [0, 0, 2]], lane = [[0, 0, 1], [1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout16 = #nv_tileas.layout<"{shape = [128], register = [[64]], lane = [[0], [1], [2], [4], [8]], warp = [[16], [32]], block = []}">
#layout17 = #nv_tileas.layout<"{shape = [128, 1, 1], register = [[64, 0, 0]], lane = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout18 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [0, 1, 0], [1, 0, 0]], lane = [[0, 0, 1], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout19 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [1, 0, 0], [0, 1, 0]], lane = [[0, 0, 1], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout20 = #nv_tileas.layout<"{shape = [256, 1, 2], register = [[128, 0, 0], [1, 0, 0]], lane = [[0, 0, 1], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout21 = #nv_tileas.layout<"{shape = [256, 1, 1], register = [[128, 0, 0], [1, 0, 0]], lane = [[0, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout22 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [2, 0, 0], [1, 0, 0]], lane = [[0, 1, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout23 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [2, 0, 0], [0, 1, 0]], lane = [[1, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout24 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[256, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout25 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [0, 0, 4], [0, 0, 1]], lane = [[0, 0, 2], [0, 1, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout26 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [0, 0, 4], [0, 1, 0]], lane = [[0, 0, 2], [0, 0, 1], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout27 = #nv_tileas.layout<"{shape = [64, 1, 8], register = [[32, 0, 0], [0, 0, 4]], lane = [[0, 0, 2], [0, 0, 1], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout28 = #nv_tileas.layout<"{shape = [64], register = [[32]], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]], block = []}">
#layout29 = #nv_tileas.layout<"{shape = [64, 1, 1], register = [[32, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout30 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [0, 1, 0], [1, 0, 0]], lane = [[0, 0, 2], [0, 0, 1], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout31 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [1, 0, 0], [0, 1, 0]], lane = [[0, 0, 2], [0, 0, 1], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout32 = #nv_tileas.layout<"{shape = [128, 1, 4], register = [[64, 0, 0], [1, 0, 0]], lane = [[0, 0, 2], [0, 0, 1], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout33 = #nv_tileas.layout<"{shape = [128, 1, 1], register = [[64, 0, 0], [1, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout34 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [2, 0, 0], [1, 0, 0]], lane = [[0, 1, 0], [0, 0, 1], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout35 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [2, 0, 0], [0, 1, 0]], lane = [[1, 0, 0], [0, 0, 1], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout36 = #nv_tileas.layout<"{shape = [256, 1, 2], register = [[128, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 1], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout37 = #nv_tileas.layout<"{shape = [256, 1, 1], register = [[128, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout38 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [4, 0, 0], [1, 0, 0]], lane = [[2, 0, 0], [0, 1, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout39 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [4, 0, 0], [0, 1, 0]], lane = [[2, 0, 0], [1, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout40 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[256, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [8, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout41 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [0, 0, 8], [0, 0, 1]], lane = [[0, 0, 4], [0, 0, 2], [0, 1, 0], [1, 0, 0], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout42 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [0, 0, 8], [0, 1, 0]], lane = [[0, 0, 4], [0, 0, 2], [0, 0, 1], [1, 0, 0], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout43 = #nv_tileas.layout<"{shape = [32, 1, 16], register = [[16, 0, 0], [0, 0, 8]], lane = [[0, 0, 4], [0, 0, 2], [0, 0, 1], [1, 0, 0], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout44 = #nv_tileas.layout<"{shape = [32], register = [[16], [4]], lane = [[2], [1], [0], [0], [0]], warp = [[0], [8]], block = []}">
#layout45 = #nv_tileas.layout<"{shape = [32], register = [[16]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]], block = []}">
#layout46 = #nv_tileas.layout<"{shape = [32, 1, 1], register = [[16, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout47 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [0, 1, 0], [1, 0, 0]], lane = [[0, 0, 4], [0, 0, 2], [0, 0, 1], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout48 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [1, 0, 0], [0, 1, 0]], lane = [[0, 0, 4], [0, 0, 2], [0, 0, 1], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout49 = #nv_tileas.layout<"{shape = [64, 1, 8], register = [[32, 0, 0], [1, 0, 0]], lane = [[0, 0, 4], [0, 0, 2], [0, 0, 1], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout50 = #nv_tileas.layout<"{shape = [64, 1, 1], register = [[32, 0, 0], [1, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout51 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [2, 0, 0], [1, 0, 0]], lane = [[0, 1, 0], [0, 0, 2], [0, 0, 1], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout52 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [2, 0, 0], [0, 1, 0]], lane = [[1, 0, 0], [0, 0, 2], [0, 0, 1], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout53 = #nv_tileas.layout<"{shape = [128, 1, 4], register = [[64, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 2], [0, 0, 1], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout54 = #nv_tileas.layout<"{shape = [128, 1, 1], register = [[64, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout55 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [4, 0, 0], [1, 0, 0]], lane = [[2, 0, 0], [0, 1, 0], [0, 0, 1], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout56 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [4, 0, 0], [0, 1, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 1], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout57 = #nv_tileas.layout<"{shape = [256, 1, 2], register = [[128, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 1], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout58 = #nv_tileas.layout<"{shape = [256, 1, 1], register = [[128, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout59 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [8, 0, 0], [1, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [0, 1, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout60 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [8, 0, 0], [0, 1, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout61 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[256, 0, 0], [8, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [16, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout62 = #nv_tileas.layout<"{shape = [16, 2, 32], register = [[8, 0, 0], [0, 0, 16], [0, 0, 1]], lane = [[0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 1, 0], [1, 0, 0]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout63 = #nv_tileas.layout<"{shape = [16, 2, 32], register = [[8, 0, 0], [0, 0, 16], [0, 1, 0]], lane = [[0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1], [1, 0, 0]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout64 = #nv_tileas.layout<"{shape = [16, 1, 32], register = [[8, 0, 0], [0, 0, 16]], lane = [[0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1], [1, 0, 0]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout65 = #nv_tileas.layout<"{shape = [16], register = [[8], [2]], lane = [[1], [0], [0], [0], [0]], warp = [[0], [4]], block = []}">
#layout66 = #nv_tileas.layout<"{shape = [16], register = [[8]], lane = [[0], [0], [0], [0], [1]], warp = [[2], [4]], block = []}">
#layout67 = #nv_tileas.layout<"{shape = [16, 1, 1], register = [[8, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout68 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [0, 1, 0], [1, 0, 0]], lane = [[0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout69 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [1, 0, 0], [0, 1, 0]], lane = [[0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout70 = #nv_tileas.layout<"{shape = [32, 1, 16], register = [[16, 0, 0], [1, 0, 0]], lane = [[0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout71 = #nv_tileas.layout<"{shape = [32, 1, 1], register = [[16, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[0, 0, 0], [8, 0, 0]], block = []}">
#layout72 = #nv_tileas.layout<"{shape = [32, 1, 1], register = [[16, 0, 0], [1, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout73 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [2, 0, 0], [1, 0, 0]], lane = [[0, 1, 0], [0, 0, 4], [0, 0, 2], [0, 0, 1], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout74 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [2, 0, 0], [0, 1, 0]], lane = [[1, 0, 0], [0, 0, 4], [0, 0, 2], [0, 0, 1], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout75 = #nv_tileas.layout<"{shape = [64, 1, 8], register = [[32, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 4], [0, 0, 2], [0, 0, 1], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout76 = #nv_tileas.layout<"{shape = [64, 1, 1], register = [[32, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [4, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout77 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [4, 0, 0], [1, 0, 0]], lane = [[2, 0, 0], [0, 1, 0], [0, 0, 2], [0, 0, 1], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout78 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [4, 0, 0], [0, 1, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 2], [0, 0, 1], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout79 = #nv_tileas.layout<"{shape = [128, 1, 4], register = [[64, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 2], [0, 0, 1], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout80 = #nv_tileas.layout<"{shape = [128, 1, 1], register = [[64, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout81 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [8, 0, 0], [1, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout82 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [8, 0, 0], [0, 1, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 1], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout83 = #nv_tileas.layout<"{shape = [256, 1, 2], register = [[128, 0, 0], [8, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 1], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout84 = #nv_tileas.layout<"{shape = [256, 1, 1], register = [[128, 0, 0], [8, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout85 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [16, 0, 0], [1, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [0, 1, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout86 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [16, 0, 0], [0, 1, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout87 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[256, 0, 0], [16, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [32, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout88 = #nv_tileas.layout<"{shape = [8, 2, 64], register = [[4, 0, 0], [0, 0, 32], [0, 0, 1]], lane = [[0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 1, 0]], warp = [[1, 0, 0], [2, 0, 0]], block = []}">
#layout89 = #nv_tileas.layout<"{shape = [8, 2, 64], register = [[4, 0, 0], [0, 0, 32], [0, 1, 0]], lane = [[0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[1, 0, 0], [2, 0, 0]], block = []}">
#layout90 = #nv_tileas.layout<"{shape = [8, 1, 64], register = [[4, 0, 0], [0, 0, 32]], lane = [[0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[1, 0, 0], [2, 0, 0]], block = []}">
#layout91 = #nv_tileas.layout<"{shape = [8], register = [[4], [1]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [2]], block = []}">
#layout92 = #nv_tileas.layout<"{shape = [8], register = [[4]], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]], block = []}">
#layout93 = #nv_tileas.layout<"{shape = [8, 1, 1], register = [[4, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[1, 0, 0], [2, 0, 0]], block = []}">
#layout94 = #nv_tileas.layout<"{shape = [16, 2, 32], register = [[8, 0, 0], [0, 1, 0], [1, 0, 0]], lane = [[0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout95 = #nv_tileas.layout<"{shape = [16, 2, 32], register = [[8, 0, 0], [1, 0, 0], [0, 1, 0]], lane = [[0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout96 = #nv_tileas.layout<"{shape = [16, 1, 32], register = [[8, 0, 0], [1, 0, 0]], lane = [[0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout97 = #nv_tileas.layout<"{shape = [16, 1, 1], register = [[8, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[0, 0, 0], [4, 0, 0]], block = []}">
#layout98 = #nv_tileas.layout<"{shape = [16, 1, 1], register = [[8, 0, 0], [1, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[2, 0, 0], [4, 0, 0]], block = []}">
#layout99 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [2, 0, 0], [1, 0, 0]], lane = [[0, 1, 0], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout100 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [2, 0, 0], [0, 1, 0]], lane = [[1, 0, 0], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout101 = #nv_tileas.layout<"{shape = [32, 1, 16], register = [[16, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout102 = #nv_tileas.layout<"{shape = [32, 1, 1], register = [[16, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]], block = []}">
#layout103 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [4, 0, 0], [1, 0, 0]], lane = [[2, 0, 0], [0, 1, 0], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout104 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [4, 0, 0], [0, 1, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout105 = #nv_tileas.layout<"{shape = [64, 1, 8], register = [[32, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 4], [0, 0, 2], [0, 0, 1]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout106 = #nv_tileas.layout<"{shape = [64, 1, 1], register = [[32, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[8, 0, 0], [16, 0, 0]], block = []}">
#layout107 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [8, 0, 0], [1, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 2], [0, 0, 1]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout108 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [8, 0, 0], [0, 1, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 2], [0, 0, 1]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout109 = #nv_tileas.layout<"{shape = [128, 1, 4], register = [[64, 0, 0], [8, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 2], [0, 0, 1]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout110 = #nv_tileas.layout<"{shape = [128, 1, 1], register = [[64, 0, 0], [8, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}">
#layout111 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [16, 0, 0], [1, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout112 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [16, 0, 0], [0, 1, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 1]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout113 = #nv_tileas.layout<"{shape = [256, 1, 2], register = [[128, 0, 0], [16, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 1]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout114 = #nv_tileas.layout<"{shape = [256, 1, 1], register = [[128, 0, 0], [16, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}">
#layout115 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [32, 0, 0], [1, 0, 0]], lane = [[16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [0, 1, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout116 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [32, 0, 0], [0, 1, 0]], lane = [[16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout117 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[256, 0, 0], [32, 0, 0]], lane = [[16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0]], warp = [[64, 0, 0], [128, 0, 0]], block = []}">
#layout118 = #nv_tileas.layout<"{shape = [4, 2, 128], register = [[2, 0, 0], [0, 0, 64], [0, 0, 1]], lane = [[0, 0, 32], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 1, 0], [1, 0, 0]], block = []}">
#layout119 = #nv_tileas.layout<"{shape = [4, 2, 128], register = [[2, 0, 0], [0, 0, 64], [0, 1, 0]], lane = [[0, 0, 32], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [1, 0, 0]], block = []}">
#layout120 = #nv_tileas.layout<"{shape = [4, 1, 128], register = [[2, 0, 0], [0, 0, 64]], lane = [[0, 0, 32], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [1, 0, 0]], block = []}">
#layout121 = #nv_tileas.layout<"{shape = [8, 2, 64], register = [[4, 0, 0], [0, 1, 0], [1, 0, 0]], lane = [[0, 0, 32], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [2, 0, 0]], block = []}">
#layout122 = #nv_tileas.layout<"{shape = [8, 2, 64], register = [[4, 0, 0], [1, 0, 0], [0, 1, 0]], lane = [[0, 0, 32], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [2, 0, 0]], block = []}">
#layout123 = #nv_tileas.layout<"{shape = [8, 1, 64], register = [[4, 0, 0], [1, 0, 0]], lane = [[0, 0, 32], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [2, 0, 0]], block = []}">
#layout124 = #nv_tileas.layout<"{shape = [8, 1, 1], register = [[4, 0, 0], [1, 0, 0]], lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[0, 0, 0], [2, 0, 0]], block = []}">
#layout125 = #nv_tileas.layout<"{shape = [16, 2, 32], register = [[8, 0, 0], [2, 0, 0], [1, 0, 0]], lane = [[0, 1, 0], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [4, 0, 0]], block = []}">
#layout126 = #nv_tileas.layout<"{shape = [16, 2, 32], register = [[8, 0, 0], [2, 0, 0], [0, 1, 0]], lane = [[1, 0, 0], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [4, 0, 0]], block = []}">
#layout127 = #nv_tileas.layout<"{shape = [16, 1, 32], register = [[8, 0, 0], [2, 0, 0]], lane = [[1, 0, 0], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [4, 0, 0]], block = []}">
#layout128 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [4, 0, 0], [1, 0, 0]], lane = [[2, 0, 0], [0, 1, 0], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [8, 0, 0]], block = []}">
#layout129 = #nv_tileas.layout<"{shape = [32, 2, 16], register = [[16, 0, 0], [4, 0, 0], [0, 1, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [8, 0, 0]], block = []}">
#layout130 = #nv_tileas.layout<"{shape = [32, 1, 16], register = [[16, 0, 0], [4, 0, 0]], lane = [[2, 0, 0], [1, 0, 0], [0, 0, 8], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [8, 0, 0]], block = []}">
#layout131 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [8, 0, 0], [1, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [16, 0, 0]], block = []}">
#layout132 = #nv_tileas.layout<"{shape = [64, 2, 8], register = [[32, 0, 0], [8, 0, 0], [0, 1, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [16, 0, 0]], block = []}">
#layout133 = #nv_tileas.layout<"{shape = [64, 1, 8], register = [[32, 0, 0], [8, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 4], [0, 0, 2]], warp = [[0, 0, 1], [16, 0, 0]], block = []}">
#layout134 = #nv_tileas.layout<"{shape = [64], register = [[32], [8]], lane = [[4], [2], [1], [0], [0]], warp = [[0], [16]], block = []}">
#layout135 = #nv_tileas.layout<"{shape = [64, 1, 1], register = [[32, 0, 0], [8, 0, 0]], lane = [[4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]], warp = [[0, 0, 0], [16, 0, 0]], block = []}">
#layout136 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [16, 0, 0], [1, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 2]], warp = [[0, 0, 1], [32, 0, 0]], block = []}">
#layout137 = #nv_tileas.layout<"{shape = [128, 2, 4], register = [[64, 0, 0], [16, 0, 0], [0, 1, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 2]], warp = [[0, 0, 1], [32, 0, 0]], block = []}">
#layout138 = #nv_tileas.layout<"{shape = [128, 1, 4], register = [[64, 0, 0], [16, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 2]], warp = [[0, 0, 1], [32, 0, 0]], block = []}">
#layout139 = #nv_tileas.layout<"{shape = [128], register = [[64], [16]], lane = [[8], [4], [2], [1], [0]], warp = [[0], [32]], block = []}">
#layout140 = #nv_tileas.layout<"{shape = [128, 1, 1], register = [[64, 0, 0], [16, 0, 0]], lane = [[8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 0]], warp = [[0, 0, 0], [32, 0, 0]], block = []}">
#layout141 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [32, 0, 0], [1, 0, 0]], lane = [[16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [0, 1, 0]], warp = [[0, 0, 1], [64, 0, 0]], block = []}">
#layout142 = #nv_tileas.layout<"{shape = [256, 2, 2], register = [[128, 0, 0], [32, 0, 0], [0, 1, 0]], lane = [[16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0]], warp = [[0, 0, 1], [64, 0, 0]], block = []}">
#layout143 = #nv_tileas.layout<"{shape = [256, 1, 2], register = [[128, 0, 0], [32, 0, 0]], lane = [[16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0]], warp = [[0, 0, 1], [64, 0, 0]], block = []}">
#layout144 = #nv_tileas.layout<"{shape = [256], register = [[128], [32]], lane = [[16], [8], [4], [2], [1]], warp = [[0], [64]], block = []}">
#layout145 = #nv_tileas.layout<"{shape = [256, 1, 1], register = [[128, 0, 0], [32, 0, 0]], lane = [[16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [1, 0, 0]], warp = [[0, 0, 0], [64, 0, 0]], block = []}">
#layout146 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [64, 0, 0], [1, 0, 0]], lane = [[32, 0, 0], [16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0]], warp = [[0, 1, 0], [128, 0, 0]], block = []}">
#layout147 = #nv_tileas.layout<"{shape = [512, 2, 1], register = [[256, 0, 0], [64, 0, 0], [0, 1, 0]], lane = [[32, 0, 0], [16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0]], warp = [[1, 0, 0], [128, 0, 0]], block = []}">
#layout148 = #nv_tileas.layout<"{shape = [512, 1, 1], register = [[256, 0, 0], [64, 0, 0]], lane = [[32, 0, 0], [16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0]], warp = [[1, 0, 0], [128, 0, 0]], block = []}">
#layout149 = #nv_tileas.layout<"{shape = [512], register = [[256], [64]], lane = [[32], [16], [8], [4], [2]], warp = [[1], [128]], block = []}">
#layout150 = #nv_tileas.layout<"{shape = [4, 256], register = [[2, 0], [0, 128], [0, 1]], lane = [[0, 64], [0, 32], [0, 16], [0, 8], [0, 4]], warp = [[0, 2], [1, 0]], block = []}">
#layout151 = #nv_tileas.layout<"{shape = [256], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [0]], block = []}">
#layout152 = #nv_tileas.layout<"{shape = [1, 256], register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [0, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [4, 2, 128], offset = [[2, 0, 0], [0, 0, 64], [0, 0, 32], [0, 0, 16], [0, 0, 8], [0, 0, 4], [0, 0, 2], [0, 1, 0], [1, 0, 0], [0, 0, 1]]}">
#shared1 = #nv_tileas.shared<"{shape = [512, 2, 1], offset = [[256, 0, 0], [64, 0, 0], [32, 0, 0], [16, 0, 0], [8, 0, 0], [4, 0, 0], [2, 0, 0], [0, 1, 0], [128, 0, 0], [1, 0, 0]]}">
#shared2 = #nv_tileas.shared<"{shape = [4, 256], offset = [[2, 0], [0, 1], [0, 64], [0, 32], [0, 16], [0, 2], [1, 0], [0, 128], [0, 72], [0, 36]]}">
module attributes {nv_tileaa.compute_capability = 80 : i32, tilewright.state = {after = "convert-tileaa-to-tileas", from = "cuda_tile", gpu = "sm_80", opt_level = 3 : i32}} {
  nv_tileas.func @bt_keys_eq(%arg0: !nv_tileas.ptr<f32>, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: !nv_tileas.ptr<f32>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: !nv_tileas.ptr<i32>, %arg11: i32, %arg12: i32, %arg13: i32, %arg14: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 12288 : i32, tilewright.state = {after = "tileas-insert-barriers", from = "cuda_tile", gpu = "sm_80", holds = ["atomics-once", "fenced", "instructions-chosen", "layouts-assigned", "local-conversions", "pipes-lowered", "shared-allocated", "synchronised", "tmem-allocated", "warp-reduces"], opt_level = 3 : i32}} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %2 = arith.constant 1 : i64
    %3 = arith.constant 4 : i64
    %4 = arith.constant 0 : i64
    %5 = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %6 = arith.extsi %arg1 : i32 to i64
    %7 = arith.extsi %arg2 : i32 to i64
    %8 = arith.extsi %arg3 : i32 to i64
    %9 = arith.extsi %arg6 : i32 to i64
    %10 = arith.extsi %arg7 : i32 to i64
    %11 = arith.extsi %arg8 : i32 to i64
    %12 = arith.extsi %arg11 : i32 to i64
    %13 = arith.extsi %arg12 : i32 to i64
    %14 = arith.extsi %arg13 : i32 to i64
    %15:3 = nv_tileas.get_program_id : i32, i32, i32
    %16 = arith.extsi %15#0 : i32 to i64
    %17 = arith.muli %16, %3 : i64
    %18:2 = nv_tileas.tiled_load %arg0[%17, %4] sizes [%6, %7] strides [%8, %2] token %5 {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 4, 4611686018427387904>, size_div = array<i64: 1, 16>, stride_div = array<i64: 4, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.ptr<f32> -> tensor<4x256xf32, #layout>
    %19 = nv_tileas.reshape %18#0 : tensor<4x256xf32, #layout> -> tensor<512x2x1xf32, #layout1>
    %20 = nv_tileas.convert_layout %19 : tensor<512x2x1xf32, #layout1> -> tensor<512x2x1xf32, #layout2>
    %21 = nv_tileas.extract %20[%0, %0, %0] : tensor<512x2x1xf32, #layout2>, i32, i32, i32 -> tensor<512x1x1xf32, #layout3>
    %22 = nv_tileas.extract %20[%0, %1, %0] : tensor<512x2x1xf32, #layout2>, i32, i32, i32 -> tensor<512x1x1xf32, #layout3>
    %23 = nv_tileas.make_range : tensor<512xi32, #layout4>
    %24 = arith.constant dense<127> : tensor<512xi32> as tensor<512xi32, #layout4>
    %25 = arith.andi %23, %24 : tensor<512xi32, #layout4>
    %26 = arith.constant dense<2> : tensor<512xi32> as tensor<512xi32, #layout4>
    %27 = arith.muli %25, %26 : tensor<512xi32, #layout4>
    %28 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %29 = arith.shrsi %27, %28 : tensor<512xi32, #layout4>
    %30 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %31 = arith.andi %29, %30 : tensor<512xi32, #layout4>
    %32 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout4>
    %33 = arith.cmpi eq, %31, %32 : tensor<512xi32, #layout4>
    %34 = nv_tileas.reshape %33 : tensor<512xi1, #layout4> -> tensor<512x1x1xi1, #layout3>
    %35 = arith.cmpf ogt, %21, %22 : tensor<512x1x1xf32, #layout3>
    %36 = arith.cmpi eq, %35, %34 : tensor<512x1x1xi1, #layout3>
    %37 = arith.select %36, %22, %21 : tensor<512x1x1xi1, #layout3>, tensor<512x1x1xf32, #layout3>
    %38 = arith.select %36, %21, %22 : tensor<512x1x1xi1, #layout3>, tensor<512x1x1xf32, #layout3>
    %39 = nv_tileas.cat %37, %38 dim 1 : tensor<512x1x1xf32, #layout3>, tensor<512x1x1xf32, #layout3> -> tensor<512x2x1xf32, #layout2>
    %40 = nv_tileas.reshape %39 : tensor<512x2x1xf32, #layout2> -> tensor<256x2x2xf32, #layout5>
    %41 = nv_tileas.convert_layout %40 : tensor<256x2x2xf32, #layout5> -> tensor<256x2x2xf32, #layout6>
    %42 = nv_tileas.extract %41[%0, %0, %0] : tensor<256x2x2xf32, #layout6>, i32, i32, i32 -> tensor<256x1x2xf32, #layout7>
    %43 = nv_tileas.extract %41[%0, %1, %0] : tensor<256x2x2xf32, #layout6>, i32, i32, i32 -> tensor<256x1x2xf32, #layout7>
    %44 = nv_tileas.make_range : tensor<256xi32, #layout8>
    %45 = arith.constant dense<63> : tensor<256xi32> as tensor<256xi32, #layout8>
    %46 = arith.andi %44, %45 : tensor<256xi32, #layout8>
    %47 = arith.constant dense<4> : tensor<256xi32> as tensor<256xi32, #layout8>
    %48 = arith.muli %46, %47 : tensor<256xi32, #layout8>
    %49 = arith.constant dense<2> : tensor<256xi32> as tensor<256xi32, #layout8>
    %50 = arith.shrsi %48, %49 : tensor<256xi32, #layout8>
    %51 = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #layout8>
    %52 = arith.andi %50, %51 : tensor<256xi32, #layout8>
    %53 = arith.constant dense<0> : tensor<256xi32> as tensor<256xi32, #layout8>
    %54 = arith.cmpi eq, %52, %53 : tensor<256xi32, #layout8>
    %55 = nv_tileas.reshape %54 : tensor<256xi1, #layout8> -> tensor<256x1x1xi1, #layout9>
    %56 = arith.cmpf ogt, %42, %43 : tensor<256x1x2xf32, #layout7>
    %57 = nv_tileas.broadcast %55 : tensor<256x1x1xi1, #layout9> -> tensor<256x1x2xi1, #layout7>
    %58 = arith.cmpi eq, %56, %57 : tensor<256x1x2xi1, #layout7>
    %59 = arith.select %58, %43, %42 : tensor<256x1x2xi1, #layout7>, tensor<256x1x2xf32, #layout7>
    %60 = arith.select %58, %42, %43 : tensor<256x1x2xi1, #layout7>, tensor<256x1x2xf32, #layout7>
    %61 = nv_tileas.cat %59, %60 dim 1 : tensor<256x1x2xf32, #layout7>, tensor<256x1x2xf32, #layout7> -> tensor<256x2x2xf32, #layout6>
    %62 = nv_tileas.reshape %61 : tensor<256x2x2xf32, #layout6> -> tensor<512x2x1xf32, #layout10>
    %63 = nv_tileas.convert_layout %62 : tensor<512x2x1xf32, #layout10> -> tensor<512x2x1xf32, #layout11>
    %64 = nv_tileas.extract %63[%0, %0, %0] : tensor<512x2x1xf32, #layout11>, i32, i32, i32 -> tensor<512x1x1xf32, #layout12>
    %65 = nv_tileas.extract %63[%0, %1, %0] : tensor<512x2x1xf32, #layout11>, i32, i32, i32 -> tensor<512x1x1xf32, #layout12>
    %66 = arith.constant dense<2> : tensor<512xi32> as tensor<512xi32, #layout4>
    %67 = arith.shrsi %27, %66 : tensor<512xi32, #layout4>
    %68 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %69 = arith.andi %67, %68 : tensor<512xi32, #layout4>
    %70 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout4>
    %71 = arith.cmpi eq, %69, %70 : tensor<512xi32, #layout4>
    %72 = nv_tileas.reshape %71 : tensor<512xi1, #layout4> -> tensor<512x1x1xi1, #layout3>
    %73 = nv_tileas.convert_layout %72 : tensor<512x1x1xi1, #layout3> -> tensor<512x1x1xi1, #layout12>
    %74 = arith.cmpf ogt, %64, %65 : tensor<512x1x1xf32, #layout12>
    %75 = arith.cmpi eq, %74, %73 : tensor<512x1x1xi1, #layout12>
    %76 = arith.select %75, %65, %64 : tensor<512x1x1xi1, #layout12>, tensor<512x1x1xf32, #layout12>
    %77 = arith.select %75, %64, %65 : tensor<512x1x1xi1, #layout12>, tensor<512x1x1xf32, #layout12>
    %78 = nv_tileas.cat %76, %77 dim 1 : tensor<512x1x1xf32, #layout12>, tensor<512x1x1xf32, #layout12> -> tensor<512x2x1xf32, #layout11>
    %79 = nv_tileas.reshape %78 : tensor<512x2x1xf32, #layout11> -> tensor<128x2x4xf32, #layout13>
    %80 = nv_tileas.convert_layout %79 : tensor<128x2x4xf32, #layout13> -> tensor<128x2x4xf32, #layout14>
    %81 = nv_tileas.extract %80[%0, %0, %0] : tensor<128x2x4xf32, #layout14>, i32, i32, i32 -> tensor<128x1x4xf32, #layout15>
    %82 = nv_tileas.extract %80[%0, %1, %0] : tensor<128x2x4xf32, #layout14>, i32, i32, i32 -> tensor<128x1x4xf32, #layout15>
    %83 = nv_tileas.make_range : tensor<128xi32, #layout16>
    %84 = arith.constant dense<31> : tensor<128xi32> as tensor<128xi32, #layout16>
    %85 = arith.andi %83, %84 : tensor<128xi32, #layout16>
    %86 = arith.constant dense<8> : tensor<128xi32> as tensor<128xi32, #layout16>
    %87 = arith.muli %85, %86 : tensor<128xi32, #layout16>
    %88 = arith.constant dense<3> : tensor<128xi32> as tensor<128xi32, #layout16>
    %89 = arith.shrsi %87, %88 : tensor<128xi32, #layout16>
    %90 = arith.constant dense<1> : tensor<128xi32> as tensor<128xi32, #layout16>
    %91 = arith.andi %89, %90 : tensor<128xi32, #layout16>
    %92 = arith.constant dense<0> : tensor<128xi32> as tensor<128xi32, #layout16>
    %93 = arith.cmpi eq, %91, %92 : tensor<128xi32, #layout16>
    %94 = nv_tileas.reshape %93 : tensor<128xi1, #layout16> -> tensor<128x1x1xi1, #layout17>
    %95 = arith.cmpf ogt, %81, %82 : tensor<128x1x4xf32, #layout15>
    %96 = nv_tileas.broadcast %94 : tensor<128x1x1xi1, #layout17> -> tensor<128x1x4xi1, #layout15>
    %97 = arith.cmpi eq, %95, %96 : tensor<128x1x4xi1, #layout15>
    %98 = arith.select %97, %82, %81 : tensor<128x1x4xi1, #layout15>, tensor<128x1x4xf32, #layout15>
    %99 = arith.select %97, %81, %82 : tensor<128x1x4xi1, #layout15>, tensor<128x1x4xf32, #layout15>
    %100 = nv_tileas.cat %98, %99 dim 1 : tensor<128x1x4xf32, #layout15>, tensor<128x1x4xf32, #layout15> -> tensor<128x2x4xf32, #layout14>
    %101 = nv_tileas.reshape %100 : tensor<128x2x4xf32, #layout14> -> tensor<256x2x2xf32, #layout18>
    %102 = nv_tileas.convert_layout %101 : tensor<256x2x2xf32, #layout18> -> tensor<256x2x2xf32, #layout19>
    %103 = nv_tileas.extract %102[%0, %0, %0] : tensor<256x2x2xf32, #layout19>, i32, i32, i32 -> tensor<256x1x2xf32, #layout20>
    %104 = nv_tileas.extract %102[%0, %1, %0] : tensor<256x2x2xf32, #layout19>, i32, i32, i32 -> tensor<256x1x2xf32, #layout20>
    %105 = arith.constant dense<3> : tensor<256xi32> as tensor<256xi32, #layout8>
    %106 = arith.shrsi %48, %105 : tensor<256xi32, #layout8>
    %107 = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #layout8>
    %108 = arith.andi %106, %107 : tensor<256xi32, #layout8>
    %109 = arith.constant dense<0> : tensor<256xi32> as tensor<256xi32, #layout8>
    %110 = arith.cmpi eq, %108, %109 : tensor<256xi32, #layout8>
    %111 = nv_tileas.reshape %110 : tensor<256xi1, #layout8> -> tensor<256x1x1xi1, #layout9>
    %112 = arith.cmpf ogt, %103, %104 : tensor<256x1x2xf32, #layout20>
    %113 = nv_tileas.convert_layout %111 : tensor<256x1x1xi1, #layout9> -> tensor<256x1x1xi1, #layout21>
    %114 = nv_tileas.broadcast %113 : tensor<256x1x1xi1, #layout21> -> tensor<256x1x2xi1, #layout20>
    %115 = arith.cmpi eq, %112, %114 : tensor<256x1x2xi1, #layout20>
    %116 = arith.select %115, %104, %103 : tensor<256x1x2xi1, #layout20>, tensor<256x1x2xf32, #layout20>
    %117 = arith.select %115, %103, %104 : tensor<256x1x2xi1, #layout20>, tensor<256x1x2xf32, #layout20>
    %118 = nv_tileas.cat %116, %117 dim 1 : tensor<256x1x2xf32, #layout20>, tensor<256x1x2xf32, #layout20> -> tensor<256x2x2xf32, #layout19>
    %119 = nv_tileas.reshape %118 : tensor<256x2x2xf32, #layout19> -> tensor<512x2x1xf32, #layout22>
    %120 = nv_tileas.convert_layout %119 : tensor<512x2x1xf32, #layout22> -> tensor<512x2x1xf32, #layout23>
    %121 = nv_tileas.extract %120[%0, %0, %0] : tensor<512x2x1xf32, #layout23>, i32, i32, i32 -> tensor<512x1x1xf32, #layout24>
    %122 = nv_tileas.extract %120[%0, %1, %0] : tensor<512x2x1xf32, #layout23>, i32, i32, i32 -> tensor<512x1x1xf32, #layout24>
    %123 = arith.constant dense<3> : tensor<512xi32> as tensor<512xi32, #layout4>
    %124 = arith.shrsi %27, %123 : tensor<512xi32, #layout4>
    %125 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %126 = arith.andi %124, %125 : tensor<512xi32, #layout4>
    %127 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout4>
    %128 = arith.cmpi eq, %126, %127 : tensor<512xi32, #layout4>
    %129 = nv_tileas.reshape %128 : tensor<512xi1, #layout4> -> tensor<512x1x1xi1, #layout3>
    %130 = nv_tileas.convert_layout %129 : tensor<512x1x1xi1, #layout3> -> tensor<512x1x1xi1, #layout24>
    %131 = arith.cmpf ogt, %121, %122 : tensor<512x1x1xf32, #layout24>
    %132 = arith.cmpi eq, %131, %130 : tensor<512x1x1xi1, #layout24>
    %133 = arith.select %132, %122, %121 : tensor<512x1x1xi1, #layout24>, tensor<512x1x1xf32, #layout24>
    %134 = arith.select %132, %121, %122 : tensor<512x1x1xi1, #layout24>, tensor<512x1x1xf32, #layout24>
    %135 = nv_tileas.cat %133, %134 dim 1 : tensor<512x1x1xf32, #layout24>, tensor<512x1x1xf32, #layout24> -> tensor<512x2x1xf32, #layout23>
    %136 = nv_tileas.reshape %135 : tensor<512x2x1xf32, #layout23> -> tensor<64x2x8xf32, #layout25>
    %137 = nv_tileas.convert_layout %136 : tensor<64x2x8xf32, #layout25> -> tensor<64x2x8xf32, #layout26>
    %138 = nv_tileas.extract %137[%0, %0, %0] : tensor<64x2x8xf32, #layout26>, i32, i32, i32 -> tensor<64x1x8xf32, #layout27>
    %139 = nv_tileas.extract %137[%0, %1, %0] : tensor<64x2x8xf32, #layout26>, i32, i32, i32 -> tensor<64x1x8xf32, #layout27>
    %140 = nv_tileas.make_range : tensor<64xi32, #layout28>
    %141 = arith.constant dense<15> : tensor<64xi32> as tensor<64xi32, #layout28>
    %142 = arith.andi %140, %141 : tensor<64xi32, #layout28>
    %143 = arith.constant dense<16> : tensor<64xi32> as tensor<64xi32, #layout28>
    %144 = arith.muli %142, %143 : tensor<64xi32, #layout28>
    %145 = arith.constant dense<4> : tensor<64xi32> as tensor<64xi32, #layout28>
    %146 = arith.shrsi %144, %145 : tensor<64xi32, #layout28>
    %147 = arith.constant dense<1> : tensor<64xi32> as tensor<64xi32, #layout28>
    %148 = arith.andi %146, %147 : tensor<64xi32, #layout28>
    %149 = arith.constant dense<0> : tensor<64xi32> as tensor<64xi32, #layout28>
    %150 = arith.cmpi eq, %148, %149 : tensor<64xi32, #layout28>
    %151 = nv_tileas.reshape %150 : tensor<64xi1, #layout28> -> tensor<64x1x1xi1, #layout29>
    %152 = arith.cmpf ogt, %138, %139 : tensor<64x1x8xf32, #layout27>
    %153 = nv_tileas.broadcast %151 : tensor<64x1x1xi1, #layout29> -> tensor<64x1x8xi1, #layout27>
    %154 = arith.cmpi eq, %152, %153 : tensor<64x1x8xi1, #layout27>
    %155 = arith.select %154, %139, %138 : tensor<64x1x8xi1, #layout27>, tensor<64x1x8xf32, #layout27>
    %156 = arith.select %154, %138, %139 : tensor<64x1x8xi1, #layout27>, tensor<64x1x8xf32, #layout27>
    %157 = nv_tileas.cat %155, %156 dim 1 : tensor<64x1x8xf32, #layout27>, tensor<64x1x8xf32, #layout27> -> tensor<64x2x8xf32, #layout26>
    %158 = nv_tileas.reshape %157 : tensor<64x2x8xf32, #layout26> -> tensor<128x2x4xf32, #layout30>
    %159 = nv_tileas.convert_layout %158 : tensor<128x2x4xf32, #layout30> -> tensor<128x2x4xf32, #layout31>
    %160 = nv_tileas.extract %159[%0, %0, %0] : tensor<128x2x4xf32, #layout31>, i32, i32, i32 -> tensor<128x1x4xf32, #layout32>
    %161 = nv_tileas.extract %159[%0, %1, %0] : tensor<128x2x4xf32, #layout31>, i32, i32, i32 -> tensor<128x1x4xf32, #layout32>
    %162 = arith.constant dense<4> : tensor<128xi32> as tensor<128xi32, #layout16>
    %163 = arith.shrsi %87, %162 : tensor<128xi32, #layout16>
    %164 = arith.constant dense<1> : tensor<128xi32> as tensor<128xi32, #layout16>
    %165 = arith.andi %163, %164 : tensor<128xi32, #layout16>
    %166 = arith.constant dense<0> : tensor<128xi32> as tensor<128xi32, #layout16>
    %167 = arith.cmpi eq, %165, %166 : tensor<128xi32, #layout16>
    %168 = nv_tileas.reshape %167 : tensor<128xi1, #layout16> -> tensor<128x1x1xi1, #layout17>
    %169 = arith.cmpf ogt, %160, %161 : tensor<128x1x4xf32, #layout32>
    %170 = nv_tileas.convert_layout %168 : tensor<128x1x1xi1, #layout17> -> tensor<128x1x1xi1, #layout33>
    %171 = nv_tileas.broadcast %170 : tensor<128x1x1xi1, #layout33> -> tensor<128x1x4xi1, #layout32>
    %172 = arith.cmpi eq, %169, %171 : tensor<128x1x4xi1, #layout32>
    %173 = arith.select %172, %161, %160 : tensor<128x1x4xi1, #layout32>, tensor<128x1x4xf32, #layout32>
    %174 = arith.select %172, %160, %161 : tensor<128x1x4xi1, #layout32>, tensor<128x1x4xf32, #layout32>
    %175 = nv_tileas.cat %173, %174 dim 1 : tensor<128x1x4xf32, #layout32>, tensor<128x1x4xf32, #layout32> -> tensor<128x2x4xf32, #layout31>
    %176 = nv_tileas.reshape %175 : tensor<128x2x4xf32, #layout31> -> tensor<256x2x2xf32, #layout34>
    %177 = nv_tileas.convert_layout %176 : tensor<256x2x2xf32, #layout34> -> tensor<256x2x2xf32, #layout35>
    %178 = nv_tileas.extract %177[%0, %0, %0] : tensor<256x2x2xf32, #layout35>, i32, i32, i32 -> tensor<256x1x2xf32, #layout36>
    %179 = nv_tileas.extract %177[%0, %1, %0] : tensor<256x2x2xf32, #layout35>, i32, i32, i32 -> tensor<256x1x2xf32, #layout36>
    %180 = arith.constant dense<4> : tensor<256xi32> as tensor<256xi32, #layout8>
    %181 = arith.shrsi %48, %180 : tensor<256xi32, #layout8>
    %182 = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #layout8>
    %183 = arith.andi %181, %182 : tensor<256xi32, #layout8>
    %184 = arith.constant dense<0> : tensor<256xi32> as tensor<256xi32, #layout8>
    %185 = arith.cmpi eq, %183, %184 : tensor<256xi32, #layout8>
    %186 = nv_tileas.reshape %185 : tensor<256xi1, #layout8> -> tensor<256x1x1xi1, #layout9>
    %187 = arith.cmpf ogt, %178, %179 : tensor<256x1x2xf32, #layout36>
    %188 = nv_tileas.convert_layout %186 : tensor<256x1x1xi1, #layout9> -> tensor<256x1x1xi1, #layout37>
    %189 = nv_tileas.broadcast %188 : tensor<256x1x1xi1, #layout37> -> tensor<256x1x2xi1, #layout36>
    %190 = arith.cmpi eq, %187, %189 : tensor<256x1x2xi1, #layout36>
    %191 = arith.select %190, %179, %178 : tensor<256x1x2xi1, #layout36>, tensor<256x1x2xf32, #layout36>
    %192 = arith.select %190, %178, %179 : tensor<256x1x2xi1, #layout36>, tensor<256x1x2xf32, #layout36>
    %193 = nv_tileas.cat %191, %192 dim 1 : tensor<256x1x2xf32, #layout36>, tensor<256x1x2xf32, #layout36> -> tensor<256x2x2xf32, #layout35>
    %194 = nv_tileas.reshape %193 : tensor<256x2x2xf32, #layout35> -> tensor<512x2x1xf32, #layout38>
    %195 = nv_tileas.convert_layout %194 : tensor<512x2x1xf32, #layout38> -> tensor<512x2x1xf32, #layout39>
    %196 = nv_tileas.extract %195[%0, %0, %0] : tensor<512x2x1xf32, #layout39>, i32, i32, i32 -> tensor<512x1x1xf32, #layout40>
    %197 = nv_tileas.extract %195[%0, %1, %0] : tensor<512x2x1xf32, #layout39>, i32, i32, i32 -> tensor<512x1x1xf32, #layout40>
    %198 = arith.constant dense<4> : tensor<512xi32> as tensor<512xi32, #layout4>
    %199 = arith.shrsi %27, %198 : tensor<512xi32, #layout4>
    %200 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %201 = arith.andi %199, %200 : tensor<512xi32, #layout4>
    %202 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout4>
    %203 = arith.cmpi eq, %201, %202 : tensor<512xi32, #layout4>
    %204 = nv_tileas.reshape %203 : tensor<512xi1, #layout4> -> tensor<512x1x1xi1, #layout3>
    %205 = nv_tileas.convert_layout %204 : tensor<512x1x1xi1, #layout3> -> tensor<512x1x1xi1, #layout40>
    %206 = arith.cmpf ogt, %196, %197 : tensor<512x1x1xf32, #layout40>
    %207 = arith.cmpi eq, %206, %205 : tensor<512x1x1xi1, #layout40>
    %208 = arith.select %207, %197, %196 : tensor<512x1x1xi1, #layout40>, tensor<512x1x1xf32, #layout40>
    %209 = arith.select %207, %196, %197 : tensor<512x1x1xi1, #layout40>, tensor<512x1x1xf32, #layout40>
    %210 = nv_tileas.cat %208, %209 dim 1 : tensor<512x1x1xf32, #layout40>, tensor<512x1x1xf32, #layout40> -> tensor<512x2x1xf32, #layout39>
    %211 = nv_tileas.reshape %210 : tensor<512x2x1xf32, #layout39> -> tensor<32x2x16xf32, #layout41>
    %212 = nv_tileas.convert_layout %211 : tensor<32x2x16xf32, #layout41> -> tensor<32x2x16xf32, #layout42>
    %213 = nv_tileas.extract %212[%0, %0, %0] : tensor<32x2x16xf32, #layout42>, i32, i32, i32 -> tensor<32x1x16xf32, #layout43>
    %214 = nv_tileas.extract %212[%0, %1, %0] : tensor<32x2x16xf32, #layout42>, i32, i32, i32 -> tensor<32x1x16xf32, #layout43>
    %215 = nv_tileas.make_range : tensor<32xi32, #layout44>
    %216 = arith.constant dense<7> : tensor<32xi32> as tensor<32xi32, #layout44>
    %217 = arith.andi %215, %216 : tensor<32xi32, #layout44>
    %218 = arith.constant dense<32> : tensor<32xi32> as tensor<32xi32, #layout44>
    %219 = arith.muli %217, %218 : tensor<32xi32, #layout44>
    %220 = arith.constant dense<5> : tensor<32xi32> as tensor<32xi32, #layout44>
    %221 = arith.shrsi %219, %220 : tensor<32xi32, #layout44>
    %222 = arith.constant dense<1> : tensor<32xi32> as tensor<32xi32, #layout44>
    %223 = arith.andi %221, %222 : tensor<32xi32, #layout44>
    %224 = arith.constant dense<0> : tensor<32xi32> as tensor<32xi32, #layout44>
    %225 = arith.cmpi eq, %223, %224 : tensor<32xi32, #layout44>
    %226 = nv_tileas.convert_layout %225 : tensor<32xi1, #layout44> -> tensor<32xi1, #layout45>
    %227 = nv_tileas.reshape %226 : tensor<32xi1, #layout45> -> tensor<32x1x1xi1, #layout46>
    %228 = arith.cmpf ogt, %213, %214 : tensor<32x1x16xf32, #layout43>
    %229 = nv_tileas.broadcast %227 : tensor<32x1x1xi1, #layout46> -> tensor<32x1x16xi1, #layout43>
    %230 = arith.cmpi eq, %228, %229 : tensor<32x1x16xi1, #layout43>
    %231 = arith.select %230, %214, %213 : tensor<32x1x16xi1, #layout43>, tensor<32x1x16xf32, #layout43>
    %232 = arith.select %230, %213, %214 : tensor<32x1x16xi1, #layout43>, tensor<32x1x16xf32, #layout43>
    %233 = nv_tileas.cat %231, %232 dim 1 : tensor<32x1x16xf32, #layout43>, tensor<32x1x16xf32, #layout43> -> tensor<32x2x16xf32, #layout42>
    %234 = nv_tileas.reshape %233 : tensor<32x2x16xf32, #layout42> -> tensor<64x2x8xf32, #layout47>
    %235 = nv_tileas.convert_layout %234 : tensor<64x2x8xf32, #layout47> -> tensor<64x2x8xf32, #layout48>
    %236 = nv_tileas.extract %235[%0, %0, %0] : tensor<64x2x8xf32, #layout48>, i32, i32, i32 -> tensor<64x1x8xf32, #layout49>
    %237 = nv_tileas.extract %235[%0, %1, %0] : tensor<64x2x8xf32, #layout48>, i32, i32, i32 -> tensor<64x1x8xf32, #layout49>
    %238 = arith.constant dense<5> : tensor<64xi32> as tensor<64xi32, #layout28>
    %239 = arith.shrsi %144, %238 : tensor<64xi32, #layout28>
    %240 = arith.constant dense<1> : tensor<64xi32> as tensor<64xi32, #layout28>
    %241 = arith.andi %239, %240 : tensor<64xi32, #layout28>
    %242 = arith.constant dense<0> : tensor<64xi32> as tensor<64xi32, #layout28>
    %243 = arith.cmpi eq, %241, %242 : tensor<64xi32, #layout28>
    %244 = nv_tileas.reshape %243 : tensor<64xi1, #layout28> -> tensor<64x1x1xi1, #layout29>
    %245 = arith.cmpf ogt, %236, %237 : tensor<64x1x8xf32, #layout49>
    %246 = nv_tileas.convert_layout %244 : tensor<64x1x1xi1, #layout29> -> tensor<64x1x1xi1, #layout50>
    %247 = nv_tileas.broadcast %246 : tensor<64x1x1xi1, #layout50> -> tensor<64x1x8xi1, #layout49>
    %248 = arith.cmpi eq, %245, %247 : tensor<64x1x8xi1, #layout49>
    %249 = arith.select %248, %237, %236 : tensor<64x1x8xi1, #layout49>, tensor<64x1x8xf32, #layout49>
    %250 = arith.select %248, %236, %237 : tensor<64x1x8xi1, #layout49>, tensor<64x1x8xf32, #layout49>
    %251 = nv_tileas.cat %249, %250 dim 1 : tensor<64x1x8xf32, #layout49>, tensor<64x1x8xf32, #layout49> -> tensor<64x2x8xf32, #layout48>
    %252 = nv_tileas.reshape %251 : tensor<64x2x8xf32, #layout48> -> tensor<128x2x4xf32, #layout51>
    %253 = nv_tileas.convert_layout %252 : tensor<128x2x4xf32, #layout51> -> tensor<128x2x4xf32, #layout52>
    %254 = nv_tileas.extract %253[%0, %0, %0] : tensor<128x2x4xf32, #layout52>, i32, i32, i32 -> tensor<128x1x4xf32, #layout53>
    %255 = nv_tileas.extract %253[%0, %1, %0] : tensor<128x2x4xf32, #layout52>, i32, i32, i32 -> tensor<128x1x4xf32, #layout53>
    %256 = arith.constant dense<5> : tensor<128xi32> as tensor<128xi32, #layout16>
    %257 = arith.shrsi %87, %256 : tensor<128xi32, #layout16>
    %258 = arith.constant dense<1> : tensor<128xi32> as tensor<128xi32, #layout16>
    %259 = arith.andi %257, %258 : tensor<128xi32, #layout16>
    %260 = arith.constant dense<0> : tensor<128xi32> as tensor<128xi32, #layout16>
    %261 = arith.cmpi eq, %259, %260 : tensor<128xi32, #layout16>
    %262 = nv_tileas.reshape %261 : tensor<128xi1, #layout16> -> tensor<128x1x1xi1, #layout17>
    %263 = arith.cmpf ogt, %254, %255 : tensor<128x1x4xf32, #layout53>
    %264 = nv_tileas.convert_layout %262 : tensor<128x1x1xi1, #layout17> -> tensor<128x1x1xi1, #layout54>
    %265 = nv_tileas.broadcast %264 : tensor<128x1x1xi1, #layout54> -> tensor<128x1x4xi1, #layout53>
    %266 = arith.cmpi eq, %263, %265 : tensor<128x1x4xi1, #layout53>
    %267 = arith.select %266, %255, %254 : tensor<128x1x4xi1, #layout53>, tensor<128x1x4xf32, #layout53>
    %268 = arith.select %266, %254, %255 : tensor<128x1x4xi1, #layout53>, tensor<128x1x4xf32, #layout53>
    %269 = nv_tileas.cat %267, %268 dim 1 : tensor<128x1x4xf32, #layout53>, tensor<128x1x4xf32, #layout53> -> tensor<128x2x4xf32, #layout52>
    %270 = nv_tileas.reshape %269 : tensor<128x2x4xf32, #layout52> -> tensor<256x2x2xf32, #layout55>
    %271 = nv_tileas.convert_layout %270 : tensor<256x2x2xf32, #layout55> -> tensor<256x2x2xf32, #layout56>
    %272 = nv_tileas.extract %271[%0, %0, %0] : tensor<256x2x2xf32, #layout56>, i32, i32, i32 -> tensor<256x1x2xf32, #layout57>
    %273 = nv_tileas.extract %271[%0, %1, %0] : tensor<256x2x2xf32, #layout56>, i32, i32, i32 -> tensor<256x1x2xf32, #layout57>
    %274 = arith.constant dense<5> : tensor<256xi32> as tensor<256xi32, #layout8>
    %275 = arith.shrsi %48, %274 : tensor<256xi32, #layout8>
    %276 = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #layout8>
    %277 = arith.andi %275, %276 : tensor<256xi32, #layout8>
    %278 = arith.constant dense<0> : tensor<256xi32> as tensor<256xi32, #layout8>
    %279 = arith.cmpi eq, %277, %278 : tensor<256xi32, #layout8>
    %280 = nv_tileas.reshape %279 : tensor<256xi1, #layout8> -> tensor<256x1x1xi1, #layout9>
    %281 = arith.cmpf ogt, %272, %273 : tensor<256x1x2xf32, #layout57>
    %282 = nv_tileas.convert_layout %280 : tensor<256x1x1xi1, #layout9> -> tensor<256x1x1xi1, #layout58>
    %283 = nv_tileas.broadcast %282 : tensor<256x1x1xi1, #layout58> -> tensor<256x1x2xi1, #layout57>
    %284 = arith.cmpi eq, %281, %283 : tensor<256x1x2xi1, #layout57>
    %285 = arith.select %284, %273, %272 : tensor<256x1x2xi1, #layout57>, tensor<256x1x2xf32, #layout57>
    %286 = arith.select %284, %272, %273 : tensor<256x1x2xi1, #layout57>, tensor<256x1x2xf32, #layout57>
    %287 = nv_tileas.cat %285, %286 dim 1 : tensor<256x1x2xf32, #layout57>, tensor<256x1x2xf32, #layout57> -> tensor<256x2x2xf32, #layout56>
    %288 = nv_tileas.reshape %287 : tensor<256x2x2xf32, #layout56> -> tensor<512x2x1xf32, #layout59>
    %289 = nv_tileas.convert_layout %288 : tensor<512x2x1xf32, #layout59> -> tensor<512x2x1xf32, #layout60>
    %290 = nv_tileas.extract %289[%0, %0, %0] : tensor<512x2x1xf32, #layout60>, i32, i32, i32 -> tensor<512x1x1xf32, #layout61>
    %291 = nv_tileas.extract %289[%0, %1, %0] : tensor<512x2x1xf32, #layout60>, i32, i32, i32 -> tensor<512x1x1xf32, #layout61>
    %292 = arith.constant dense<5> : tensor<512xi32> as tensor<512xi32, #layout4>
    %293 = arith.shrsi %27, %292 : tensor<512xi32, #layout4>
    %294 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %295 = arith.andi %293, %294 : tensor<512xi32, #layout4>
    %296 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout4>
    %297 = arith.cmpi eq, %295, %296 : tensor<512xi32, #layout4>
    %298 = nv_tileas.reshape %297 : tensor<512xi1, #layout4> -> tensor<512x1x1xi1, #layout3>
    %299 = nv_tileas.convert_layout %298 : tensor<512x1x1xi1, #layout3> -> tensor<512x1x1xi1, #layout61>
    %300 = arith.cmpf ogt, %290, %291 : tensor<512x1x1xf32, #layout61>
    %301 = arith.cmpi eq, %300, %299 : tensor<512x1x1xi1, #layout61>
    %302 = arith.select %301, %291, %290 : tensor<512x1x1xi1, #layout61>, tensor<512x1x1xf32, #layout61>
    %303 = arith.select %301, %290, %291 : tensor<512x1x1xi1, #layout61>, tensor<512x1x1xf32, #layout61>
    %304 = nv_tileas.cat %302, %303 dim 1 : tensor<512x1x1xf32, #layout61>, tensor<512x1x1xf32, #layout61> -> tensor<512x2x1xf32, #layout60>
    %305 = nv_tileas.reshape %304 : tensor<512x2x1xf32, #layout60> -> tensor<16x2x32xf32, #layout62>
    %306 = nv_tileas.convert_layout %305 : tensor<16x2x32xf32, #layout62> -> tensor<16x2x32xf32, #layout63>
    %307 = nv_tileas.extract %306[%0, %0, %0] : tensor<16x2x32xf32, #layout63>, i32, i32, i32 -> tensor<16x1x32xf32, #layout64>
    %308 = nv_tileas.extract %306[%0, %1, %0] : tensor<16x2x32xf32, #layout63>, i32, i32, i32 -> tensor<16x1x32xf32, #layout64>
    %309 = nv_tileas.make_range : tensor<16xi32, #layout65>
    %310 = arith.constant dense<3> : tensor<16xi32> as tensor<16xi32, #layout65>
    %311 = arith.andi %309, %310 : tensor<16xi32, #layout65>
    %312 = arith.constant dense<64> : tensor<16xi32> as tensor<16xi32, #layout65>
    %313 = arith.muli %311, %312 : tensor<16xi32, #layout65>
    %314 = arith.constant dense<6> : tensor<16xi32> as tensor<16xi32, #layout65>
    %315 = arith.shrsi %313, %314 : tensor<16xi32, #layout65>
    %316 = arith.constant dense<1> : tensor<16xi32> as tensor<16xi32, #layout65>
    %317 = arith.andi %315, %316 : tensor<16xi32, #layout65>
    %318 = arith.constant dense<0> : tensor<16xi32> as tensor<16xi32, #layout65>
    %319 = arith.cmpi eq, %317, %318 : tensor<16xi32, #layout65>
    %320 = nv_tileas.convert_layout %319 : tensor<16xi1, #layout65> -> tensor<16xi1, #layout66>
    %321 = nv_tileas.reshape %320 : tensor<16xi1, #layout66> -> tensor<16x1x1xi1, #layout67>
    %322 = arith.cmpf ogt, %307, %308 : tensor<16x1x32xf32, #layout64>
    %323 = nv_tileas.broadcast %321 : tensor<16x1x1xi1, #layout67> -> tensor<16x1x32xi1, #layout64>
    %324 = arith.cmpi eq, %322, %323 : tensor<16x1x32xi1, #layout64>
    %325 = arith.select %324, %308, %307 : tensor<16x1x32xi1, #layout64>, tensor<16x1x32xf32, #layout64>
    %326 = arith.select %324, %307, %308 : tensor<16x1x32xi1, #layout64>, tensor<16x1x32xf32, #layout64>
    %327 = nv_tileas.cat %325, %326 dim 1 : tensor<16x1x32xf32, #layout64>, tensor<16x1x32xf32, #layout64> -> tensor<16x2x32xf32, #layout63>
    %328 = nv_tileas.reshape %327 : tensor<16x2x32xf32, #layout63> -> tensor<32x2x16xf32, #layout68>
    %329 = nv_tileas.convert_layout %328 : tensor<32x2x16xf32, #layout68> -> tensor<32x2x16xf32, #layout69>
    %330 = nv_tileas.extract %329[%0, %0, %0] : tensor<32x2x16xf32, #layout69>, i32, i32, i32 -> tensor<32x1x16xf32, #layout70>
    %331 = nv_tileas.extract %329[%0, %1, %0] : tensor<32x2x16xf32, #layout69>, i32, i32, i32 -> tensor<32x1x16xf32, #layout70>
    %332 = arith.constant dense<6> : tensor<32xi32> as tensor<32xi32, #layout44>
    %333 = arith.shrsi %219, %332 : tensor<32xi32, #layout44>
    %334 = arith.constant dense<1> : tensor<32xi32> as tensor<32xi32, #layout44>
    %335 = arith.andi %333, %334 : tensor<32xi32, #layout44>
    %336 = arith.constant dense<0> : tensor<32xi32> as tensor<32xi32, #layout44>
    %337 = arith.cmpi eq, %335, %336 : tensor<32xi32, #layout44>
    %338 = nv_tileas.reshape %337 : tensor<32xi1, #layout44> -> tensor<32x1x1xi1, #layout71>
    %339 = arith.cmpf ogt, %330, %331 : tensor<32x1x16xf32, #layout70>
    %340 = nv_tileas.convert_layout %338 : tensor<32x1x1xi1, #layout71> -> tensor<32x1x1xi1, #layout72>
    %341 = nv_tileas.broadcast %340 : tensor<32x1x1xi1, #layout72> -> tensor<32x1x16xi1, #layout70>
    %342 = arith.cmpi eq, %339, %341 : tensor<32x1x16xi1, #layout70>
    %343 = arith.select %342, %331, %330 : tensor<32x1x16xi1, #layout70>, tensor<32x1x16xf32, #layout70>
    %344 = arith.select %342, %330, %331 : tensor<32x1x16xi1, #layout70>, tensor<32x1x16xf32, #layout70>
    %345 = nv_tileas.cat %343, %344 dim 1 : tensor<32x1x16xf32, #layout70>, tensor<32x1x16xf32, #layout70> -> tensor<32x2x16xf32, #layout69>
    %346 = nv_tileas.reshape %345 : tensor<32x2x16xf32, #layout69> -> tensor<64x2x8xf32, #layout73>
    %347 = nv_tileas.convert_layout %346 : tensor<64x2x8xf32, #layout73> -> tensor<64x2x8xf32, #layout74>
    %348 = nv_tileas.extract %347[%0, %0, %0] : tensor<64x2x8xf32, #layout74>, i32, i32, i32 -> tensor<64x1x8xf32, #layout75>
    %349 = nv_tileas.extract %347[%0, %1, %0] : tensor<64x2x8xf32, #layout74>, i32, i32, i32 -> tensor<64x1x8xf32, #layout75>
    %350 = arith.constant dense<6> : tensor<64xi32> as tensor<64xi32, #layout28>
    %351 = arith.shrsi %144, %350 : tensor<64xi32, #layout28>
    %352 = arith.constant dense<1> : tensor<64xi32> as tensor<64xi32, #layout28>
    %353 = arith.andi %351, %352 : tensor<64xi32, #layout28>
    %354 = arith.constant dense<0> : tensor<64xi32> as tensor<64xi32, #layout28>
    %355 = arith.cmpi eq, %353, %354 : tensor<64xi32, #layout28>
    %356 = nv_tileas.reshape %355 : tensor<64xi1, #layout28> -> tensor<64x1x1xi1, #layout29>
    %357 = arith.cmpf ogt, %348, %349 : tensor<64x1x8xf32, #layout75>
    %358 = nv_tileas.convert_layout %356 : tensor<64x1x1xi1, #layout29> -> tensor<64x1x1xi1, #layout76>
    %359 = nv_tileas.broadcast %358 : tensor<64x1x1xi1, #layout76> -> tensor<64x1x8xi1, #layout75>
    %360 = arith.cmpi eq, %357, %359 : tensor<64x1x8xi1, #layout75>
    %361 = arith.select %360, %349, %348 : tensor<64x1x8xi1, #layout75>, tensor<64x1x8xf32, #layout75>
    %362 = arith.select %360, %348, %349 : tensor<64x1x8xi1, #layout75>, tensor<64x1x8xf32, #layout75>
    %363 = nv_tileas.cat %361, %362 dim 1 : tensor<64x1x8xf32, #layout75>, tensor<64x1x8xf32, #layout75> -> tensor<64x2x8xf32, #layout74>
    %364 = nv_tileas.reshape %363 : tensor<64x2x8xf32, #layout74> -> tensor<128x2x4xf32, #layout77>
    %365 = nv_tileas.convert_layout %364 : tensor<128x2x4xf32, #layout77> -> tensor<128x2x4xf32, #layout78>
    %366 = nv_tileas.extract %365[%0, %0, %0] : tensor<128x2x4xf32, #layout78>, i32, i32, i32 -> tensor<128x1x4xf32, #layout79>
    %367 = nv_tileas.extract %365[%0, %1, %0] : tensor<128x2x4xf32, #layout78>, i32, i32, i32 -> tensor<128x1x4xf32, #layout79>
    %368 = arith.constant dense<6> : tensor<128xi32> as tensor<128xi32, #layout16>
    %369 = arith.shrsi %87, %368 : tensor<128xi32, #layout16>
    %370 = arith.constant dense<1> : tensor<128xi32> as tensor<128xi32, #layout16>
    %371 = arith.andi %369, %370 : tensor<128xi32, #layout16>
    %372 = arith.constant dense<0> : tensor<128xi32> as tensor<128xi32, #layout16>
    %373 = arith.cmpi eq, %371, %372 : tensor<128xi32, #layout16>
    %374 = nv_tileas.reshape %373 : tensor<128xi1, #layout16> -> tensor<128x1x1xi1, #layout17>
    %375 = arith.cmpf ogt, %366, %367 : tensor<128x1x4xf32, #layout79>
    %376 = nv_tileas.convert_layout %374 : tensor<128x1x1xi1, #layout17> -> tensor<128x1x1xi1, #layout80>
    %377 = nv_tileas.broadcast %376 : tensor<128x1x1xi1, #layout80> -> tensor<128x1x4xi1, #layout79>
    %378 = arith.cmpi eq, %375, %377 : tensor<128x1x4xi1, #layout79>
    %379 = arith.select %378, %367, %366 : tensor<128x1x4xi1, #layout79>, tensor<128x1x4xf32, #layout79>
    %380 = arith.select %378, %366, %367 : tensor<128x1x4xi1, #layout79>, tensor<128x1x4xf32, #layout79>
    %381 = nv_tileas.cat %379, %380 dim 1 : tensor<128x1x4xf32, #layout79>, tensor<128x1x4xf32, #layout79> -> tensor<128x2x4xf32, #layout78>
    %382 = nv_tileas.reshape %381 : tensor<128x2x4xf32, #layout78> -> tensor<256x2x2xf32, #layout81>
    %383 = nv_tileas.convert_layout %382 : tensor<256x2x2xf32, #layout81> -> tensor<256x2x2xf32, #layout82>
    %384 = nv_tileas.extract %383[%0, %0, %0] : tensor<256x2x2xf32, #layout82>, i32, i32, i32 -> tensor<256x1x2xf32, #layout83>
    %385 = nv_tileas.extract %383[%0, %1, %0] : tensor<256x2x2xf32, #layout82>, i32, i32, i32 -> tensor<256x1x2xf32, #layout83>
    %386 = arith.constant dense<6> : tensor<256xi32> as tensor<256xi32, #layout8>
    %387 = arith.shrsi %48, %386 : tensor<256xi32, #layout8>
    %388 = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #layout8>
    %389 = arith.andi %387, %388 : tensor<256xi32, #layout8>
    %390 = arith.constant dense<0> : tensor<256xi32> as tensor<256xi32, #layout8>
    %391 = arith.cmpi eq, %389, %390 : tensor<256xi32, #layout8>
    %392 = nv_tileas.reshape %391 : tensor<256xi1, #layout8> -> tensor<256x1x1xi1, #layout9>
    %393 = arith.cmpf ogt, %384, %385 : tensor<256x1x2xf32, #layout83>
    %394 = nv_tileas.convert_layout %392 : tensor<256x1x1xi1, #layout9> -> tensor<256x1x1xi1, #layout84>
    %395 = nv_tileas.broadcast %394 : tensor<256x1x1xi1, #layout84> -> tensor<256x1x2xi1, #layout83>
    %396 = arith.cmpi eq, %393, %395 : tensor<256x1x2xi1, #layout83>
    %397 = arith.select %396, %385, %384 : tensor<256x1x2xi1, #layout83>, tensor<256x1x2xf32, #layout83>
    %398 = arith.select %396, %384, %385 : tensor<256x1x2xi1, #layout83>, tensor<256x1x2xf32, #layout83>
    %399 = nv_tileas.cat %397, %398 dim 1 : tensor<256x1x2xf32, #layout83>, tensor<256x1x2xf32, #layout83> -> tensor<256x2x2xf32, #layout82>
    %400 = nv_tileas.reshape %399 : tensor<256x2x2xf32, #layout82> -> tensor<512x2x1xf32, #layout85>
    %401 = nv_tileas.convert_layout %400 : tensor<512x2x1xf32, #layout85> -> tensor<512x2x1xf32, #layout86>
    %402 = nv_tileas.extract %401[%0, %0, %0] : tensor<512x2x1xf32, #layout86>, i32, i32, i32 -> tensor<512x1x1xf32, #layout87>
    %403 = nv_tileas.extract %401[%0, %1, %0] : tensor<512x2x1xf32, #layout86>, i32, i32, i32 -> tensor<512x1x1xf32, #layout87>
    %404 = arith.constant dense<6> : tensor<512xi32> as tensor<512xi32, #layout4>
    %405 = arith.shrsi %27, %404 : tensor<512xi32, #layout4>
    %406 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %407 = arith.andi %405, %406 : tensor<512xi32, #layout4>
    %408 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout4>
    %409 = arith.cmpi eq, %407, %408 : tensor<512xi32, #layout4>
    %410 = nv_tileas.reshape %409 : tensor<512xi1, #layout4> -> tensor<512x1x1xi1, #layout3>
    %411 = nv_tileas.convert_layout %410 : tensor<512x1x1xi1, #layout3> -> tensor<512x1x1xi1, #layout87>
    %412 = arith.cmpf ogt, %402, %403 : tensor<512x1x1xf32, #layout87>
    %413 = arith.cmpi eq, %412, %411 : tensor<512x1x1xi1, #layout87>
    %414 = arith.select %413, %403, %402 : tensor<512x1x1xi1, #layout87>, tensor<512x1x1xf32, #layout87>
    %415 = arith.select %413, %402, %403 : tensor<512x1x1xi1, #layout87>, tensor<512x1x1xf32, #layout87>
    %416 = nv_tileas.cat %414, %415 dim 1 : tensor<512x1x1xf32, #layout87>, tensor<512x1x1xf32, #layout87> -> tensor<512x2x1xf32, #layout86>
    %417 = nv_tileas.reshape %416 : tensor<512x2x1xf32, #layout86> -> tensor<8x2x64xf32, #layout88>
    %418 = nv_tileas.convert_layout %417 : tensor<8x2x64xf32, #layout88> -> tensor<8x2x64xf32, #layout89>
    %419 = nv_tileas.extract %418[%0, %0, %0] : tensor<8x2x64xf32, #layout89>, i32, i32, i32 -> tensor<8x1x64xf32, #layout90>
    %420 = nv_tileas.extract %418[%0, %1, %0] : tensor<8x2x64xf32, #layout89>, i32, i32, i32 -> tensor<8x1x64xf32, #layout90>
    %421 = nv_tileas.make_range : tensor<8xi32, #layout91>
    %422 = arith.constant dense<1> : tensor<8xi32> as tensor<8xi32, #layout91>
    %423 = arith.andi %421, %422 : tensor<8xi32, #layout91>
    %424 = arith.constant dense<128> : tensor<8xi32> as tensor<8xi32, #layout91>
    %425 = arith.muli %423, %424 : tensor<8xi32, #layout91>
    %426 = arith.constant dense<7> : tensor<8xi32> as tensor<8xi32, #layout91>
    %427 = arith.shrsi %425, %426 : tensor<8xi32, #layout91>
    %428 = arith.constant dense<1> : tensor<8xi32> as tensor<8xi32, #layout91>
    %429 = arith.andi %427, %428 : tensor<8xi32, #layout91>
    %430 = arith.constant dense<0> : tensor<8xi32> as tensor<8xi32, #layout91>
    %431 = arith.cmpi eq, %429, %430 : tensor<8xi32, #layout91>
    %432 = nv_tileas.convert_layout %431 : tensor<8xi1, #layout91> -> tensor<8xi1, #layout92>
    %433 = nv_tileas.reshape %432 : tensor<8xi1, #layout92> -> tensor<8x1x1xi1, #layout93>
    %434 = arith.cmpf ogt, %419, %420 : tensor<8x1x64xf32, #layout90>
    %435 = nv_tileas.broadcast %433 : tensor<8x1x1xi1, #layout93> -> tensor<8x1x64xi1, #layout90>
    %436 = arith.cmpi eq, %434, %435 : tensor<8x1x64xi1, #layout90>
    %437 = arith.select %436, %420, %419 : tensor<8x1x64xi1, #layout90>, tensor<8x1x64xf32, #layout90>
    %438 = arith.select %436, %419, %420 : tensor<8x1x64xi1, #layout90>, tensor<8x1x64xf32, #layout90>
    %439 = nv_tileas.cat %437, %438 dim 1 : tensor<8x1x64xf32, #layout90>, tensor<8x1x64xf32, #layout90> -> tensor<8x2x64xf32, #layout89>
    %440 = nv_tileas.reshape %439 : tensor<8x2x64xf32, #layout89> -> tensor<16x2x32xf32, #layout94>
    %441 = nv_tileas.convert_layout %440 : tensor<16x2x32xf32, #layout94> -> tensor<16x2x32xf32, #layout95>
    %442 = nv_tileas.extract %441[%0, %0, %0] : tensor<16x2x32xf32, #layout95>, i32, i32, i32 -> tensor<16x1x32xf32, #layout96>
    %443 = nv_tileas.extract %441[%0, %1, %0] : tensor<16x2x32xf32, #layout95>, i32, i32, i32 -> tensor<16x1x32xf32, #layout96>
    %444 = arith.constant dense<7> : tensor<16xi32> as tensor<16xi32, #layout65>
    %445 = arith.shrsi %313, %444 : tensor<16xi32, #layout65>
    %446 = arith.constant dense<1> : tensor<16xi32> as tensor<16xi32, #layout65>
    %447 = arith.andi %445, %446 : tensor<16xi32, #layout65>
    %448 = arith.constant dense<0> : tensor<16xi32> as tensor<16xi32, #layout65>
    %449 = arith.cmpi eq, %447, %448 : tensor<16xi32, #layout65>
    %450 = nv_tileas.reshape %449 : tensor<16xi1, #layout65> -> tensor<16x1x1xi1, #layout97>
    %451 = arith.cmpf ogt, %442, %443 : tensor<16x1x32xf32, #layout96>
    %452 = nv_tileas.convert_layout %450 : tensor<16x1x1xi1, #layout97> -> tensor<16x1x1xi1, #layout98>
    %453 = nv_tileas.broadcast %452 : tensor<16x1x1xi1, #layout98> -> tensor<16x1x32xi1, #layout96>
    %454 = arith.cmpi eq, %451, %453 : tensor<16x1x32xi1, #layout96>
    %455 = arith.select %454, %443, %442 : tensor<16x1x32xi1, #layout96>, tensor<16x1x32xf32, #layout96>
    %456 = arith.select %454, %442, %443 : tensor<16x1x32xi1, #layout96>, tensor<16x1x32xf32, #layout96>
    %457 = nv_tileas.cat %455, %456 dim 1 : tensor<16x1x32xf32, #layout96>, tensor<16x1x32xf32, #layout96> -> tensor<16x2x32xf32, #layout95>
    %458 = nv_tileas.reshape %457 : tensor<16x2x32xf32, #layout95> -> tensor<32x2x16xf32, #layout99>
    %459 = nv_tileas.convert_layout %458 : tensor<32x2x16xf32, #layout99> -> tensor<32x2x16xf32, #layout100>
    %460 = nv_tileas.extract %459[%0, %0, %0] : tensor<32x2x16xf32, #layout100>, i32, i32, i32 -> tensor<32x1x16xf32, #layout101>
    %461 = nv_tileas.extract %459[%0, %1, %0] : tensor<32x2x16xf32, #layout100>, i32, i32, i32 -> tensor<32x1x16xf32, #layout101>
    %462 = arith.constant dense<7> : tensor<32xi32> as tensor<32xi32, #layout44>
    %463 = arith.shrsi %219, %462 : tensor<32xi32, #layout44>
    %464 = arith.constant dense<1> : tensor<32xi32> as tensor<32xi32, #layout44>
    %465 = arith.andi %463, %464 : tensor<32xi32, #layout44>
    %466 = arith.constant dense<0> : tensor<32xi32> as tensor<32xi32, #layout44>
    %467 = arith.cmpi eq, %465, %466 : tensor<32xi32, #layout44>
    %468 = nv_tileas.reshape %467 : tensor<32xi1, #layout44> -> tensor<32x1x1xi1, #layout71>
    %469 = arith.cmpf ogt, %460, %461 : tensor<32x1x16xf32, #layout101>
    %470 = nv_tileas.convert_layout %468 : tensor<32x1x1xi1, #layout71> -> tensor<32x1x1xi1, #layout102>
    %471 = nv_tileas.broadcast %470 : tensor<32x1x1xi1, #layout102> -> tensor<32x1x16xi1, #layout101>
    %472 = arith.cmpi eq, %469, %471 : tensor<32x1x16xi1, #layout101>
    %473 = arith.select %472, %461, %460 : tensor<32x1x16xi1, #layout101>, tensor<32x1x16xf32, #layout101>
    %474 = arith.select %472, %460, %461 : tensor<32x1x16xi1, #layout101>, tensor<32x1x16xf32, #layout101>
    %475 = nv_tileas.cat %473, %474 dim 1 : tensor<32x1x16xf32, #layout101>, tensor<32x1x16xf32, #layout101> -> tensor<32x2x16xf32, #layout100>
    %476 = nv_tileas.reshape %475 : tensor<32x2x16xf32, #layout100> -> tensor<64x2x8xf32, #layout103>
    %477 = nv_tileas.convert_layout %476 : tensor<64x2x8xf32, #layout103> -> tensor<64x2x8xf32, #layout104>
    %478 = nv_tileas.extract %477[%0, %0, %0] : tensor<64x2x8xf32, #layout104>, i32, i32, i32 -> tensor<64x1x8xf32, #layout105>
    %479 = nv_tileas.extract %477[%0, %1, %0] : tensor<64x2x8xf32, #layout104>, i32, i32, i32 -> tensor<64x1x8xf32, #layout105>
    %480 = arith.constant dense<7> : tensor<64xi32> as tensor<64xi32, #layout28>
    %481 = arith.shrsi %144, %480 : tensor<64xi32, #layout28>
    %482 = arith.constant dense<1> : tensor<64xi32> as tensor<64xi32, #layout28>
    %483 = arith.andi %481, %482 : tensor<64xi32, #layout28>
    %484 = arith.constant dense<0> : tensor<64xi32> as tensor<64xi32, #layout28>
    %485 = arith.cmpi eq, %483, %484 : tensor<64xi32, #layout28>
    %486 = nv_tileas.reshape %485 : tensor<64xi1, #layout28> -> tensor<64x1x1xi1, #layout29>
    %487 = arith.cmpf ogt, %478, %479 : tensor<64x1x8xf32, #layout105>
    %488 = nv_tileas.convert_layout %486 : tensor<64x1x1xi1, #layout29> -> tensor<64x1x1xi1, #layout106>
    %489 = nv_tileas.broadcast %488 : tensor<64x1x1xi1, #layout106> -> tensor<64x1x8xi1, #layout105>
    %490 = arith.cmpi eq, %487, %489 : tensor<64x1x8xi1, #layout105>
    %491 = arith.select %490, %479, %478 : tensor<64x1x8xi1, #layout105>, tensor<64x1x8xf32, #layout105>
    %492 = arith.select %490, %478, %479 : tensor<64x1x8xi1, #layout105>, tensor<64x1x8xf32, #layout105>
    %493 = nv_tileas.cat %491, %492 dim 1 : tensor<64x1x8xf32, #layout105>, tensor<64x1x8xf32, #layout105> -> tensor<64x2x8xf32, #layout104>
    %494 = nv_tileas.reshape %493 : tensor<64x2x8xf32, #layout104> -> tensor<128x2x4xf32, #layout107>
    %495 = nv_tileas.convert_layout %494 : tensor<128x2x4xf32, #layout107> -> tensor<128x2x4xf32, #layout108>
    %496 = nv_tileas.extract %495[%0, %0, %0] : tensor<128x2x4xf32, #layout108>, i32, i32, i32 -> tensor<128x1x4xf32, #layout109>
    %497 = nv_tileas.extract %495[%0, %1, %0] : tensor<128x2x4xf32, #layout108>, i32, i32, i32 -> tensor<128x1x4xf32, #layout109>
    %498 = arith.constant dense<7> : tensor<128xi32> as tensor<128xi32, #layout16>
    %499 = arith.shrsi %87, %498 : tensor<128xi32, #layout16>
    %500 = arith.constant dense<1> : tensor<128xi32> as tensor<128xi32, #layout16>
    %501 = arith.andi %499, %500 : tensor<128xi32, #layout16>
    %502 = arith.constant dense<0> : tensor<128xi32> as tensor<128xi32, #layout16>
    %503 = arith.cmpi eq, %501, %502 : tensor<128xi32, #layout16>
    %504 = nv_tileas.reshape %503 : tensor<128xi1, #layout16> -> tensor<128x1x1xi1, #layout17>
    %505 = arith.cmpf ogt, %496, %497 : tensor<128x1x4xf32, #layout109>
    %506 = nv_tileas.convert_layout %504 : tensor<128x1x1xi1, #layout17> -> tensor<128x1x1xi1, #layout110>
    %507 = nv_tileas.broadcast %506 : tensor<128x1x1xi1, #layout110> -> tensor<128x1x4xi1, #layout109>
    %508 = arith.cmpi eq, %505, %507 : tensor<128x1x4xi1, #layout109>
    %509 = arith.select %508, %497, %496 : tensor<128x1x4xi1, #layout109>, tensor<128x1x4xf32, #layout109>
    %510 = arith.select %508, %496, %497 : tensor<128x1x4xi1, #layout109>, tensor<128x1x4xf32, #layout109>
    %511 = nv_tileas.cat %509, %510 dim 1 : tensor<128x1x4xf32, #layout109>, tensor<128x1x4xf32, #layout109> -> tensor<128x2x4xf32, #layout108>
    %512 = nv_tileas.reshape %511 : tensor<128x2x4xf32, #layout108> -> tensor<256x2x2xf32, #layout111>
    %513 = nv_tileas.convert_layout %512 : tensor<256x2x2xf32, #layout111> -> tensor<256x2x2xf32, #layout112>
    %514 = nv_tileas.extract %513[%0, %0, %0] : tensor<256x2x2xf32, #layout112>, i32, i32, i32 -> tensor<256x1x2xf32, #layout113>
    %515 = nv_tileas.extract %513[%0, %1, %0] : tensor<256x2x2xf32, #layout112>, i32, i32, i32 -> tensor<256x1x2xf32, #layout113>
    %516 = arith.constant dense<7> : tensor<256xi32> as tensor<256xi32, #layout8>
    %517 = arith.shrsi %48, %516 : tensor<256xi32, #layout8>
    %518 = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #layout8>
    %519 = arith.andi %517, %518 : tensor<256xi32, #layout8>
    %520 = arith.constant dense<0> : tensor<256xi32> as tensor<256xi32, #layout8>
    %521 = arith.cmpi eq, %519, %520 : tensor<256xi32, #layout8>
    %522 = nv_tileas.reshape %521 : tensor<256xi1, #layout8> -> tensor<256x1x1xi1, #layout9>
    %523 = arith.cmpf ogt, %514, %515 : tensor<256x1x2xf32, #layout113>
    %524 = nv_tileas.convert_layout %522 : tensor<256x1x1xi1, #layout9> -> tensor<256x1x1xi1, #layout114>
    %525 = nv_tileas.broadcast %524 : tensor<256x1x1xi1, #layout114> -> tensor<256x1x2xi1, #layout113>
    %526 = arith.cmpi eq, %523, %525 : tensor<256x1x2xi1, #layout113>
    %527 = arith.select %526, %515, %514 : tensor<256x1x2xi1, #layout113>, tensor<256x1x2xf32, #layout113>
    %528 = arith.select %526, %514, %515 : tensor<256x1x2xi1, #layout113>, tensor<256x1x2xf32, #layout113>
    %529 = nv_tileas.cat %527, %528 dim 1 : tensor<256x1x2xf32, #layout113>, tensor<256x1x2xf32, #layout113> -> tensor<256x2x2xf32, #layout112>
    %530 = nv_tileas.reshape %529 : tensor<256x2x2xf32, #layout112> -> tensor<512x2x1xf32, #layout115>
    %531 = nv_tileas.convert_layout %530 : tensor<512x2x1xf32, #layout115> -> tensor<512x2x1xf32, #layout116>
    %532 = nv_tileas.extract %531[%0, %0, %0] : tensor<512x2x1xf32, #layout116>, i32, i32, i32 -> tensor<512x1x1xf32, #layout117>
    %533 = nv_tileas.extract %531[%0, %1, %0] : tensor<512x2x1xf32, #layout116>, i32, i32, i32 -> tensor<512x1x1xf32, #layout117>
    %534 = arith.constant dense<7> : tensor<512xi32> as tensor<512xi32, #layout4>
    %535 = arith.shrsi %27, %534 : tensor<512xi32, #layout4>
    %536 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout4>
    %537 = arith.andi %535, %536 : tensor<512xi32, #layout4>
    %538 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout4>
    %539 = arith.cmpi eq, %537, %538 : tensor<512xi32, #layout4>
    %540 = nv_tileas.reshape %539 : tensor<512xi1, #layout4> -> tensor<512x1x1xi1, #layout3>
    %541 = nv_tileas.convert_layout %540 : tensor<512x1x1xi1, #layout3> -> tensor<512x1x1xi1, #layout117>
    %542 = arith.cmpf ogt, %532, %533 : tensor<512x1x1xf32, #layout117>
    %543 = arith.cmpi eq, %542, %541 : tensor<512x1x1xi1, #layout117>
    %544 = arith.select %543, %533, %532 : tensor<512x1x1xi1, #layout117>, tensor<512x1x1xf32, #layout117>
    %545 = arith.select %543, %532, %533 : tensor<512x1x1xi1, #layout117>, tensor<512x1x1xf32, #layout117>
    %546 = nv_tileas.cat %544, %545 dim 1 : tensor<512x1x1xf32, #layout117>, tensor<512x1x1xf32, #layout117> -> tensor<512x2x1xf32, #layout116>
    %547 = nv_tileas.reshape %546 : tensor<512x2x1xf32, #layout116> -> tensor<4x2x128xf32, #layout118>
    %548 = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<4x2x128xf32, #shared>
    nv_tileas.local_store %547, %548 : tensor<4x2x128xf32, #layout118>, !nv_tileas.buffer<4x2x128xf32, #shared>
    nv_tileas.barrier
    %549 = nv_tileas.local_load %548 : !nv_tileas.buffer<4x2x128xf32, #shared> -> tensor<4x2x128xf32, #layout119>
    %550 = nv_tileas.extract %549[%0, %0, %0] : tensor<4x2x128xf32, #layout119>, i32, i32, i32 -> tensor<4x1x128xf32, #layout120>
    %551 = nv_tileas.extract %549[%0, %1, %0] : tensor<4x2x128xf32, #layout119>, i32, i32, i32 -> tensor<4x1x128xf32, #layout120>
    %552 = arith.cmpf ogt, %550, %551 : tensor<4x1x128xf32, #layout120>
    %553 = arith.constant dense<true> : tensor<4x1x128xi1> as tensor<4x1x128xi1, #layout120>
    %554 = arith.cmpi eq, %552, %553 : tensor<4x1x128xi1, #layout120>
    %555 = arith.select %554, %551, %550 : tensor<4x1x128xi1, #layout120>, tensor<4x1x128xf32, #layout120>
    %556 = arith.select %554, %550, %551 : tensor<4x1x128xi1, #layout120>, tensor<4x1x128xf32, #layout120>
    %557 = nv_tileas.cat %555, %556 dim 1 : tensor<4x1x128xf32, #layout120>, tensor<4x1x128xf32, #layout120> -> tensor<4x2x128xf32, #layout119>
    %558 = nv_tileas.reshape %557 : tensor<4x2x128xf32, #layout119> -> tensor<8x2x64xf32, #layout121>
    %559 = nv_tileas.convert_layout %558 : tensor<8x2x64xf32, #layout121> -> tensor<8x2x64xf32, #layout122>
    %560 = nv_tileas.extract %559[%0, %0, %0] : tensor<8x2x64xf32, #layout122>, i32, i32, i32 -> tensor<8x1x64xf32, #layout123>
    %561 = nv_tileas.extract %559[%0, %1, %0] : tensor<8x2x64xf32, #layout122>, i32, i32, i32 -> tensor<8x1x64xf32, #layout123>
    %562 = arith.constant dense<8> : tensor<8xi32> as tensor<8xi32, #layout91>
    %563 = arith.shrsi %425, %562 : tensor<8xi32, #layout91>
    %564 = arith.constant dense<1> : tensor<8xi32> as tensor<8xi32, #layout91>
    %565 = arith.andi %563, %564 : tensor<8xi32, #layout91>
    %566 = arith.constant dense<0> : tensor<8xi32> as tensor<8xi32, #layout91>
    %567 = arith.cmpi eq, %565, %566 : tensor<8xi32, #layout91>
    %568 = nv_tileas.reshape %567 : tensor<8xi1, #layout91> -> tensor<8x1x1xi1, #layout124>
    %569 = arith.cmpf ogt, %560, %561 : tensor<8x1x64xf32, #layout123>
    %570 = nv_tileas.broadcast %568 : tensor<8x1x1xi1, #layout124> -> tensor<8x1x64xi1, #layout123>
    %571 = arith.cmpi eq, %569, %570 : tensor<8x1x64xi1, #layout123>
    %572 = arith.select %571, %561, %560 : tensor<8x1x64xi1, #layout123>, tensor<8x1x64xf32, #layout123>
    %573 = arith.select %571, %560, %561 : tensor<8x1x64xi1, #layout123>, tensor<8x1x64xf32, #layout123>
    %574 = nv_tileas.cat %572, %573 dim 1 : tensor<8x1x64xf32, #layout123>, tensor<8x1x64xf32, #layout123> -> tensor<8x2x64xf32, #layout122>
    %575 = nv_tileas.reshape %574 : tensor<8x2x64xf32, #layout122> -> tensor<16x2x32xf32, #layout125>
    %576 = nv_tileas.convert_layout %575 : tensor<16x2x32xf32, #layout125> -> tensor<16x2x32xf32, #layout126>
    %577 = nv_tileas.extract %576[%0, %0, %0] : tensor<16x2x32xf32, #layout126>, i32, i32, i32 -> tensor<16x1x32xf32, #layout127>
    %578 = nv_tileas.extract %576[%0, %1, %0] : tensor<16x2x32xf32, #layout126>, i32, i32, i32 -> tensor<16x1x32xf32, #layout127>
    %579 = arith.constant dense<8> : tensor<16xi32> as tensor<16xi32, #layout65>
    %580 = arith.shrsi %313, %579 : tensor<16xi32, #layout65>
    %581 = arith.constant dense<1> : tensor<16xi32> as tensor<16xi32, #layout65>
    %582 = arith.andi %580, %581 : tensor<16xi32, #layout65>
    %583 = arith.constant dense<0> : tensor<16xi32> as tensor<16xi32, #layout65>
    %584 = arith.cmpi eq, %582, %583 : tensor<16xi32, #layout65>
    %585 = nv_tileas.reshape %584 : tensor<16xi1, #layout65> -> tensor<16x1x1xi1, #layout97>
    %586 = arith.cmpf ogt, %577, %578 : tensor<16x1x32xf32, #layout127>
    %587 = nv_tileas.broadcast %585 : tensor<16x1x1xi1, #layout97> -> tensor<16x1x32xi1, #layout127>
    %588 = arith.cmpi eq, %586, %587 : tensor<16x1x32xi1, #layout127>
    %589 = arith.select %588, %578, %577 : tensor<16x1x32xi1, #layout127>, tensor<16x1x32xf32, #layout127>
    %590 = arith.select %588, %577, %578 : tensor<16x1x32xi1, #layout127>, tensor<16x1x32xf32, #layout127>
    %591 = nv_tileas.cat %589, %590 dim 1 : tensor<16x1x32xf32, #layout127>, tensor<16x1x32xf32, #layout127> -> tensor<16x2x32xf32, #layout126>
    %592 = nv_tileas.reshape %591 : tensor<16x2x32xf32, #layout126> -> tensor<32x2x16xf32, #layout128>
    %593 = nv_tileas.convert_layout %592 : tensor<32x2x16xf32, #layout128> -> tensor<32x2x16xf32, #layout129>
    %594 = nv_tileas.extract %593[%0, %0, %0] : tensor<32x2x16xf32, #layout129>, i32, i32, i32 -> tensor<32x1x16xf32, #layout130>
    %595 = nv_tileas.extract %593[%0, %1, %0] : tensor<32x2x16xf32, #layout129>, i32, i32, i32 -> tensor<32x1x16xf32, #layout130>
    %596 = arith.constant dense<8> : tensor<32xi32> as tensor<32xi32, #layout44>
    %597 = arith.shrsi %219, %596 : tensor<32xi32, #layout44>
    %598 = arith.constant dense<1> : tensor<32xi32> as tensor<32xi32, #layout44>
    %599 = arith.andi %597, %598 : tensor<32xi32, #layout44>
    %600 = arith.constant dense<0> : tensor<32xi32> as tensor<32xi32, #layout44>
    %601 = arith.cmpi eq, %599, %600 : tensor<32xi32, #layout44>
    %602 = nv_tileas.reshape %601 : tensor<32xi1, #layout44> -> tensor<32x1x1xi1, #layout71>
    %603 = arith.cmpf ogt, %594, %595 : tensor<32x1x16xf32, #layout130>
    %604 = nv_tileas.broadcast %602 : tensor<32x1x1xi1, #layout71> -> tensor<32x1x16xi1, #layout130>
    %605 = arith.cmpi eq, %603, %604 : tensor<32x1x16xi1, #layout130>
    %606 = arith.select %605, %595, %594 : tensor<32x1x16xi1, #layout130>, tensor<32x1x16xf32, #layout130>
    %607 = arith.select %605, %594, %595 : tensor<32x1x16xi1, #layout130>, tensor<32x1x16xf32, #layout130>
    %608 = nv_tileas.cat %606, %607 dim 1 : tensor<32x1x16xf32, #layout130>, tensor<32x1x16xf32, #layout130> -> tensor<32x2x16xf32, #layout129>
    %609 = nv_tileas.reshape %608 : tensor<32x2x16xf32, #layout129> -> tensor<64x2x8xf32, #layout131>
    %610 = nv_tileas.convert_layout %609 : tensor<64x2x8xf32, #layout131> -> tensor<64x2x8xf32, #layout132>
    %611 = nv_tileas.extract %610[%0, %0, %0] : tensor<64x2x8xf32, #layout132>, i32, i32, i32 -> tensor<64x1x8xf32, #layout133>
    %612 = nv_tileas.extract %610[%0, %1, %0] : tensor<64x2x8xf32, #layout132>, i32, i32, i32 -> tensor<64x1x8xf32, #layout133>
    %613 = arith.cmpf ogt, %611, %612 : tensor<64x1x8xf32, #layout133>
    %614 = nv_tileas.make_range : tensor<64xi32, #layout134>
    %615 = arith.constant dense<15> : tensor<64xi32> as tensor<64xi32, #layout134>
    %616 = arith.andi %614, %615 : tensor<64xi32, #layout134>
    %617 = arith.constant dense<16> : tensor<64xi32> as tensor<64xi32, #layout134>
    %618 = arith.muli %616, %617 : tensor<64xi32, #layout134>
    %619 = arith.constant dense<8> : tensor<64xi32> as tensor<64xi32, #layout134>
    %620 = arith.shrsi %618, %619 : tensor<64xi32, #layout134>
    %621 = arith.constant dense<1> : tensor<64xi32> as tensor<64xi32, #layout134>
    %622 = arith.andi %620, %621 : tensor<64xi32, #layout134>
    %623 = arith.constant dense<0> : tensor<64xi32> as tensor<64xi32, #layout134>
    %624 = arith.cmpi eq, %622, %623 : tensor<64xi32, #layout134>
    %625 = nv_tileas.reshape %624 : tensor<64xi1, #layout134> -> tensor<64x1x1xi1, #layout135>
    %626 = nv_tileas.broadcast %625 : tensor<64x1x1xi1, #layout135> -> tensor<64x1x8xi1, #layout133>
    %627 = arith.cmpi eq, %613, %626 : tensor<64x1x8xi1, #layout133>
    %628 = arith.select %627, %612, %611 : tensor<64x1x8xi1, #layout133>, tensor<64x1x8xf32, #layout133>
    %629 = arith.select %627, %611, %612 : tensor<64x1x8xi1, #layout133>, tensor<64x1x8xf32, #layout133>
    %630 = nv_tileas.cat %628, %629 dim 1 : tensor<64x1x8xf32, #layout133>, tensor<64x1x8xf32, #layout133> -> tensor<64x2x8xf32, #layout132>
    %631 = nv_tileas.reshape %630 : tensor<64x2x8xf32, #layout132> -> tensor<128x2x4xf32, #layout136>
    %632 = nv_tileas.convert_layout %631 : tensor<128x2x4xf32, #layout136> -> tensor<128x2x4xf32, #layout137>
    %633 = nv_tileas.extract %632[%0, %0, %0] : tensor<128x2x4xf32, #layout137>, i32, i32, i32 -> tensor<128x1x4xf32, #layout138>
    %634 = nv_tileas.extract %632[%0, %1, %0] : tensor<128x2x4xf32, #layout137>, i32, i32, i32 -> tensor<128x1x4xf32, #layout138>
    %635 = arith.cmpf ogt, %633, %634 : tensor<128x1x4xf32, #layout138>
    %636 = nv_tileas.make_range : tensor<128xi32, #layout139>
    %637 = arith.constant dense<31> : tensor<128xi32> as tensor<128xi32, #layout139>
    %638 = arith.andi %636, %637 : tensor<128xi32, #layout139>
    %639 = arith.constant dense<8> : tensor<128xi32> as tensor<128xi32, #layout139>
    %640 = arith.muli %638, %639 : tensor<128xi32, #layout139>
    %641 = arith.constant dense<8> : tensor<128xi32> as tensor<128xi32, #layout139>
    %642 = arith.shrsi %640, %641 : tensor<128xi32, #layout139>
    %643 = arith.constant dense<1> : tensor<128xi32> as tensor<128xi32, #layout139>
    %644 = arith.andi %642, %643 : tensor<128xi32, #layout139>
    %645 = arith.constant dense<0> : tensor<128xi32> as tensor<128xi32, #layout139>
    %646 = arith.cmpi eq, %644, %645 : tensor<128xi32, #layout139>
    %647 = nv_tileas.reshape %646 : tensor<128xi1, #layout139> -> tensor<128x1x1xi1, #layout140>
    %648 = nv_tileas.broadcast %647 : tensor<128x1x1xi1, #layout140> -> tensor<128x1x4xi1, #layout138>
    %649 = arith.cmpi eq, %635, %648 : tensor<128x1x4xi1, #layout138>
    %650 = arith.select %649, %634, %633 : tensor<128x1x4xi1, #layout138>, tensor<128x1x4xf32, #layout138>
    %651 = arith.select %649, %633, %634 : tensor<128x1x4xi1, #layout138>, tensor<128x1x4xf32, #layout138>
    %652 = nv_tileas.cat %650, %651 dim 1 : tensor<128x1x4xf32, #layout138>, tensor<128x1x4xf32, #layout138> -> tensor<128x2x4xf32, #layout137>
    %653 = nv_tileas.reshape %652 : tensor<128x2x4xf32, #layout137> -> tensor<256x2x2xf32, #layout141>
    %654 = nv_tileas.convert_layout %653 : tensor<256x2x2xf32, #layout141> -> tensor<256x2x2xf32, #layout142>
    %655 = nv_tileas.extract %654[%0, %0, %0] : tensor<256x2x2xf32, #layout142>, i32, i32, i32 -> tensor<256x1x2xf32, #layout143>
    %656 = nv_tileas.extract %654[%0, %1, %0] : tensor<256x2x2xf32, #layout142>, i32, i32, i32 -> tensor<256x1x2xf32, #layout143>
    %657 = arith.cmpf ogt, %655, %656 : tensor<256x1x2xf32, #layout143>
    %658 = nv_tileas.make_range : tensor<256xi32, #layout144>
    %659 = arith.constant dense<63> : tensor<256xi32> as tensor<256xi32, #layout144>
    %660 = arith.andi %658, %659 : tensor<256xi32, #layout144>
    %661 = arith.constant dense<4> : tensor<256xi32> as tensor<256xi32, #layout144>
    %662 = arith.muli %660, %661 : tensor<256xi32, #layout144>
    %663 = arith.constant dense<8> : tensor<256xi32> as tensor<256xi32, #layout144>
    %664 = arith.shrsi %662, %663 : tensor<256xi32, #layout144>
    %665 = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #layout144>
    %666 = arith.andi %664, %665 : tensor<256xi32, #layout144>
    %667 = arith.constant dense<0> : tensor<256xi32> as tensor<256xi32, #layout144>
    %668 = arith.cmpi eq, %666, %667 : tensor<256xi32, #layout144>
    %669 = nv_tileas.reshape %668 : tensor<256xi1, #layout144> -> tensor<256x1x1xi1, #layout145>
    %670 = nv_tileas.broadcast %669 : tensor<256x1x1xi1, #layout145> -> tensor<256x1x2xi1, #layout143>
    %671 = arith.cmpi eq, %657, %670 : tensor<256x1x2xi1, #layout143>
    %672 = arith.select %671, %656, %655 : tensor<256x1x2xi1, #layout143>, tensor<256x1x2xf32, #layout143>
    %673 = arith.select %671, %655, %656 : tensor<256x1x2xi1, #layout143>, tensor<256x1x2xf32, #layout143>
    %674 = nv_tileas.cat %672, %673 dim 1 : tensor<256x1x2xf32, #layout143>, tensor<256x1x2xf32, #layout143> -> tensor<256x2x2xf32, #layout142>
    %675 = nv_tileas.reshape %674 : tensor<256x2x2xf32, #layout142> -> tensor<512x2x1xf32, #layout146>
    %676 = nv_tileas.alloc_shared at 4096 : !nv_tileas.buffer<512x2x1xf32, #shared1>
    nv_tileas.local_store %675, %676 : tensor<512x2x1xf32, #layout146>, !nv_tileas.buffer<512x2x1xf32, #shared1>
    nv_tileas.barrier
    %677 = nv_tileas.local_load %676 : !nv_tileas.buffer<512x2x1xf32, #shared1> -> tensor<512x2x1xf32, #layout147>
    %678 = nv_tileas.extract %677[%0, %0, %0] : tensor<512x2x1xf32, #layout147>, i32, i32, i32 -> tensor<512x1x1xf32, #layout148>
    %679 = nv_tileas.extract %677[%0, %1, %0] : tensor<512x2x1xf32, #layout147>, i32, i32, i32 -> tensor<512x1x1xf32, #layout148>
    %680 = nv_tileas.make_range : tensor<512xi32, #layout149>
    %681 = arith.constant dense<127> : tensor<512xi32> as tensor<512xi32, #layout149>
    %682 = arith.andi %680, %681 : tensor<512xi32, #layout149>
    %683 = arith.constant dense<2> : tensor<512xi32> as tensor<512xi32, #layout149>
    %684 = arith.muli %682, %683 : tensor<512xi32, #layout149>
    %685 = arith.constant dense<8> : tensor<512xi32> as tensor<512xi32, #layout149>
    %686 = arith.shrsi %684, %685 : tensor<512xi32, #layout149>
    %687 = arith.constant dense<1> : tensor<512xi32> as tensor<512xi32, #layout149>
    %688 = arith.andi %686, %687 : tensor<512xi32, #layout149>
    %689 = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #layout149>
    %690 = arith.cmpi eq, %688, %689 : tensor<512xi32, #layout149>
    %691 = nv_tileas.reshape %690 : tensor<512xi1, #layout149> -> tensor<512x1x1xi1, #layout148>
    %692 = arith.cmpf ogt, %678, %679 : tensor<512x1x1xf32, #layout148>
    %693 = arith.cmpi eq, %692, %691 : tensor<512x1x1xi1, #layout148>
    %694 = arith.select %693, %679, %678 : tensor<512x1x1xi1, #layout148>, tensor<512x1x1xf32, #layout148>
    %695 = arith.select %693, %678, %679 : tensor<512x1x1xi1, #layout148>, tensor<512x1x1xf32, #layout148>
    %696 = nv_tileas.cat %694, %695 dim 1 : tensor<512x1x1xf32, #layout148>, tensor<512x1x1xf32, #layout148> -> tensor<512x2x1xf32, #layout147>
    %697 = nv_tileas.reshape %696 : tensor<512x2x1xf32, #layout147> -> tensor<4x256xf32, #layout150>
    %698 = nv_tileas.alloc_shared at 8192 : !nv_tileas.buffer<4x256xf32, #shared2>
    nv_tileas.local_store %697, %698 : tensor<4x256xf32, #layout150>, !nv_tileas.buffer<4x256xf32, #shared2>
    nv_tileas.barrier
    %699 = nv_tileas.local_load %698 : !nv_tileas.buffer<4x256xf32, #shared2> -> tensor<4x256xf32, #layout>
    %700 = nv_tileas.tiled_store %699, %arg5[%17, %4] sizes [%9, %10] strides [%11, %2] token %5 {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 4, 4611686018427387904>, size_div = array<i64: 1, 16>, stride_div = array<i64: 4, 1>, objects = #nv_tileaa.objects<arg 5>} : tensor<4x256xf32, #layout>, !nv_tileas.ptr<f32>
    %701 = nv_tileas.make_range : tensor<256xi32, #layout151>
    %702 = nv_tileas.reshape %701 : tensor<256xi32, #layout151> -> tensor<1x256xi32, #layout152>
    %703 = nv_tileas.broadcast %702 : tensor<1x256xi32, #layout152> -> tensor<4x256xi32, #layout>
    %704 = nv_tileas.tiled_store %703, %arg10[%17, %4] sizes [%12, %13] strides [%14, %2] token %5 {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 4, 4611686018427387904>, size_div = array<i64: 1, 16>, stride_div = array<i64: 4, 1>, objects = #nv_tileaa.objects<arg 10>} : tensor<4x256xi32, #layout>, !nv_tileas.ptr<i32>
    nv_tileas.return
  }
}

