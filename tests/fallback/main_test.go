package fallback

import (
	"os"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/scratch"
)

func TestMain(m *testing.M) { os.Exit(scratch.Run(m)) }
