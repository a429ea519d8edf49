package resource

// A Group is one group of a file's metadata: Key names it within a section, "external_resources" or
// "dialect_resources". A crash reproducer is the group "mlir_reproducer" of the former.
type Group struct {
	Section, Key string
	Entries      []Entry
}

// A Entry is one entry: a string, or a boolean.
type Entry struct {
	Key    string
	Text   string
	IsBool bool
	Bool   bool
}

// Get returns the entry of that key.
func (g *Group) Get(key string) (Entry, bool) {
	for _, r := range g.Entries {
		if r.Key == key {
			return r, true
		}
	}
	return Entry{}, false
}
