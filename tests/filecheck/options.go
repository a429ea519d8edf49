package filecheck

// Options say how to read directives and how to match them.
type Options struct {
	Prefixes        []string // of directives; none: CHECK
	OtherPrefixes   []string // used by other runs over the same check file, and passed over
	CommentPrefixes []string // hide the directives after them on a line; none: COM and RUN

	StrictWhitespace    bool // blanks count as they are
	MatchFullLines      bool // a pattern must match a line from end to end
	IgnoreCase          bool
	AllowEmpty          bool // the input may be empty
	AllowUnusedPrefixes bool // a prefix may have no directive as long as another one has
	VarScope            bool // variables whose name does not start with $ end at every label

	ImplicitNot []string          // patterns that must not match anywhere between matches
	Defines     map[string]string // variables with a value from the start
}

func (o *Options) prefixes() []string {
	if len(o.Prefixes) == 0 {
		return []string{"CHECK"}
	}
	return o.Prefixes
}

func (o *Options) commentPrefixes() []string {
	if len(o.CommentPrefixes) == 0 {
		return []string{"COM", "RUN"}
	}
	return o.CommentPrefixes
}
