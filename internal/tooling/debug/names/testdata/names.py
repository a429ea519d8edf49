import numpy as np
import cuda.tile as ct

def helper(x, i, s):
    t = ct.load(x, (i,), (16,))
    u = t * s
    return u

@ct.kernel
def k(x, y, s, n: ct.Constant[int]):
    a, b = ct.bid(0), ct.bid(1)
    t = helper(x, a, 2.0)
    t += helper(x, b, s)
    if a > 0:
        z = t + 1
    else:
        z = t * 3
    c = 0
    while c < 3:
        z = (z
             + c)
        c = c + 1
    w = (ct.load(
        x, (0,), (16,)) * 2)
    for i in range(2):
        w += z
    ct.store(y, (a,), w)

x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
ct.launch(None, (2, 1), k, (x, y, 3.0, 4))
