package scratch

import (
	"os/exec"
	"strconv"
	"sync"
	"testing"
)

// TestScript runs scripts as soon as they are written, while others start children.
func TestScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 25 {
				name := strconv.Itoa(worker) + "." + strconv.Itoa(i)
				if err := exec.Command(Script(t, dir, name, "#!/bin/sh\n")).Run(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
