package bytecode

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// ModuleName is the name of the module that a file is read into; the file has none.
const ModuleName = "kernels"

// Read decodes all functions into a cuda_tile.module that also holds the globals. It is detached, in an arena of its
// own, and not verified.
func (f *File) Read() (ir.Op, error) { return f.ReadAt(ir.NewBuilder(f.ctx.NewArena())) }

// ReadAt is Read with the module at the insertion point of b, as in a builtin.module.
func (f *File) ReadAt(b *ir.Builder) (ir.Op, error) {
	all := make([]int, len(f.Functions))
	for i := range all {
		all[i] = i
	}
	return f.read(b, all)
}

// ReadFunction decodes one function into a module of its own, with all globals.
func (f *File) ReadFunction(i int) (ir.Op, error) {
	return f.read(ir.NewBuilder(f.ctx.NewArena()), []int{i})
}

func (f *File) read(b *ir.Builder, functions []int) (ir.Op, error) {
	module, body := f.module(b)
	entries := make([]ir.Op, 0, len(functions))
	err := catch(func() {
		st := new(ir.OpState) // of one operation after the other
		for i := range f.globals {
			f.globals[i].build(body, st)
		}
		for _, i := range functions {
			entries = append(entries, f.entry(body, &f.Functions[i], st))
		}
	})
	if err == nil {
		err = f.readBodies(functions, entries)
	}
	if err != nil {
		module.Erase()
		return ir.Op{}, err
	}
	return module, nil
}

// module makes an empty module and a builder of its contents.
func (f *File) module(b *ir.Builder) (ir.Op, *ir.Builder) {
	st := b.NewState(cudatile.Module, nil)
	st.SetAttr(ir.SymName, f.ctx.String(ModuleName))
	if f.Find(ProducerSection) != nil {
		st.SetAttr("producer", f.ctx.String(f.Producer))
	}
	block := st.AddRegion().AddBlock()
	return b.Insert(st), ir.BuilderAtEnd(block)
}

// restart makes st describe a new operation.
func restart(st *ir.OpState, b *ir.Builder, def *ir.OpDef) {
	attrs, regions := st.Attrs[:0], st.Regions[:0]
	*st = *b.NewState(def, nil)
	st.Attrs, st.Regions = attrs, regions
}

func (g *global) build(b *ir.Builder, st *ir.OpState) {
	c := b.Context()
	restart(st, b, cudatile.Global)
	st.SetAttr(ir.SymName, g.name)
	st.SetAttr("value", g.value)
	st.SetAttr("alignment", c.IntAttr(c.Int(64), g.alignment))
	visibility := cudatile.Public
	if g.private {
		visibility = cudatile.Private
	}
	st.SetAttr("symbol_visibility", visibility.Attr(c))
	if g.constant {
		st.SetAttr("constant", c.Unit())
	}
	b.Insert(st)
}

// entry makes the operation of a function with an empty body.
func (f *File) entry(b *ir.Builder, fn *Function, st *ir.OpState) ir.Op {
	restart(st, b, cudatile.Entry)
	if fn.group >= 0 {
		c := f.cursor(FunctionSection)
		c.pos, c.item = fn.Body, "function @"+fn.Name
		c.reading = "failed to read function location for '" + fn.Name + "'"
		first, end := f.slotsOf(fn.group)
		if first >= end {
			c.fail("the function has no location slot")
		}
		st.Loc = f.location(&c, first)
	}
	st.SetAttr(ir.SymName, f.ctx.String(fn.Name))
	st.SetAttr("function_type", f.ctx.TypeAttr(fn.typ))
	st.SetAttr("optimization_hints", fn.hints)
	st.SetAttr("arg_attrs", fn.args)
	st.AddRegion().AddBlock(fn.typ.Inputs...)
	return b.Insert(st)
}

// readBodies decodes functions into their entries. It returns the error of the first function that has one.
//
// Workers take the next function that is left; each writes into the arena of its entry alone (entries are
// isolated), so that nothing is locked. The error that counts is that of the first function of the file,
// whoever found one first.
func (f *File) readBodies(functions []int, entries []ir.Op) *Error {
	errs := make([]*Error, len(functions))
	var next atomic.Int64
	work := func() {
		b := newBodyReader(f)
		for {
			k := int(next.Add(1)) - 1
			if k >= len(functions) {
				return
			}
			errs[k] = catch(func() { b.read(&f.Functions[functions[k]], entries[k].Body()) })
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(functions)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
