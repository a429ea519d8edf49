package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A KernelSpec is how a kernel is launched and scheduled: what its hints ask for, and what passes decided where these
// leave it open. Zero of a field is that nothing is said.
//
// It is one record, and not an attribute for each field, so that a pass which makes another function of a kernel
// hands on what it has never heard of.
type KernelSpec struct {
	NumWarps   int  // of a CTA
	NumCTAs    int  // that share a CTA
	Cluster    int  // CTAs that hints ask for; tileaa-partition-cluster decides
	Occupancy  int  // CTAs that should fit an SM
	NumStages  int  // depth of software pipelines
	Persistent bool // whether a launched block computes one CTA after another
}

// MaxGrid is how many tile blocks a grid may have along each axis, by the specification of
// cuda_tile.get_tile_block_id. It holds for each kernel with a KernelSpec.
const MaxGrid = 1<<24 - 1

// A specField is one field of the record: adding a row, and the field above, adds it to the text, the checks and the
// reference.
type specField struct {
	name  string
	doc   string
	most  int  // numbers are from 1 to it
	power bool // and a power of two
	// number or flag is where it stands, by its kind.
	number func(s *KernelSpec) *int
	flag   func(s *KernelSpec) *bool
}

var (
	specNumWarps = &specField{name: "num_warps", most: MaxWarps, number: func(s *KernelSpec) *int { return &s.NumWarps }, // see CheckKernelSpec about powers of two
		doc: "the warps of a tile block"}
	specNumCTAs = &specField{name: "num_ctas", most: maxCluster, power: true, number: func(s *KernelSpec) *int { return &s.NumCTAs },
		doc: "the CTAs that share a tile block"}
	specCluster = &specField{name: "cluster", most: maxCluster, power: true, number: func(s *KernelSpec) *int { return &s.Cluster },
		doc: "the CTAs that hints ask for, until it is decided how many share a tile block"}
	specOccupancy = &specField{name: "occupancy", most: maxBlocks, number: func(s *KernelSpec) *int { return &s.Occupancy },
		doc: "the tile blocks that should fit an SM"}
	specNumStages = &specField{name: "num_stages", most: 1 << 16, number: func(s *KernelSpec) *int { return &s.NumStages },
		doc: "advice about the depth of software pipelines"}
	specPersistent = &specField{name: "persistent", flag: func(s *KernelSpec) *bool { return &s.Persistent },
		doc: "advice that a launched block should compute one tile block after another"}
)

// specFields are all there are, in the order of the text.
var specFields = []*specField{specNumWarps, specNumCTAs, specCluster, specOccupancy, specNumStages, specPersistent}

// said reports whether a record says something of a field.
func (f *specField) said(s *KernelSpec) bool {
	if f.flag != nil {
		return *f.flag(s)
	}
	return *f.number(s) != 0
}

// check looks at the value of a number; the error completes "num_warps ".
func (f *specField) check(n int64) error {
	switch {
	case n < 1 || n > int64(f.most):
		return fmt.Errorf("must be from 1 to %d, but got %d", f.most, n)
	case f.power && n&(n-1) != 0:
		return fmt.Errorf("must be a power of two, but got %d", n)
	}
	return nil
}

// given is check for an attribute of a front end that becomes the field.
func (f *specField) given(a ir.Attribute) error {
	if f.flag != nil {
		return flag(a)
	}
	return number(1, int64(f.most))(a)
}

// String is the record as the attribute prints it.
func (s KernelSpec) String() string {
	var parts []string
	for _, f := range specFields {
		switch {
		case !f.said(&s):
		case f.flag != nil:
			parts = append(parts, f.name)
		default:
			parts = append(parts, fmt.Sprintf("%s = %d", f.name, *f.number(&s)))
		}
	}
	return strings.Join(parts, ", ")
}

