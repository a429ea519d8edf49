package ptx

// File is a body's handle for a source file. The zero File is none.
type File uint16

// Loc is a place in the source.
type Loc struct {
	File         File
	Line, Column uint32
	Inlined      *Inlined // where the code was inlined, or nil
}

// Inlined says that code belongs to a function that was inlined at another place. The assembler wants that place to
// have been the location of an earlier statement of the body.
type Inlined struct {
	Function     string
	File         File
	Line, Column uint32
}

// File returns the body's handle for the path. It returns the zero File when a body refers to more files than a
// handle can tell apart.
func (b *Body) File(path string) File {
	for i, p := range b.files {
		if p == path {
			return File(i + 1)
		}
	}
	if len(b.files) == maxFiles {
		return 0
	}
	b.files = append(b.files, path)
	return File(len(b.files))
}

const maxFiles = 1<<16 - 1

// debugTables numbers the source files and the names of inlined functions over all entries, in the order of the text.
type debugTables struct {
	files     []string
	functions []string
	fileIndex map[string]int
	funcIndex map[string]int
}

// collect makes the module's debug tables and the map from each body's file handles to the module's numbers.
func (m *Module) collect() (*debugTables, [][]int) {
	d := &debugTables{fileIndex: make(map[string]int), funcIndex: make(map[string]int)}
	remap := make([][]int, len(m.Entries))
	for i, e := range m.Entries {
		remap[i] = make([]int, len(e.Body.files)+1)
		for j, path := range e.Body.files {
			n, ok := d.fileIndex[path]
			if !ok {
				d.files = append(d.files, path)
				n = len(d.files)
				d.fileIndex[path] = n
			}
			remap[i][j+1] = n
		}
		for _, in := range e.Body.inlined {
			if _, ok := d.funcIndex[in.Function]; !ok {
				d.funcIndex[in.Function] = len(d.functions)
				d.functions = append(d.functions, in.Function)
			}
		}
	}
	return d, remap
}
