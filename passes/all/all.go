// Package all links every pass of the compiler, by one import line for each folder, and the plugins. Programs import it for its
// effect on the default registry.
package all

import (
	_ "github.com/tilewright/tilewright/passes/any/canonicalize"
	_ "github.com/tilewright/tilewright/passes/any/cse"
	_ "github.com/tilewright/tilewright/passes/any/dce"
	_ "github.com/tilewright/tilewright/passes/any/licm"
	_ "github.com/tilewright/tilewright/passes/any/stripdebuginfo"
	_ "github.com/tilewright/tilewright/passes/any/symboldce"
	_ "github.com/tilewright/tilewright/passes/any/testprint"
	_ "github.com/tilewright/tilewright/passes/convert/cudatiletotileaa"
	_ "github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	_ "github.com/tilewright/tilewright/passes/convert/tileaatotileas"
	_ "github.com/tilewright/tilewright/passes/convert/tileastonvvm"
	_ "github.com/tilewright/tilewright/passes/cudatile/fusefma"
	_ "github.com/tilewright/tilewright/passes/cudatile/loopsplit"
	_ "github.com/tilewright/tilewright/passes/cudatile/synthesizedebuginfoscopes"
	_ "github.com/tilewright/tilewright/passes/nvvm/expandmath"
	_ "github.com/tilewright/tilewright/passes/nvvm/legalizearith"
	_ "github.com/tilewright/tilewright/passes/plugins"
	_ "github.com/tilewright/tilewright/passes/tileaa/attachfacts"
	_ "github.com/tilewright/tilewright/passes/tileas/allocateshared"
	_ "github.com/tilewright/tilewright/passes/tileas/assignlayouts"
	_ "github.com/tilewright/tilewright/passes/tileas/insertbarriers"
	_ "github.com/tilewright/tilewright/passes/tileas/legalizeatomics"
	_ "github.com/tilewright/tilewright/passes/tileas/legalizedot"
	_ "github.com/tilewright/tilewright/passes/tileas/legalizereduce"
	_ "github.com/tilewright/tilewright/passes/tileas/materializeconvertlayout"
	_ "github.com/tilewright/tilewright/passes/tileas/removelayoutconversions"
)
