"""Small instances of kernels that carry a state from step to step, and of those that sort tokens by their experts and multiply with these."""
import numpy as np

from kernel import Random, f, value

i32, f32 = np.int32, np.float32


def kernels():
    for part in (recurrent, chunks, align, experts):
        yield from part()


def normed(x):
    return f(x) / np.sqrt((f(x) ** 2).sum(-1, keepdims=True) + 1e-6)


def recurrent():
    B, T, H, K, V, scale = 1, 5, 2, 16, 24, 0.25
    for t in ("f16", "f32"):
        r = Random("recurrent" + t)
        q, k, v, beta, g = r(t, B, T, H, K), r(t, B, T, H, K), r(t, B, T, H, V), r(t, B, T, H), r("f32", B, T, H, scale=0.3)
        start = r("f32", B, H, K, V)
        for norm in (False, True):
            state, out = f(start), np.zeros((B, T, H, V))
            for i in range(T):
                qi, ki = (normed(q[:, i]), normed(k[:, i])) if norm else (f(q[:, i]), f(k[:, i]) * 0.25)
                state = state * np.exp(f(g[:, i]))[..., None, None]
                delta = (f(v[:, i]) - (state * ki[..., None]).sum(-2)) * f(beta[:, i])[..., None]
                state = state + ki[..., None] * delta[..., None, :]
                out[:, i] = (state * (qi * scale)[..., None]).sum(-2)
            keys = k if norm else (f(k) * 0.25).astype(k.dtype)
            yield value(f"recurrent_{int(norm)}", t, "recurrent_gated_delta_rule.cuh", "recurrent_gated_delta_rule_fwd_kernel", ["f32", t, K, 16, True, True, norm],
                        "const T*, const T*, const T*, const float*, const T*, T*, const float*, float*, float, int, int, int, int, int", [B * H, 2],
                        [q, keys, v, g, beta, np.zeros_like(v), start, np.zeros_like(start), f32(scale), i32(B), i32(T), i32(H), i32(K), i32(V)], {5: out, 7: state}, {"f16": (5e-3, 5e-3), "f32": (1e-4, 1e-4)}[t])


def chunks():
    B, H, N, C, K, V, scale = 1, 2, 2, 16, 16, 32, 0.25
    for t in ("f16", "f32"):
        r = Random("chunks" + t)
        q, k, v = r(t, B, N * C, H, K), r(t, B, N * C, H, K), r(t, B, N * C, H, V)
        beta, g = r(t, B, N * C, H, scale=0.5), -np.abs(r("f32", B, N * C, H, scale=0.2))

        def chunked(x):
            return f(x).reshape(B, N, C, H, -1).transpose(0, 3, 1, 2, 4)
        qc, kc, vc, bc, gc = normed(chunked(q)) * scale, normed(chunked(k)), chunked(v), chunked(beta), np.cumsum(chunked(g)[..., 0], -1)
        decay = np.exp(gc[..., :, None] - gc[..., None, :])
        attn = np.tril(-(kc * bc) @ kc.swapaxes(-1, -2) * decay, -1)
        solved = np.linalg.inv(np.eye(C) - attn)
        kcd, vcorr = solved @ (kc * bc * np.exp(gc)[..., None]), solved @ (vc * bc)
        outs = [np.zeros(x.shape, f32) for x in (qc, kc, vcorr, kcd, gc)]
        tolerance = {"f16": (5e-3, 5e-3), "f32": (5e-3, 2e-3)}[t]
        yield value("chunk_intra", t, "chunk_gated_delta_rule.cuh", "chunk_gated_delta_rule_intra_kernel", [t, "f32", C, K, True, 1], "const T*, const T*, const T*, const T*, const float*, float*, float*, float*, float*, float*, float" + ", int" * 6,
                    [B * H, N], [q, k, v, beta, g, *outs, f32(scale), i32(B), i32(N * C), i32(H), i32(N), i32(K), i32(V)], {5: qc, 6: kc, 7: vcorr, 8: kcd, 9: gc}, tolerance)
        if t != "f32":
            continue
        start = r("f32", B, H, K, V)
        state, out = f(start), np.zeros(vcorr.shape)
        for i in range(N):
            vnew = vcorr[:, :, i] - kcd[:, :, i] @ state
            out[:, :, i] = qc[:, :, i] * np.exp(gc[:, :, i])[..., None] @ state + np.tril(qc[:, :, i] @ kc[:, :, i].swapaxes(-1, -2) * decay[:, :, i]) @ vnew
            last = gc[:, :, i, -1][..., None, None]
            state = state * np.exp(last) + (kc[:, :, i] * np.exp(last - gc[:, :, i][..., None])).swapaxes(-1, -2) @ vnew
        ins = [x.astype(f32) for x in (qc, kc, vcorr, kcd, gc)]
        yield value("chunk_inter", t, "chunk_gated_delta_rule.cuh", "chunk_gated_delta_rule_inter_kernel", [C, K, 16, True, True, 1], "const float*, const float*, const float*, const float*, const float*, float*, const float*, float*, int, int, int, int, int",
                    [B * H, 2], [*ins, np.zeros(out.shape, f32), start, np.zeros_like(start), i32(B), i32(N), i32(H), i32(K), i32(V)], {5: out, 7: state}, (1e-2, 1e-2))


