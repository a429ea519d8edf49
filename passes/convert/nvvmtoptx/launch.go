package nvvmtoptx

import (
	"bytes"
	"encoding/json"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
)

// Launch says how the kernels of a module must be launched. Drivers know it for tile kernels; for what comes from PTX
// the launcher must.
//
// Launchers of tile kernels give the number of tile blocks alone. A cubin from ptxas is an ordinary kernel: its
// launcher must know the threads of a block, and how much shared memory to ask for.
type Launch struct {
	Target  string    `json:"target"`
	Version string    `json:"ptx_version"`
	Kernels []*Kernel `json:"kernels"`
}

// Bytes implements passes.Artifact: what launchers outside the process read.
func (l *Launch) Bytes() ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // types have angle brackets
	err := enc.Encode(l)
	return text.Bytes(), err
}

// Kernel describes one entry.
type Kernel struct {
	Name          string   `json:"name"`
	Params        []string `json:"params"` // types of the parameters, as the IR spells them
	Block         []int    `json:"block,omitempty"`
	Cluster       []int    `json:"cluster,omitempty"`
	StaticShared  int      `json:"static_shared"`
	DynamicShared int      `json:"dynamic_shared"` // bytes to ask for in the launch
	// TensorMaps are hidden parameters after the others, which the launcher makes.
	TensorMaps []tensormap.Map `json:"tensor_maps,omitempty"`
}

// sharedAlign is the alignment of a kernel's shared memory: a row of banks, which the allocation of buffers counts on.
const sharedAlign = 128

func (e *emitter) launch() *Kernel {
	k := &Kernel{Name: e.entry.Name, Params: []string{}, TensorMaps: e.maps, Block: ints(e.fn, nvvm.AttrReqntid), Cluster: ints(e.fn, nvvm.AttrClusterDim)}
	for _, a := range e.fn.Body().Args() {
		k.Params = append(k.Params, ir.TypeString(a.Type()))
	}
	return k
}

// sharedVariable declares the kernel's shared memory: statically if the target allows that much, else as the launch's
// dynamic memory.
//
// 48 KiB is what PTX takes statically under the plain spelling of a target (target/sm has the others); beyond,
// the launcher must also raise the kernel's limit (cuFuncSetAttribute with
// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES). One variable for all buffers, since their places overlap by
// design.
//
// Launchers of tile kernels ask for no dynamic memory: for them all of it is static, up to what one CTA can
// have.
func (e *emitter) sharedVariable(t sm.Target, k *Kernel, static bool) (*ptx.Var, error) {
	bytes, _ := e.fn.IntAttr(nvvm.AttrSharedBytes)
	if bytes <= 0 && !e.usesShared {
		return nil, nil
	}
	most := t.StaticShared()
	if static {
		if most = t.Arch.Shared.PerCTA; int(bytes) > most {
			return nil, e.fn.Errorf("needs %d bytes of shared memory, and %s has %d", bytes, t.Arch, most)
		}
	}
	align, _ := e.fn.IntAttr(nvvm.AttrSharedAlign)
	v := &ptx.Var{Space: ptx.Shared, Align: max(sharedAlign, int(align)), Type: ptx.B8, Name: e.sharedName(), Array: true, Count: int(bytes)}
	if int(bytes) > most {
		// Beyond what PTX takes statically for the target, memory must be asked for in the launch, and the variable
		// is declared without a size.
		v.Linkage, v.Count = ptx.LinkExtern, 0
		k.DynamicShared = int(bytes)
	} else {
		// A kernel may name its shared memory without having any, and PTX has no empty array.
		v.Count = max(v.Count, 1)
		k.StaticShared = v.Count
	}
	return v, nil
}

func (e *emitter) sharedName() string { return e.entry.Name + "_shared" }

// ints returns the values of an array attribute.
func ints(op ir.Op, name string) []int {
	a, ok := op.Attr(name).(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	out := make([]int, len(a.Values))
	for i, v := range a.Values {
		out[i] = int(v)
	}
	return out
}
