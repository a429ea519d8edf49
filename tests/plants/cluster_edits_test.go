package plants

import (
	"regexp"
	"slices"
	"strings"
)

// Bugs in kernels whose CTAs load for each other, or multiply together. Ten iterations use each of the eight stages
// more than once.

const clusterLaunch = "--arg=f16[655360]=random --arg=f16[40448]=random --arg=f32[65536]=77 --arg=i32:10 --arg=i32:1"

func replaceOnce(from, to string) func(text string) string {
	return func(text string) string { return strings.Replace(text, from, to, 1) }
}

// replaceAfter replaces what first follows a mark.
func replaceAfter(mark, from, to string) func(text string) string {
	return func(text string) string {
		i := max(0, strings.Index(text, mark))
		return text[:i] + strings.Replace(text[i:], from, to, 1)
	}
}

func replaceAll(pattern, to string) func(text string) string {
	return func(text string) string { return regexp.MustCompile(pattern).ReplaceAllString(text, to) }
}

// withoutLast removes the last cluster_barrier.
func withoutLast(text string) string {
	const barrier = "nv_tileas.cluster_barrier"
	i := strings.LastIndex(text, barrier+"\n")
	return text[:i] + strings.TrimPrefix(text[i:], barrier)
}

var sharedLoadPlants = slices.Concat(
	In(Plant{Kernel: "testdata/multicast.mlir", Launch: clusterLaunch, Flags: []string{"--gpu-name=sm_90", "--tensor-maps=params"}, By: Late},
		Plant{Name: "mbarriers may not be there when bytes come", Edit: replaceOnce("nv_tileas.cluster_barrier\n", "\n")},
		Plant{Name: "a CTA ends while others arrive", Edit: withoutLast},
		Plant{Name: "a stage is free when one CTA has read it", Edit: replaceAll(`(mbarrier_init %\w+, )8 `, "${1}4 ")},
		Plant{Name: "the producer does not wait for stages", Edit: replaceAll(`nv_tileas.mbarrier_wait %\w+, %[\w#]+ cluster :.*\n`, "\n")},
	),
	In(Plant{Kernel: "testdata/two_cta.mlir", Launch: clusterLaunch, Flags: []string{"--gpu-name=sm_100", "--tensor-maps=params"}, By: Late, Options: twoCTAPlants[0].Options},
		Plant{Name: "the mbarriers of the other CTA may not be there", Edit: replaceOnce("nv_tileas.cluster_barrier\n", "nv_tileas.barrier\n")},
		Plant{Name: "the even CTA waits for the phase before", Edit: replaceAll(`(nv_tileas.tmem_dot .* ready %\w+, )%\w+`, "%wrong = arith.constant 1 : i32\n${1}%wrong")},
		Plant{Name: "nobody waits for MMAs", Edit: replaceAll(`nv_tileas.mma_wait .*\n`, "\n")},
		Plant{Name: "the halves of B are swapped", Edit: replaceAfter("role \"load\"", "arith.andi", "arith.xori")},
		Plant{Name: "the mbarrier of the even CTA takes two arrivals", Edit: func(text string) string {
			i := max(0, strings.Index(text, "nv_tileas.cluster_barrier"))
			at := max(0, strings.LastIndex(text[:i], ", 1 :"))
			return text[:at] + strings.Replace(text[at:], ", 1 :", ", 2 :", 1)
		}},
	),
)