// KernelSpecAttr is the attribute that holds the record: #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 2>. It
// stands on kernels as AttrKernelSpec, from nv_tileaa down to nvvm, where the directives have been made of it and it
// says why they are what they are.
type KernelSpecAttr struct {
	ir.AttrBase
	Spec KernelSpec
}

// AttrKernelSpec is the name that it has on kernels.
const AttrKernelSpec = "nv_tileaa.kernel_spec"

const specMnemonic = "kernel_spec"

// KernelSpecKind is the kind of the attribute, and KernelSpecField its row in those of kernels.
var (
	KernelSpecKind = &ir.AttrKind{Name: "kernel spec", Desc: "kernel specification attribute", Check: func(a ir.Attribute) bool {
		_, ok := a.(*KernelSpecAttr)
		return ok
	}}
	KernelSpecField = ir.Field{Name: AttrKernelSpec, Arity: ir.Optional, Kind: KernelSpecKind, Doc: "how the kernel is launched and scheduled"}
)

// NewKernelSpec returns the attribute of dialect d, or nil, which is no attribute, for a record that says nothing: a
// kernel then has none.
func NewKernelSpec(c *ir.Context, d *ir.Dialect, s KernelSpec) ir.Attribute {
	if s == (KernelSpec{}) {
		return nil
	}
	return ir.UniqueAttr(c, d, s, func() *KernelSpecAttr { return &KernelSpecAttr{Spec: s} })
}

// KernelSpecOf returns what a kernel says, of any level.
func KernelSpecOf(kernel ir.Op) KernelSpec {
	if a, ok := kernel.Attr(AttrKernelSpec).(*KernelSpecAttr); ok {
		return a.Spec
	}
	return KernelSpec{}
}

// CTAsOf returns how many CTAs share a CTA of the kernel around an operation, or of the kernel that it is.
func CTAsOf(op ir.Op) int {
	for ; !op.IsNil(); op = op.ParentOp() {
		if isEntry(op) {
			return max(1, KernelSpecOf(op).NumCTAs)
		}
	}
	return 1
}

// NumWarpsOf returns the warps of a kernel for passes that need them.
func NumWarpsOf(kernel ir.Op) (int, error) {
	if n := KernelSpecOf(kernel).NumWarps; n > 0 {
		return n, nil
	}
	return 0, kernel.Errorf("has no num_warps in its '%s'", AttrKernelSpec)
}

// SetNumWarps changes the warps of a kernel that says how many it has.
func SetNumWarps(kernel ir.Op, n int) {
	if a, ok := kernel.Attr(AttrKernelSpec).(*KernelSpecAttr); ok {
		s := a.Spec
		s.NumWarps = n
		kernel.SetAttr(AttrKernelSpec, NewKernelSpec(kernel.Context(), a.Dialect(), s))
	}
}

// SetOccupancy changes how many CTAs of a kernel that has a spec are to share an SM.
func SetOccupancy(kernel ir.Op, n int) {
	if a, ok := kernel.Attr(AttrKernelSpec).(*KernelSpecAttr); ok {
		s := a.Spec
		s.Occupancy = n
		kernel.SetAttr(AttrKernelSpec, NewKernelSpec(kernel.Context(), a.Dialect(), s))
	}
}

// PrintAttr implements ir.Attribute.
func (a *KernelSpecAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str(specMnemonic + "<" + a.Spec.String() + ">")
}

// ParseKernelSpec is the ir.Dialect.ParseAttr of the dialect that has the attribute: the fields in any order, each
// once.
func ParseKernelSpec(d *ir.Dialect) func(p ir.AsmParser, mnemonic string) ir.Attribute {
	return func(p ir.AsmParser, mnemonic string) ir.Attribute {
		if mnemonic != specMnemonic {
			return nil // the parser reports what is unknown
		}
		var s KernelSpec
		at := p.Pos()
		p.CommaList("<", ">", func() { parseSpecField(p, &s) })
		switch {
		case p.Failed():
			return nil
		case s == KernelSpec{}:
			p.ErrorAt(at, "a kernel spec that says nothing is left out")
			return nil
		}
		return NewKernelSpec(p.Context(), d, s)
	}
}

