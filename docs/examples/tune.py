"""A GEMM and its search space, in the form of cuTile's own tuner: tilewright tune --device='H100 SXM5' tune.py"""
from itertools import product

import cuda.tile as ct
import numpy as np


@ct.kernel
def matmul(a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((BM, BN), ct.float32)
    for k in range(ct.num_tiles(a, 1, (BM, BK))):
        x = ct.load(a, (i, k), (BM, BK), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, j), (BK, BN), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, (i, j), acc.astype(c.dtype))


M, N, K = 4096, 4096, 1024
a, b, c = np.empty((M, K), np.float16), np.empty((K, N), np.float16), np.empty((M, N), np.float16)

result = ct.tune.exhaustive_search(
    [dict(zip(("BM", "BN", "BK"), tile)) for tile in product((64, 128), (64, 128, 256), (32, 64))],
    None,  # the stream
    lambda cfg: (ct.cdiv(M, cfg["BM"]), ct.cdiv(N, cfg["BN"])),
    matmul,
    lambda cfg: (a, b, c, cfg["BM"], cfg["BN"], cfg["BK"]),
)
ct.launch(None, (1, 1), matmul, (a, b, c, *result.best.config.values()))
