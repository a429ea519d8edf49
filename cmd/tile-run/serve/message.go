package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Version of the protocol. A change that a client of an older version would not understand takes the next number.
const Version = 1

// A request is the header of a frame from the client.
type request struct {
	ID uint64 `json:"id"`
	Op string `json:"op"`

	// hello
	Version int `json:"version,omitempty"`
	Parent  int `json:"parent,omitempty"` // the client's process, if it started this one: its end is this one's

	// load: the payload is a module
	Name string `json:"name,omitempty"`

	// launch, unload
	Module uint64 `json:"module,omitempty"`
	launchRequest

	// cancel
	Target uint64 `json:"target,omitempty"`

	ctx    context.Context // of a launch
	cancel context.CancelFunc
}

// A launchRequest says what to launch and how.
type launchRequest struct {
	Entry    string        `json:"entry,omitempty"`
	Grid     []uint32      `json:"grid,omitempty"` // a list, since an array of three would swallow a fourth number
	Args     []uint64      `json:"args,omitempty"` // bits, pointers as addresses
	Segments []segmentSpec `json:"segments,omitempty"`

	Engine   string `json:"engine,omitempty"` // interp, ptx or both
	GPU      string `json:"gpu,omitempty"`
	OptLevel *int   `json:"opt,omitempty"`
	Math     string `json:"math,omitempty"` // cuda or exact
	Strict   bool   `json:"strict,omitempty"`
	Races    bool   `json:"races,omitempty"`
	Ordered  bool   `json:"ordered,omitempty"`
	// SyncCheck reports what is wrong with the synchronization of PTX.
	SyncCheck bool   `json:"sync_check,omitempty"`
	Workers   int    `json:"workers,omitempty"`
	MaxSteps  uint64 `json:"max_steps,omitempty"`
	Timeout   int64  `json:"timeout_ms,omitempty"`
	// Progress is how long a launch of the interpreter may be silent about how far it is; 0: it says nothing.
	Progress int64 `json:"progress_ms,omitempty"`
	// Again runs a launch though it may repeat an earlier one.
	Again bool `json:"again,omitempty"`
	// Relative and Absolute are the tolerances of engine both; without them they are those of the types.
	Relative *float64 `json:"rtol,omitempty"`
	Absolute *float64 `json:"atol,omitempty"`
}

// A segmentSpec is memory of a launch, in the shared memory or, without a place there, in the payload, one after
// the other.
type segmentSpec struct {
	Address  uint64  `json:"address"`
	Bytes    uint64  `json:"bytes"`
	At       *uint64 `json:"at,omitempty"`
	Name     string  `json:"name,omitempty"`
	ReadOnly bool    `json:"readonly,omitempty"`
	DType    string  `json:"dtype,omitempty"`
}

// A response is the header of a frame to the client.
type response struct {
	ID    uint64 `json:"id"`
	Event string `json:"event,omitempty"` // "output": the payload is what the kernel has printed; "progress"; the answer follows
	Error *fault `json:"error,omitempty"`

	// hello
	Version int      `json:"version,omitempty"`
	Engines []string `json:"engines,omitempty"`
	GPUs    []string `json:"gpus,omitempty"`
	PID     int      `json:"pid,omitempty"`
	Shared  string   `json:"shared,omitempty"` // how shared memory is accessed: mapped, copied, or none

	// load
	Module  uint64  `json:"module,omitempty"`
	Entries []Entry `json:"entries,omitempty"`

	// progress
	Done  *uint64 `json:"done,omitempty"` // tile blocks that have ended
	Total uint64  `json:"total,omitempty"`

	// launch
	Written []int   `json:"written,omitempty"` // the segments that may have changed; of those in the payload, the new bytes are in the payload
	Seconds float64 `json:"seconds,omitempty"`
	// Outside are the accesses of tiles outside their view, the first one of each operation.
	Outside []outside `json:"outside,omitempty"`
}

// A fault is an error as JSON.
type fault struct {
	Kind        string         `json:"kind"`
	Message     string         `json:"message"`
	Block       *[3]uint32     `json:"block,omitempty"`
	Element     []int64        `json:"element,omitempty"`
	Where       []launch.Place `json:"where,omitempty"`
	Diagnostics []string       `json:"diagnostics,omitempty"`
	// Address is that of the access; Op and Detail are the parts of the message that a client may word itself.
	Address  *uint64       `json:"address,omitempty"`
	Other    *launch.Party `json:"other,omitempty"`
	Op       string        `json:"op,omitempty"`
	Detail   string        `json:"detail,omitempty"`
	Standing *standing     `json:"standing,omitempty"`
}

// An outside is an access of a tile outside its view: it reads padding or writes nothing.
type outside struct {
	Op      string         `json:"op"`
	Block   [3]uint32      `json:"block"`
	Address uint64         `json:"address"` // where the tensor begins
	Sizes   []int64        `json:"sizes"`   // of the tensor, in dimensions of the tile
	Tile    []int64        `json:"tile"`    // its shape
	Index   []int64        `json:"index"`
	Where   []launch.Place `json:"where,omitempty"`
}

// A standing says how far a launch had come that was stopped.
type standing struct {
	Blocks uint64            `json:"blocks"`
	Ended  uint64            `json:"ended"`
	Begun  uint64            `json:"begun"`
	At     []launch.Standing `json:"at,omitempty"`
}

// The kinds of faults beside those of package launch.
const (
	kindProtocol = "protocol"
	kindRequest  = "request"  // the request makes no sense
	kindRejected = "rejected" // the module is not valid
	kindCompile  = "compile"
	kindLaunch   = "launch"   // the launch went wrong in a way that has no kind
	kindMismatch = "mismatch" // engines differ
	kindCanceled = "canceled"
	kindTimeout  = "timeout"
	kindInternal = "internal"
)

// A failure is an error of a kind.
type failure struct {
	kind string
	diag []string
	error
}

func (f *failure) Unwrap() error { return f.error }

func failf(kind, format string, args ...any) *failure {
	return &failure{kind, nil, fmt.Errorf(format, args...)}
}

func faultOf(err error) *fault {
	out := &fault{Kind: kindLaunch, Message: err.Error()}
	var f *failure
	if errors.As(err, &f) {
		out.Kind, out.Diagnostics = f.kind, f.diag
	}
	var k *launch.Fault
	if errors.As(err, &k) {
		if k.Kind != "" {
			out.Kind = string(k.Kind)
		}
		// The callers are in a list of their own.
		out.Message, out.Block, out.Element, out.Where = k.Err.Error(), &k.Block, k.Element, k.Where
		out.Address, out.Other, out.Op, out.Detail = k.Address, k.Other, k.Op, k.Detail
	}
	var u *launch.Unfinished
	if errors.As(err, &u) {
		out.Standing = &standing{u.Blocks, u.Ended, u.Begun, u.At}
	}
	return out
}

// compileFailure is the error of a module that did not compile, with what the compiler said.
func compileFailure(err error, diags []string) error {
	var d *ir.Diagnostic
	var p *pipeline.Failure
	if errors.As(err, &p) {
		err = fmt.Errorf("pass '%s' failed on %s", p.Pass.Name, p.Op)
	} else if errors.As(err, &d) {
		err = d
	}
	return &failure{kindCompile, diags, err}
}

// decode reads a header. Keys that are not known are errors: a misspelt option must not be one that is not followed.
func decode(header []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(header))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}
