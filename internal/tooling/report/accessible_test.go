package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
)

// widths are those of a telephone, a laptop and a screen, in pixels.
var widths = []int{420, 1400, 1920}

// TestAccessible looks for views that are wider than the page, which a reader would have to scroll sideways, at three
// widths. In the long tier it also asks axe-core about each view, light or dark in turn: no serious or critical finding.
func TestAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(judges.Axe(t))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "bytecode", "softmax_rows.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	page := makeFrom(t, Kernel("softmax_rows.tileirbc", data, compile.Options{GPU: "sm_90", OptLevel: 3}))
	launched := launchedPage()
	page.Profiles, page.Values = launched.Profiles, launched.Values
	file := save(t, page)
	for d, dark := range []bool{false, true} {
		b := open(t, file, dark)
		b.eval(string(axe), nil)
		var views []string
		b.eval(`report.tabs.map((t) => t.textContent.split(' ')[0])`, &views)
		for w, width := range widths {
			if !tier.Try(d+w, 2) {
				continue
			}
			b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
			for i, name := range views {
				b.press(fmt.Sprint(i + 1))
				var over int
				if b.eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`, &over); over > 0 {
					t.Errorf("%s at %d pixels is %d pixels wider than the page", name, width, over)
				}
				b.screenshot(fmt.Sprintf("%s-%d-%s", strings.ToLower(name), width, map[bool]string{true: "dark", false: "light"}[dark]))
				if width != widths[1] || !tier.All() || (i+d)%2 != 0 && !tier.Exhaustive() {
					continue
				}
				b.eval(`globalThis.found = null, void axe.run(document, { runOnly: ['wcag2a', 'wcag2aa'], resultTypes: ['violations'] }).then((r) => { found = r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(' | ')); })`, nil)
				b.wait(`found !== null`)
				var found []string
				b.eval(`found`, &found)
				for _, f := range found {
					t.Errorf("%s at %d pixels, dark %v: %s", name, width, dark, f)
				}
			}
		}
		b.noErrors()
	}
}
