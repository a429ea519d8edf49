package synccheck

// reported are the kernels of which the checker has reports as they are, and what that means.
var reported = map[string]string{
	"ours ticket_last_block.sm_80":          "TODO",
	"Triton spin_lock.sm_80":                "TODO",
	"Triton last_program_reduces.sm_100":    "TODO",
	"ours softmax_online_bf16.sm_90":        "TODO",
	"Triton matmul_warp_specialized.sm_90":  "TODO",
	"Triton multicast_to_two.sm_90":         "TODO",
	"ours fmha_full_f16.sm_100":             "TODO",
	"Triton matmul_bf16.sm_100":             "TODO",
	"Triton flash_attention.sm_100":         "TODO",
	"Triton matmul_warp_specialized.sm_100": "TODO",
	"Triton pair_f16.sm_100":                "TODO",
}
