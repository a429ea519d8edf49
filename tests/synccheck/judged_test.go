package synccheck

// reported are the kernels of which the checker has reports as they are, and whose fault that is. What else Triton
// leaves out is in package kernels.
var reported = map[string]string{
	"Triton spin_lock.sm_80":               "Triton: all threads load a word that one of them stores next, with no barrier in between",
	"Triton matmul_warp_specialized.sm_90": "Triton: both groups of consumers compute the same tile, and each stores it",
}
