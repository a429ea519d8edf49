package ptx

// Special is a special register: a read-only value of the thread or its surroundings.
type Special uint16

const (
	invalidSpecial Special = iota
	SregTidX
	SregTidY
	SregTidZ
	SregNTidX
	SregNTidY
	SregNTidZ
	SregCtaIDX
	SregCtaIDY
	SregCtaIDZ
	SregNCtaIDX
	SregNCtaIDY
	SregNCtaIDZ
	SregLaneID
	SregWarpID
	SregNWarpID
	SregSmID
	SregNSmID
	SregGridID
	SregClusterIDX
	SregClusterIDY
	SregClusterIDZ
	SregNClusterIDX
	SregNClusterIDY
	SregNClusterIDZ
	SregClusterCtaIDX
	SregClusterCtaIDY
	SregClusterCtaIDZ
	SregClusterNCtaIDX
	SregClusterNCtaIDY
	SregClusterNCtaIDZ
	SregClusterCtaRank
	SregClusterNCtaRank
	SregIsExplicitCluster
	SregLaneMaskEQ
	SregLaneMaskLE
	SregLaneMaskLT
	SregLaneMaskGE
	SregLaneMaskGT
	SregClock
	SregClock64
	SregGlobalTimer
	SregDynamicSmemSize
	SregTotalSmemSize
	numSpecials
)

var specialNames = [numSpecials]string{
	SregTidX:              "%tid.x",
	SregTidY:              "%tid.y",
	SregTidZ:              "%tid.z",
	SregNTidX:             "%ntid.x",
	SregNTidY:             "%ntid.y",
	SregNTidZ:             "%ntid.z",
	SregCtaIDX:            "%ctaid.x",
	SregCtaIDY:            "%ctaid.y",
	SregCtaIDZ:            "%ctaid.z",
	SregNCtaIDX:           "%nctaid.x",
	SregNCtaIDY:           "%nctaid.y",
	SregNCtaIDZ:           "%nctaid.z",
	SregLaneID:            "%laneid",
	SregWarpID:            "%warpid",
	SregNWarpID:           "%nwarpid",
	SregSmID:              "%smid",
	SregNSmID:             "%nsmid",
	SregGridID:            "%gridid",
	SregClusterIDX:        "%clusterid.x",
	SregClusterIDY:        "%clusterid.y",
	SregClusterIDZ:        "%clusterid.z",
	SregNClusterIDX:       "%nclusterid.x",
	SregNClusterIDY:       "%nclusterid.y",
	SregNClusterIDZ:       "%nclusterid.z",
	SregClusterCtaIDX:     "%cluster_ctaid.x",
	SregClusterCtaIDY:     "%cluster_ctaid.y",
	SregClusterCtaIDZ:     "%cluster_ctaid.z",
	SregClusterNCtaIDX:    "%cluster_nctaid.x",
	SregClusterNCtaIDY:    "%cluster_nctaid.y",
	SregClusterNCtaIDZ:    "%cluster_nctaid.z",
	SregClusterCtaRank:    "%cluster_ctarank",
	SregClusterNCtaRank:   "%cluster_nctarank",
	SregIsExplicitCluster: "%is_explicit_cluster",
	SregLaneMaskEQ:        "%lanemask_eq",
	SregLaneMaskLE:        "%lanemask_le",
	SregLaneMaskLT:        "%lanemask_lt",
	SregLaneMaskGE:        "%lanemask_ge",
	SregLaneMaskGT:        "%lanemask_gt",
	SregClock:             "%clock",
	SregClock64:           "%clock64",
	SregGlobalTimer:       "%globaltimer",
	SregDynamicSmemSize:   "%dynamic_smem_size",
	SregTotalSmemSize:     "%total_smem_size",
}

// String returns the register as it is printed.
func (s Special) String() string { return specialNames[s] }