def sorted_tokens(ids, E, block):
    """What the four stages of moe_align_block make of the experts of each token."""
    flat, blocks, rows = ids.reshape(-1), [], []
    for e in range(E):
        mine = list(np.nonzero(flat == e)[0])
        mine += [flat.size] * (-len(mine) % block)
        rows += mine
        blocks += [e] * (len(mine) // block)
    return np.array(rows, i32), np.array(blocks, i32)


def align():
    E, n, block = 4, 30, 8
    r = Random("align")
    ids = r.ints(E, n)
    each = -(-n // E)
    parts = [ids[i * each:(i + 1) * each] for i in range(E)]
    counts = np.zeros((E + 1, E), i32)
    for i, p in enumerate(parts):
        counts[i + 1] = np.bincount(p, minlength=E)
    sums = np.concatenate([np.zeros((1, E), i32), np.cumsum(counts[1:], 0)]).astype(i32)
    padded = np.concatenate([[0], np.cumsum(-(-sums[-1] // block) * block)]).astype(i32)
    rows, blocks = sorted_tokens(ids, E, block)
    common = ["f32"]
    stage = ["moe_align_block.cuh", "moe_align_block_size_stage"]

    def of(i, targs, signature, grid, args, expect):
        return value(f"moe_align_{i}", "f32", stage[0], stage[1] + str(i), targs, signature, grid, args, expect)
    yield of(1, [1, E], "const int*, int*, int, int", [E], [ids, np.zeros_like(counts), i32(n), i32(each)], {1: counts})
    yield of(2, [E, 4], "int*", [E], [counts], {0: sums})
    yield of(3, [E, block], "int*, int*, const int*, int*", [1], [np.zeros(1, i32), np.zeros(1, i32), sums, np.zeros(E + 1, i32)], {0: padded[-1:], 1: sums[-1].max(keepdims=True), 3: padded})
    after = sums.copy()
    for i, p in enumerate(parts):
        after[i] += np.bincount(p, minlength=E).astype(i32)
    yield of(4, [E, block], "const int*, int*, int*, int*, const int*, int, int", [E], [ids, np.full(rows.size, n, i32), np.zeros_like(blocks), sums, padded, i32(n), i32(each)], {1: rows, 2: blocks, 3: after})


def experts():
    tokens, top, E, N, K, bm, group = 11, 2, 4, 64, 64, 16, 32
    for t in ("f16", "bf16"):
        r = Random("experts" + t)
        ids = np.stack([r.r.permutation(E)[:top] for _ in range(tokens)]).astype(i32)
        rows, blocks = sorted_tokens(ids, E, bm)
        weights = np.abs(r("f32", tokens * top))
        tail = [rows, blocks, np.array([rows.size], i32)]
        of = ids.reshape(-1)
        a, b = r(t, tokens, K), r(t, E, N, K)
        out = np.stack([f(a[i // top]) @ f(b[e]).T for i, e in enumerate(of)])
        shape = [N, K, group, group, top, K, 1, N * K, 1, K, N, 1, 1, 1, 1, 1, 1, rows.size]
        # The grid has a spare row of blocks, which return early.
        grid = [(rows.size // bm + 1) * (N // 32)]
        pointers = "T*, const float*, const float*, const float*, const int*, const int*, const int*, int"
        yield value("moe", t, "moe.cuh", "fused_moe_kernel", [t, bm, 32, 32, 8, True, False, *shape], "const T*, const T*, " + pointers, [rows.size // bm * (N // 32)],
                    [a, b, np.zeros((tokens * top, N), a.dtype), weights, weights, weights, *tail, i32(tokens * top)], {2: out * weights[:, None]})
        qa, qb, qc = (r("f8e4m3", *s) for s in ((tokens, K), (E, N, K), (E, N, K)))
        sa, sb, sc = (np.abs(r("f32", *s)) for s in ((tokens, K // group), (E, N // group, K // group), (E, N // group, K // group)))

        def scaled(w, s):
            wide = f(w) * f(s).repeat(group, 1).repeat(group, 2)
            x = f(qa) * f(sa).repeat(group, 1)
            return np.stack([x[i // top] @ wide[e].T for i, e in enumerate(of)])
        shape = [N, K, group, group, top, K, 1, N * K, 1, K, N, 1, K // group, 1, (N // group) * (K // group), 1, K // group, rows.size]
        f8 = "const __nv_fp8_e4m3*, "
        zero = np.zeros((tokens * top, N), a.dtype)
        yield value("moe_f8", t, "moe.cuh", "fused_moe_kernel", ["f8e4m3", bm, 32, 32, 8, False, True, *shape], f8 * 2 + pointers, [rows.size // bm * (N // 32)],
                    [qa, qb, zero, sa, sb, weights, *tail, i32(tokens * top)], {2: scaled(qb, sb)})
        scales = [i32(x) for x in ((N // group) * (K // group), 1, K // group)]
        head = [i32(x) for x in (tokens, N, K, rows.size, tokens * top, K, 1)]
        expert = [i32(x) for x in (N * K, 1, K)]
        rest = [i32(group), i32(group), i32(top)]
        tw = weights.astype(a.dtype)
        one, two = scaled(qb, sb), scaled(qc, sc)
        yield value("moe_fc1", t, "moe.cuh", "fused_moe_fc1_layer_kernel", ["f8e4m3", bm, 32, 32, 8, False], f8 * 3 + "T*, const float*, const float*, const float*, const T*, const int*, const int*, const int*" + ", int" * 26, grid,
                    [qa, qb, qc, zero, sa, sb, sc, tw, *tail, *head, *expert, *expert, i32(N), i32(1), i32(K // group), i32(1), *scales, *scales, *rest], {3: one / (1 + np.exp(-one)) * two})
        # The second layer takes a row for each expert of a token, and the scales of the token.
        rows2 = r("f8e4m3", tokens * top, K)
        wide = f(qb) * f(sb).repeat(group, 1).repeat(group, 2)
        two = np.stack([f(rows2[i]) * f(sa[i // top]).repeat(group) @ wide[e].T for i, e in enumerate(of)])
        yield value("moe_fc2", t, "moe.cuh", "fused_moe_fc2_layer_kernel", ["f8e4m3", bm, 32, 32, 8, True], f8 * 2 + "T*, const float*, const float*, const T*, const int*, const int*, const int*" + ", int" * 20, grid,
                    [rows2, qb, zero, sa, sb, tw, *tail, *head, *expert, i32(N), i32(1), i32(K // group), i32(1), *scales, *rest], {2: two * f(tw)[:, None]})
