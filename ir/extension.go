package ir

import "slices"

// An Extension is a set of operations of a dialect that only the contexts know which it is registered with: an
// experiment, or what is there for tests.
type Extension struct {
	// Of is the dialect that the operations are of.
	Of *Dialect
	// ParseType and ParseAttr are for the dialect's own hooks. They get a mnemonic that the hook does not know, and
	// return nil if they do not know it either. Nil: no types, no attributes.
	ParseType func(p AsmParser, mnemonic string) Type
	ParseAttr func(p AsmParser, mnemonic string) Attribute
	// Data is what the dialect's own tools keep with the extension.
	Data any

	ops []*OpDef
}

// Op adds an operation's row to the extension and returns it; see Dialect.Op.
func (x *Extension) Op(def OpDef) *OpDef {
	row := x.Of.newRow(def)
	x.ops = append(x.ops, row)
	return row
}

// Ops returns the rows of the extension in the order of their definition.
func (x *Extension) Ops() []*OpDef { return x.ops }

// Extend makes an extension of a registered dialect known to the context. Registering it again has no effect.
func (c *Context) Extend(x *Extension) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.register(x.Of)
	if slices.Contains(c.extensions, x) {
		return
	}
	c.extensions = append(c.extensions, x)
	for _, def := range x.ops {
		c.byName[def.FullName()] = def
	}
}

// Extensions returns the extensions of a dialect that are registered with the context, in the order of registration.
func (c *Context) Extensions(d *Dialect) []*Extension {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []*Extension
	for _, x := range c.extensions {
		if x.Of == d {
			out = append(out, x)
		}
	}
	return out
}
