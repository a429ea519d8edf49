"""Small instances of the attention kernels: forward, backward, with positions, windows, soft caps and sinks, and decoding over splits."""
import numpy as np

from kernel import LOG2E, Random, f, value

i32, f32 = np.int32, np.float32
QKVO = "const T*, const T*, const T*, T*"


def kernels():
    for part in (forward, backward, latent, gemma, sinks, decode, reduce):
        yield from part()


def attention(scores, v):
    """Probabilities and their products, and the logarithm of the sum to base 2, of scores in which what is masked is minus infinity."""
    top = scores.max(-1, keepdims=True)
    p = np.exp(scores - top)
    total = p.sum(-1, keepdims=True)
    return p / total @ f(v), ((top + np.log(total)) * LOG2E)[..., 0]


def masked(scores, keep):
    return np.where(keep, scores, -np.inf)


def causal(rows, cols):
    return np.arange(rows)[:, None] >= np.arange(cols)[None]


def forward():
    B, H, HK, D = 1, 4, 2, 32
    for t in ("f16", "bf16"):
        for s, mask in ((64, True), (64, False), (80, True), (80, False)):
            r = Random(f"forward{t}{s}")
            q, k, v = r(t, B, H, s, D), r(t, B, HK, s, D), r(t, B, HK, s, D)
            scores = f(q) @ f(k).repeat(H // HK, 1).swapaxes(-1, -2) * 0.2
            out, lse = attention(masked(scores, causal(s, s) | (not mask)), v.repeat(H // HK, 1))
            yield value(f"attention_{s}{'_causal' * mask}", t, "attention.cuh", "prefill_fmha_fwd_kernel", [B, H, HK, s, s, 32, 32, D, mask, True, 1], QKVO + ", float*, float",
                        [-(-s // 32), B * H], [q, k, v, np.zeros_like(q), np.zeros((B, H, s), f32), f32(0.2)], {3: out, 4: lse})


def backward():
    B, H, S, D, scale = 1, 2, 64, 32, 0.2
    for t in ("f16", "bf16"):
        r = Random("backward" + t)
        q, k, v, do = (r(t, B, H, S, D) for _ in range(4))
        scores = masked(f(q) @ f(k).swapaxes(-1, -2) * scale, causal(S, S))
        out, lse = attention(scores, v)
        o = out.astype(q.dtype)
        delta = (f(o) * f(do)).sum(-1)
        yield value("attention_preprocess", t, "attention.cuh", "fmha_bwd_preprocess_kernel", [B, H, S, 32, D, 1], "const T*, const T*, const float*, float*, float*, float", [2, B * H],
                    [o, do, lse.astype(f32), np.zeros((B, H, S), f32), np.zeros((B, H, S), f32), f32(scale)], {3: -scale * delta, 4: -lse}, (1e-4, 1e-4))
        p = np.exp2(scores * LOG2E - lse[..., None])
        ds = p * (f(do) @ f(v).swapaxes(-1, -2) - delta[..., None]) * scale
        want = {6: ds @ f(k), 7: ds.swapaxes(-1, -2) @ f(q), 8: p.swapaxes(-1, -2) @ f(do)}
        yield value("attention_backward", t, "attention.cuh", "fmha_bwd_main_kernel", [B, H, S, S, 32, 32, D, True, 1], "const T*, const T*, const T*, const T*, const float*, const float*, float*, T*, T*, float", [2, B * H],
                    [q, k, v, do, -lse.astype(f32), (-scale * delta).astype(f32), np.zeros((B, H, S, D), f32), np.zeros_like(q), np.zeros_like(q), f32(scale)], want, {"f16": (1e-2, 1e-2), "bf16": (5e-2, 5e-2)}[t])


def latent():
    B, H, S, D, P, scale = 1, 2, 64, 32, 16, 0.15
    for t in ("f16", "bf16"):
        r = Random("latent" + t)
        q, qpe, k, kpe, v = r(t, B, H, S, D), r(t, B, H, S, P), r(t, B, H, S, D), r(t, B, 1, S, P), r(t, B, H, S, D)
        scores = (f(q) @ f(k).swapaxes(-1, -2) + f(qpe) @ f(kpe).swapaxes(-1, -2)) * scale
        for mask in (False, True):
            out, _ = attention(masked(scores, causal(S, S) | (not mask)), v)
            yield value(f"mla{'_causal' * mask}", t, "mla.cuh", "prefill_mla_kernel", [B, H, H, S, S, D, P, 32, 32, 1, mask], "const T*, const T*, const T*, const T*, const T*, T*, float", [2, B * H],
                        [q, qpe, k, kpe, v, np.zeros_like(q), f32(scale)], {5: out})
        # Decoding: one latent vector for each position, which is the key and the value of all heads.
        heads, n = 20, 50
        q, qpe, kv, kpe = r(t, 2, heads, D), r(t, 2, heads, P), r(t, 2, n, D), r(t, 2, n, P)
        scores = (f(q) @ f(kv).swapaxes(-1, -2) + f(qpe) @ f(kpe).swapaxes(-1, -2)) * scale
        out, lse = attention(scores, kv)
        strides = [np.int64(heads * D), i32(D), np.int64(heads * P), i32(P), np.int64(n * D), i32(D), np.int64(n * P), i32(P), np.int64(heads * D), i32(D)]
        args = [q, qpe, kv, kpe, np.zeros_like(q), np.zeros((2, heads), f32), f32(scale), *strides, i32(2), i32(heads), i32(n)]
        signature = "T*, T*, T*, T*, T*, float*, float" + ", long long, int" * 5 + ", int, int, int"
        for name in ("naive_absorb_mla", "naive_absorb_mla_transpose"):
            yield value("mla_decoding" + name[16:], t, "mla_decoding.cuh", name, [D, 16, 32, P], signature, [2, 2], args, {4: out, 5: lse})
        for n, even in ((64, True), (50, False)):
            heads, split = 16, 32
            q, qpe, k, v, kpe = r(t, 2, heads, D), r(t, 2, heads, P), r(t, 2, n, D), r(t, 2, n, D), r(t, 2, n, P)
            parts = [attention((f(q) @ f(k[:, s:s + split]).swapaxes(-1, -2) + f(qpe) @ f(kpe[:, s:s + split]).swapaxes(-1, -2)) * scale, v[:, s:s + split]) for s in range(0, n, split)]
            out, lse = (np.stack(x, 2) for x in zip(*parts))
            yield value(f"mla_decoding_split_{n}", t, "mla_decoding_split_kv.cuh", "naive_absorb_mla_transpose", [2, heads, n, D, 16, 32, P, len(parts), split, even], "const T*, const T*, const T*, const T*, const T*, T*, float*, float",
                        [1, 2, len(parts)], [q, qpe, k, v, kpe, np.zeros(out.shape, q.dtype), np.zeros(lse.shape, f32), f32(scale)], {5: out, 6: lse})


def gemma():
    B, H, HK, S, D, scale, cap = 1, 2, 1, 96, 32, 0.3, 5.0
    for t in ("f16", "bf16"):
        r = Random("gemma" + t)
        q, k, v = r(t, B, H, S, D), r(t, B, HK, S, D), r(t, B, HK, S, D)
        raw = f(q) @ f(k).repeat(H, 1).swapaxes(-1, -2) * scale
        far = np.abs(np.arange(S)[:, None] - np.arange(S)[None])
        for mask, window, capped in ((True, 0, False), (True, 24, True), (False, 24, False), (False, 0, True)):
            keep = (causal(S, S) | (not mask)) & ((far <= window) | (window == 0))
            out, _ = attention(masked(np.tanh(raw / cap) * cap if capped else raw, keep), v.repeat(H, 1))
            yield value(f"gemma{'_causal' * mask}{'_window' * bool(window)}{'_cap' * capped}", t, "gemma_attention.cuh", "gemma_attention_fwd_kernel", [B, H, HK, S, S, 32, 32, D, mask, window, capped, 1],
                        QKVO + ", float, float", [3, B * H], [q, k, v, np.zeros_like(q), f32(scale), f32(cap)], {3: out})


def sinks():
    Z, H, Q, N, D, scale, start = 1, 2, 40, 60, 32, 0.25, 20
    for t in ("f16", "f32"):
        r = Random("sinks" + t)
        q, k, v, sink = r(t, Z, H, Q, D), r(t, Z, H, N, D), r(t, Z, H, N, D), r(t, H)
        raw = f(q) @ f(k).swapaxes(-1, -2) * scale
        behind = start + np.arange(Q)[:, None] - np.arange(N)[None]
        for width in (0, 16):
            scores = masked(raw, (behind >= 0) & ((behind < width) | (width == 0)))
            s = f(sink)[None, :, None]
            top = np.maximum(scores.max(-1), s)
            p = np.exp(scores - top[..., None])
            total = p.sum(-1)
            want = {5: top + np.log(total), 6: p @ f(v) / (total + np.exp(s - top))[..., None]}
            yield value(f"attention_sink_{width}", t, "attention_sink.cuh", "attention_sink_fwd_kernel", [D, 32, 32, bool(width)], "T*, T*, T*, T*, float, float*, T*, int, int, int, int, int, int", [2, Z * H],
                        [q, k, v, sink, f32(scale), np.zeros((Z, H, Q), f32), np.zeros_like(q), i32(start), i32(Z), i32(H), i32(Q), i32(N), i32(width)], want, {"f16": (4e-3, 4e-3), "f32": (3e-3, 3e-3)}[t])


def decode():
    B, HK, G, D, scale, cap, split = 2, 2, 4, 32, 0.25, 5.0, 64
    for t in ("f16", "bf16"):
        r = Random("decode" + t)
        for n in (128, 100):
            q, k, v = r(t, B, HK, G, D), r(t, B, HK, n, D), r(t, B, HK, n, D)
            raw = f(q) @ f(k).swapaxes(-1, -2) * scale
            lists = [(s, min(s + split, n)) for s in range(0, n, split)]
            shape = [np.zeros((B, HK, G, len(lists), D), q.dtype), np.zeros((B, HK, G, len(lists)), f32), f32(scale)]
            parts = [attention(raw[..., a:b], v[:, :, a:b]) for a, b in lists]
            out, lse = (np.stack(x, 3) for x in zip(*parts))
            if n == 128:  # unmasked loads of keys: whole blocks only
                yield value(f"flash_decode_{n}", t, "flash_decode.cuh", "attention_decode_kernel_optimized", [B, HK, n, G, 8, split, D, 32, len(lists)], QKVO + ", float*, float", [B, HK, len(lists)], [q, k, v, *shape], {3: out, 4: lse})
                parts = [attention(masked(np.tanh(raw / cap) * cap, np.arange(n) >= n - 1 - 90)[..., a:b], v[:, :, a:b]) for a, b in lists]
                out, lse = (np.stack(x, 3) for x in zip(*parts))
                yield value("gemma_decode", t, "gemma_attention_decode.cuh", "gemma_attention_decode_kernel", [B, HK, n, G, G, split, D, 32, len(lists), 90, True, 1], QKVO + ", float*, float, float", [B, HK, len(lists)], [q, k, v, *shape, f32(cap)], {3: out, 4: lse})
            sink, last = r(t, HK * G), n - 10
            outs, lses = [], []
            for i, (a, b) in enumerate(lists):
                keep = np.arange(n) <= last
                scores = masked(raw, keep)[..., a:b]
                o, l = attention(scores, v[:, :, a:b])
                if i == 0:  # the sink joins the sum of the first split
                    s = (f(sink) * LOG2E).reshape(1, HK, G)
                    both = np.logaddexp2(l, s)
                    o, l = o * np.exp2(l - both)[..., None], both
                outs.append(o)
                lses.append(l)
            yield value(f"attention_sink_decode_{n}", t, "attention_sink_decode.cuh", "attention_sink_decode_kernel", [B, HK, HK * G, n, G, G, split, D, 32, len(lists), 0, True, 1],
                        "const T*, const T*, const T*, const T*, T*, float*, const int*, float", [B, HK, len(lists)], [q, k, v, sink, *shape[:2], np.array([last], i32), f32(scale)], {4: np.stack(outs, 3), 5: np.stack(lses, 3)})


def reduce():
    B, H, S, D = 2, 2, 6, 32
    for t in ("f16", "f32"):
        r = Random("reduce" + t)
        part, lse = r(t, B, H, S, D), r("f32", B, H, S)
        w = np.exp2(f(lse) - f(lse).max(-1, keepdims=True))
        out = (w[..., None] * f(part)).sum(2) / w.sum(-1)[..., None]
        for dot in (False, True):
            yield value(f"splitk_reduce{'_dot' * dot}", t, "splitk_reduce.cuh", "splitk_reduce_kernel", [B, H, D, S, 8, D, dot], "const T*, const float*, T*", [B, H, 1], [part, lse, np.zeros((B, H, D), part.dtype)], {2: out},
                        (5e-3, 5e-3))
