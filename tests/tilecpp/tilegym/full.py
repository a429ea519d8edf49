"""Instances of the sizes that TileGym launches by default or while tuning, to be compiled."""
from kernel import Kernel, sig


def instance(name, t, header, kernel, targs, signature):
    return Kernel(f"full_{name}_{t}", header, kernel, [t, *targs], sig(signature, t))


QKVO = "const T*, const T*, const T*, T*"
ABC = "const T*, const T*, T*"


def kernels():
    for t in ("f16", "bf16", "f32"):
        yield instance("softmax", t, "softmax.cuh", "softmax_kernel", [4096], "T*, const T*, int, int, int, int, int")
        yield instance("online_softmax", t, "softmax.cuh", "online_softmax_kernel", [8192], "T*, const T*, int, int, int")
        yield instance("softmax_backward", t, "softmax.cuh", "softmax_kernel_backward", [4096], "T*, const T*, const T*, int, int, int, int")
        yield instance("online_softmax_backward", t, "softmax.cuh", "online_softmax_kernel_backward", [8192], "T*, const T*, const T*, int, int, int, int")
        yield instance("layer_norm", t, "layer_norm_legacy.cuh", "layer_norm_fwd_fused_kernel", [t, t, 4096, 4096], "T*, T*, const T*, const T*, float*, float*, float, float")
        yield instance("rms_norm", t, "rms_norm.cuh", "rms_norm_kernel", [t, 2048, 4096, "1e-5f", "0.0f"], "const T*, const T*, T*, float*, int")
        yield instance("rms_norm_cached", t, "rms_norm.cuh", "rms_norm_multi_wave_cached_kernel", [t, 4096, 4000, "1e-5f", "0.0f"], "const T*, const T*, T*, float*, int")
        yield instance("rms_norm_pv", t, "rms_norm.cuh", "rms_norm_kernel_pv", [t, 256, 4096, 4096], "const T*, const T*, T*, float*, float")
        yield instance("rms_norm_persistent", t, "rms_norm.cuh", "rms_norm_static_persistent_kernel", [t, 4, 4096, 1, 8192, 4096, 148, "1e-5f", "0.0f"], "const T*, T*, const T*, float*")
        yield instance("rms_norm_backward", t, "rms_norm.cuh", "rms_norm_backward_dx_kernel", [t, 1024], "T*, const T*, const T*, const T*, const float*, float*, int, int")
        yield instance("swiglu", t, "swiglu.cuh", "swiglu_forward_kernel_gather", [16384], "const T*, const T*, T*, int, int")
        yield instance("swiglu_backward", t, "swiglu.cuh", "swiglu_backward_kernel", [16384], "const T*, const T*, const T*, T*, T*, int, int")
        yield instance("silu_and_mul", t, "silu_and_mul.cuh", "silu_and_mul_kernel_row_wise", [28672, 14336, 16384, 28672, 14336], "T*, T*")
        yield instance("matmul_128_128_32", t, "matmul.cuh", "matmul_kernel", [4096, 4096, 4096, 128, 128, 32, 8, 128, False, False, 1, 1], ABC)
        yield instance("matmul_128_64_64_nt", t, "matmul.cuh", "matmul_kernel", [4096, 4096, 4096, 128, 64, 64, 8, 64, False, True, 1, 1], ABC)
        yield instance("persistent_matmul_128_128_64", t, "persistent_matmul.cuh", "static_persistent_matmul_kernel", [4096, 4096, 4096, 128, 128, 64, 8, False, False, 1, 1], ABC)
    for t in ("f16", "bf16"):
        yield instance("persistent_layer_norm", t, "persistent_layer_norm.cuh", "persistent_layer_norm_fwd_kernel", [t, t, 4, 4096, False, True, True, 8192, 4096, 148, "1e-5f"], "const T*, T*, const T*, const T*, float*, float*")
        yield instance("rope", t, "rope.cuh", "rope_kernel", [t, t, 4, 32, 8, 32, 8, 64, 64, 128, 1, 2048], "T*, T*, const T*, const T*")
        yield instance("attention_128_128", t, "attention.cuh", "prefill_fmha_fwd_kernel", [4, 32, 8, 2048, 2048, 128, 128, 128, True, False, 2], QKVO + ", float*, float")
        yield instance("attention_64_64", t, "attention.cuh", "prefill_fmha_fwd_kernel", [4, 32, 8, 2048, 2048, 64, 64, 128, True, True, 2], QKVO + ", float*, float")
        yield instance("attention_256_128", t, "attention.cuh", "prefill_fmha_fwd_kernel", [4, 32, 8, 2048, 2048, 256, 128, 128, True, False, 1], QKVO + ", float*, float")
        yield instance("attention_preprocess", t, "attention.cuh", "fmha_bwd_preprocess_kernel", [4, 32, 2048, 128, 128, 2], "const T*, const T*, const float*, float*, float*, float")
        yield instance("attention_backward", t, "attention.cuh", "fmha_bwd_main_kernel", [4, 32, 2048, 2048, 64, 64, 128, True, 2], "const T*, const T*, const T*, const T*, const float*, const float*, float*, T*, T*, float")
        yield instance("flash_decode", t, "flash_decode.cuh", "attention_decode_kernel_optimized", [4, 8, 4096, 4, 8, 1024, 128, 256, 4], QKVO + ", float*, float")
        yield instance("mla_256_128", t, "mla.cuh", "prefill_mla_kernel", [2, 16, 16, 2048, 2048, 128, 64, 256, 128, 1, True], "const T*, const T*, const T*, const T*, const T*, T*, float")
        yield instance("mla_decoding", t, "mla_decoding.cuh", "naive_absorb_mla", [512, 16, 64, 64], "T*, T*, T*, T*, T*, float*, float, long long, int, long long, int, long long, int, long long, int, long long, int, int, int, int")
        yield instance("mla_decoding_split", t, "mla_decoding_split_kv.cuh", "naive_absorb_mla_transpose", [4, 128, 4096, 512, 16, 128, 64, 8, 512, True], "const T*, const T*, const T*, const T*, const T*, T*, float*, float")
        yield instance("gemma_attention", t, "gemma_attention.cuh", "gemma_attention_fwd_kernel", [2, 16, 8, 2048, 2048, 128, 64, 128, True, 1024, True, 1], QKVO + ", float, float")
        yield instance("gemma_attention_decode", t, "gemma_attention_decode.cuh", "gemma_attention_decode_kernel", [2, 8, 4096, 2, 8, 512, 128, 128, 8, 1024, True, 1], QKVO + ", float*, float, float")
        yield instance("attention_sink", t, "attention_sink.cuh", "attention_sink_fwd_kernel", [64, 64, 64, True], "T*, T*, T*, T*, float, float*, T*, int, int, int, int, int, int")
        yield instance("attention_sink_decode", t, "attention_sink_decode.cuh", "attention_sink_decode_kernel", [2, 8, 64, 4096, 8, 8, 512, 64, 128, 8, 128, True, 1], "const T*, const T*, const T*, const T*, T*, float*, const int*, float")
        yield instance("bmm_128_128_64", t, "bmm.cuh", "bmm_kernel", [128, 128, 64, 8, False, True], ABC + ", int, int, int, int")
        yield instance("bmm_persistent_128_256_64", t, "bmm.cuh", "bmm_static_persistent_kernel", [128, 256, 64, 8, False, False, 16, 1024, 1024, 1024, 1, 1], ABC)
        yield instance("matmul_256_256_64", t, "matmul.cuh", "matmul_kernel", [4096, 4096, 4096, 256, 256, 64, 8, 64, False, False, 2, 1], ABC)
        yield instance("recurrent", t, "recurrent_gated_delta_rule.cuh", "recurrent_gated_delta_rule_fwd_kernel", ["f32", t, 128, 64, False, True, True], "const T*, const T*, const T*, const float*, const T*, T*, const float*, float*, float, int, int, int, int, int")
        yield instance("chunk_intra", t, "chunk_gated_delta_rule.cuh", "chunk_gated_delta_rule_intra_kernel", [t, "f32", 64, 128, True, 1], "const T*, const T*, const T*, const T*, const float*, float*, float*, float*, float*, float*, float, int, int, int, int, int, int")
        yield instance("moe_128", t, "moe.cuh", "fused_moe_kernel", [t, 128, 128, 64, 8, True, False, 4096, 2048, 0, 0, 2, 2048, 1, 4096 * 2048, 1, 2048, 4096, 1, 0, 0, 0, 0, 0, 1024], "const T*, const T*, T*, const float*, const float*, const float*, const int*, const int*, const int*, int")
        yield instance("moe_fp8_64", t, "moe.cuh", "fused_moe_kernel", ["f8e4m3", 64, 128, 128, 8, False, True, 4096, 2048, 128, 128, 2, 2048, 1, 4096 * 2048, 1, 2048, 4096, 1, 16, 1, 512, 1, 16, 1024], "const __nv_fp8_e4m3*, const __nv_fp8_e4m3*, T*, const float*, const float*, const float*, const int*, const int*, const int*, int")
        yield instance("splitk_reduce", t, "splitk_reduce.cuh", "splitk_reduce_kernel", [4, 32, 128, 16, 16, 128, True], "const T*, const float*, T*")
    yield instance("chunk_inter", "f32", "chunk_gated_delta_rule.cuh", "chunk_gated_delta_rule_inter_kernel", [64, 128, 128, False, True, 1], "const float*, const float*, const float*, const float*, const float*, float*, const float*, float*, int, int, int, int, int")
