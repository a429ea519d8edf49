package plants

import (
	"fmt"
	"os"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/scratch"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// TestPlants: every bug is found by what its row says, and the pass is named.
func TestPlants(t *testing.T) {
	t.Parallel()
	for group, list := range map[string][]Plant{
		"levels":           levelPlants,
		"pipelined":        pipelinedPlants,
		"staggered":        staggeredPlants,
		"nested":           nestedPlants,
		"circular-buffers": circularBufferPlants,
		"tma-loads":        tmaLoadPlants,
		"tma-stores":       tmaStorePlants,
		"clusters":         clusterPlants,
		"exchanges":        exchangePlants,
		"multicast":        multicastPlants,
		"multicast-warp":   multicastWarpPlants,
		"meeting":          meetingPlants,
		"async-mma":        asyncMMAPlants,
		"producer":         producerPlants,
		"mma-warp":         mmaWarpPlants,
		"handed-copies":    copyPlants,
		"handback":         handbackPlants,
		"gather-role":      gatherPlants,
		"maps-of-roles":    mapPlants,
		"settled-operands": settledPlants,
		"shared-pipes":     sharedPipePlants,
		"states":           statePlants,
		"pipes":            pipePlants,
		"two-cta-mma":      twoCTAPlants,
		"two-cta-mma-warp": pairWarpPlants,

		"tmem":          tmemPlants,
		"scaled":        scaledPlants,
		"packed":        packedPlants,
		"tmem-producer": tmemProducerPlants,
		"overlapping":   overlappingPlants,
		"loaded":        loadedPlants,
		"reduced":       reducedPlants,
		"fenced":        fencedPlants,
		"gathered":      gatheredPlants,
		"shared-loads":  sharedLoadPlants,
		"registers":     registerPlants,
		"extracted":     extractedPlants,
	} {
		for i, p := range list {
			if !tier.Try(i, 12) {
				continue
			}
			t.Run(group+"/"+p.Name, func(t *testing.T) {
				t.Parallel()
				p.Try(t)
			})
		}
	}
}

func TestMain(m *testing.M) {
	var err error
	if caseFolder, err = os.MkdirTemp("", "plants"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := scratch.Run(m)
	os.RemoveAll(caseFolder)
	os.Exit(status)
}
