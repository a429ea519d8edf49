package ptx

import "strconv"

func (p *printer) module(m *Module) {
	var remap [][]int
	p.debug, remap = m.collect()
	for _, c := range m.Comments {
		p.comment("", c)
	}
	p.target(m)
	for i, path := range p.debug.files {
		p.str(".file ")
		p.int(int64(i + 1))
		p.char(' ')
		p.quoted(path)
		p.char('\n')
	}
	for _, f := range m.Funcs {
		p.function(f)
	}
	for _, v := range m.Vars {
		p.variable(v)
	}
	for i, e := range m.Entries {
		p.files = remap[i]
		p.entry(e)
	}
	if len(p.debug.functions) > 0 {
		p.debugStrings()
	}
}

func (p *printer) target(m *Module) {
	p.str(".version ")
	p.buf = m.Target.Version.Append(p.buf)
	p.str("\n.target ")
	p.str(m.Target.String())
	p.str("\n.address_size 64\n\n")
}

var linkages = [...]string{LinkVisible: ".visible ", LinkExtern: ".extern ", LinkWeak: ".weak "}

func (p *printer) function(f *Func) {
	p.str(".extern .func ")
	if f.Result != nil {
		p.char('(')
		p.param(f.Result)
		p.str(") ")
	}
	p.str(f.Name)
	p.params(f.Params)
	p.str(";\n\n")
}

func (p *printer) variable(v *Var) {
	p.str(linkages[v.Linkage])
	p.mod(v.Space)
	p.char(' ')
	p.typed(v.Align, v.Type)
	p.str(v.Name)
	if v.Array {
		p.char('[')
		if v.Count > 0 {
			p.int(int64(v.Count))
		}
		p.char(']')
	}
	if len(v.Init) > 0 {
		p.str(" = ")
		p.initializer(v)
	}
	p.str(";\n")
	if len(p.buf) > flushAt {
		p.flush()
	}
}

func (p *printer) initializer(v *Var) {
	if v.Array {
		p.char('{')
	}
	for i, value := range v.Init {
		if i > 0 {
			p.str(", ")
			if len(p.buf) > flushAt {
				p.flush()
			}
		}
		switch v.Type {
		case F32:
			p.str("0f")
			p.hex(value, 8)
		case F64:
			p.str("0d")
			p.hex(value, 16)
		default:
			p.buf = strconv.AppendUint(p.buf, value, 10)
		}
	}
	if v.Array {
		p.char('}')
	}
}

// typed prints an optional alignment and a type.
func (p *printer) typed(align int, typ Mod) {
	if align > 0 {
		p.str(".align ")
		p.int(int64(align))
		p.char(' ')
	}
	p.mod(typ)
	p.char(' ')
}

func (p *printer) extent(count int) {
	if count > 0 {
		p.char('[')
		p.int(int64(count))
		p.char(']')
	}
}

func (p *printer) params(list []Param) {
	p.char('(')
	for i := range list {
		if i > 0 {
			p.char(',')
		}
		p.str("\n\t")
		p.param(&list[i])
	}
	if len(list) > 0 {
		p.char('\n')
	}
	p.char(')')
}

func (p *printer) param(a *Param) {
	p.str(".param ")
	if a.Space == 0 {
		p.typed(a.Align, a.Type)
	} else {
		p.mod(a.Type)
		p.str(" .ptr ")
		p.mod(a.Space)
		p.str(" .align ")
		p.int(int64(max(a.PtrAlign, 1)))
		p.char(' ')
	}
	p.str(a.Name)
	p.extent(a.Count)
}

func (p *printer) entry(e *Entry) {
	p.str("\n.visible .entry ")
	p.str(e.Name)
	p.params(e.Params)
	p.char('\n')
	p.directives(&e.Directives)
	p.str("{\n")
	for c := Pred; c < numClasses; c++ {
		p.registers(c, e.Regs.Count(c))
	}
	p.body(&e.Body)
	p.str("}\n")
}

func (p *printer) directives(d *Directives) {
	p.dim(".reqntid ", d.ReqNTID)
	p.dim(".maxntid ", d.MaxNTID)
	p.number(".minnctapersm ", d.MinNCTAPerSM)
	p.number(".maxnreg ", d.MaxNReg)
	p.flag(".explicitcluster\n", d.ExplicitCluster)
	p.dim(".reqnctapercluster ", d.ReqNCTAPerCluster)
	p.number(".maxclusterrank ", d.MaxClusterRank)
	p.flag(".blocksareclusters\n", d.BlocksAreClusters)
	p.number(".language ", d.Language)
	for _, text := range d.Pragmas {
		p.pragma("", text)
	}
}

func (p *printer) dim(directive string, d Dim) {
	if d == (Dim{}) {
		return
	}
	p.str(directive)
	p.int(int64(d.X))
	p.str(", ")
	p.int(int64(max(d.Y, 1)))
	p.str(", ")
	p.int(int64(max(d.Z, 1)))
	p.char('\n')
}

func (p *printer) number(directive string, n int) {
	if n != 0 {
		p.str(directive)
		p.int(int64(n))
		p.char('\n')
	}
}

func (p *printer) flag(directive string, set bool) {
	if set {
		p.str(directive)
	}
}

// registers declares all registers of a class; numbers start at 1, so the range has one more.
func (p *printer) registers(c Class, count int) {
	if count == 0 {
		return
	}
	p.str("\t.reg ")
	p.str(classes[c].decl)
	p.char(' ')
	p.str(classes[c].prefix)
	p.char('<')
	p.int(int64(count + 1))
	p.str(">;\n")
}

// debugStrings prints the names of inlined functions, which locations refer to.
func (p *printer) debugStrings() {
	p.str("\n\t.section .debug_str\n\t{\n")
	for i, name := range p.debug.functions {
		p.infoString(i)
		p.str(":\n\t.b8 ")
		for j := range len(name) {
			p.int(int64(name[j]))
			p.char(',')
		}
		p.str("0\n")
	}
	p.str("\t}\n")
}
