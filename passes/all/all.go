// Package all links every pass of the compiler, by one import line for each folder, and the plugins. Programs import it for its
// effect on the default registry.
package all

import (
	_ "github.com/tilewright/tilewright/passes/canonicalize"
	_ "github.com/tilewright/tilewright/passes/convert/cudatiletotileaa"
	_ "github.com/tilewright/tilewright/passes/convert/tileaatotileas"
	_ "github.com/tilewright/tilewright/passes/convert/tileastonvvm"
	_ "github.com/tilewright/tilewright/passes/cse"
	_ "github.com/tilewright/tilewright/passes/dce"
	_ "github.com/tilewright/tilewright/passes/emitptx"
	_ "github.com/tilewright/tilewright/passes/fusefma"
	_ "github.com/tilewright/tilewright/passes/licm"
	_ "github.com/tilewright/tilewright/passes/loopsplit"
	_ "github.com/tilewright/tilewright/passes/nvvmexpandmath"
	_ "github.com/tilewright/tilewright/passes/nvvmlegalizearith"
	_ "github.com/tilewright/tilewright/passes/plugins"
	_ "github.com/tilewright/tilewright/passes/stripdebuginfo"
	_ "github.com/tilewright/tilewright/passes/symboldce"
	_ "github.com/tilewright/tilewright/passes/synthesizedebuginfoscopes"
	_ "github.com/tilewright/tilewright/passes/testprint"
	_ "github.com/tilewright/tilewright/passes/tileaaattachfacts"
	_ "github.com/tilewright/tilewright/passes/tileasallocateshared"
	_ "github.com/tilewright/tilewright/passes/tileasassignlayouts"
	_ "github.com/tilewright/tilewright/passes/tileasinsertbarriers"
	_ "github.com/tilewright/tilewright/passes/tileaslegalizeatomics"
	_ "github.com/tilewright/tilewright/passes/tileaslegalizedot"
	_ "github.com/tilewright/tilewright/passes/tileaslegalizereduce"
	_ "github.com/tilewright/tilewright/passes/tileasmaterializeconvertlayout"
	_ "github.com/tilewright/tilewright/passes/tileasremovelayoutconversions"
)
