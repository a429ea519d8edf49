package passes

// An Artifact is a result of a pass that is not IR. Within the process it stays the value that the pass made, for
// callers that know its type. Bytes is for tools, which write it to a file and need not know the type.
type Artifact interface{ Bytes() ([]byte, error) }

// Text is an artifact that is nothing but text, such as a PTX module.
type Text []byte

// Bytes implements Artifact.
func (t Text) Bytes() ([]byte, error) { return t, nil }

// Listing is the artifact that tile-opt prints in place of the IR: the text of a pass whose purpose is to show
// something.
const Listing = "listing"
