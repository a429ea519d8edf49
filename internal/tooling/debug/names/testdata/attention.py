import numpy as np
import cuda.tile as ct


@ct.kernel
def attention(q, k, v, out, rows: ct.Constant[int], cols: ct.Constant[int], d: ct.Constant[int]):
    i = ct.bid(0)
    queries = ct.load(q, (i, 0), (rows, d))
    top = ct.full((rows, 1), -1e30, ct.float32)
    total = ct.zeros((rows, 1), ct.float32)
    acc = ct.zeros((rows, d), ct.float32)
    for j in range(ct.num_tiles(k, 0, (cols, d))):
        keys = ct.load(k, (j, 0), (cols, d))
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((rows, cols), ct.float32)) * 0.25
        new = ct.maximum(top, ct.max(scores, axis=1, keepdims=True))
        p = ct.exp(scores - new)
        shrink = ct.exp(top - new)
        total = total * shrink + ct.sum(p, axis=1, keepdims=True)
        values = ct.load(v, (j, 0), (cols, d))
        acc = ct.mma(p.astype(ct.float16), values, acc * shrink)
        top = new
    ct.store(out, (i, 0), acc / total)


rng = np.random.default_rng(0)
q, k, v = (rng.standard_normal((32, 16)).astype(np.float16) for _ in range(3))
out = np.zeros((32, 16), np.float32)
ct.launch(None, (2,), attention, (q, k, v, out, 16, 16, 16))
s = q.astype(np.float64) @ k.astype(np.float64).T * 0.25
p = np.exp(s - s.max(1, keepdims=True))
want = p / p.sum(1, keepdims=True) @ v.astype(np.float64)
print("largest error", np.abs(out - want).max())
