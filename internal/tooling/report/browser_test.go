package report

import (
	"testing"

	"github.com/tilewright/tilewright/internal/testing/headless"
)

// A browser is a headless one, with the names that the tests of this package call it by.
type browser struct{ *headless.Browser }

func open(t *testing.T, file string, dark bool) *browser {
	t.Helper()
	return &browser{headless.Open(t, file, dark)}
}

func (b *browser) eval(expression string, out any) { b.Eval(expression, out) }
func (b *browser) wait(expression string)          { b.Wait(expression) }
func (b *browser) press(keys ...string)            { b.Press(keys...) }
func (b *browser) noErrors()                       { b.NoErrors() }
func (b *browser) screenshot(name string)          { b.Screenshot(name) }