func parseSpecField(p ir.AsmParser, s *KernelSpec) {
	pos := p.Pos()
	name := p.Keyword()
	if p.Failed() {
		return
	}
	f := specFieldNamed(name)
	switch {
	case f == nil:
		p.ErrorAt(pos, "a kernel spec has no field '%s'; there is %s", name, strings.Join(specNames(), ", "))
		return
	case f.said(s):
		p.ErrorAt(pos, "%s is given twice", name)
		return
	case f.flag != nil:
		*f.flag(s) = true
		return
	}
	p.Expect("=")
	pos = p.Pos()
	n := p.Integer()
	if p.Failed() {
		return
	}
	if err := f.check(n); err != nil {
		p.ErrorAt(pos, "%s %v", name, err)
		return
	}
	*f.number(s) = int(n)
}

func specFieldNamed(name string) *specField {
	if i := slices.IndexFunc(specFields, func(f *specField) bool { return f.name == name }); i >= 0 {
		return specFields[i]
	}
	return nil
}

func specNames() []string {
	var names []string
	for _, f := range specFields {
		names = append(names, f.name)
	}
	return names
}

// CheckKernelSpec is the part of the verifiers of kernels that checks the record. parted says that the kernel is
// warp-specialized. Then each group of warps is a power of two, and their sum need not be.
func CheckKernelSpec(kernel ir.Op, parted func() bool) error {
	s := KernelSpecOf(kernel)
	for _, f := range specFields {
		if f.number != nil && f.said(&s) { // a pass may have made the attribute, and no parser looked at it
			if err := f.check(int64(*f.number(&s))); err != nil {
				return kernel.Errorf("%s %v", f.name, err)
			}
		}
		if kernel.Attr(f.name) != nil {
			return kernel.Errorf("attribute '%s' is a field of '%s': '%[2]s = #%[2]s<%[1]s ...>'", f.name, AttrKernelSpec)
		}
	}
	if n := s.NumWarps; n&(n-1) != 0 && !parted() {
		return kernel.Errorf("%s must be a power of two, but got %d", specNumWarps.name, n)
	}
	return nil
}

// KernelSpecDoc describes the attribute for the reference.
func KernelSpecDoc() ir.DataDef {
	whole := func(inner string) string { return "#" + AttrKernelSpec + "<" + inner + ">" }
	def := ir.DataDef{
		Mnemonic: specMnemonic, Summary: "How a kernel is launched and scheduled.",
		Doc:      "Hints set its fields, and passes decide those that hints leave open. A field that is absent is not decided.",
		Examples: []string{whole("num_warps = 4"), whole("num_warps = 8, num_ctas = 2, occupancy = 2, num_stages = 3, persistent")},
		Rules: []ir.DataRule{
			{Text: "at least one field is present", Rejected: whole("")},
			{Text: "fields are known", Rejected: whole("warps = 4")},
			{Text: "no field is given twice", Rejected: whole("num_warps = 4, num_warps = 4")},
			{Text: "num_warps is a power of two, but for warp-specialized kernels"},
		},
	}
	var syntax []string
	for _, f := range specFields {
		def.Doc += " `" + f.name + "`: " + f.doc + "."
		if f.flag != nil {
			syntax = append(syntax, "`"+f.name+"`")
			continue
		}
		syntax = append(syntax, "`"+f.name+"` `=` integer")
		text, wrong := fmt.Sprintf("%s is from 1 to %d", f.name, f.most), f.most+1
		if f.power {
			text, wrong = text+" and a power of two", 3
		}
		def.Rules = append(def.Rules, ir.DataRule{Text: text, Rejected: whole(fmt.Sprintf("%s = %d", f.name, wrong))})
	}
	def.Syntax = "`<` (" + strings.Join(syntax, " | ") + ") (`,` ...)* `>`"
	return def
}
