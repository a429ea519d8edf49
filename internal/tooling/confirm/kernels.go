package confirm

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// kernelProbes time kernels. What they compute is compared with cuBLAS, or with what their case expects.
func (s Source) kernelProbes() (out []*Probe, err error) {
	out = append(s.gemmProbes(), s.attentionProbes()...)
	if s.Kernels == "" {
		return out, nil
	}
	var paths []string
	err = filepath.WalkDir(s.Kernels, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "case.json" && len(paths) < maxProbes {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	for _, path := range paths {
		relative, err := filepath.Rel(s.Kernels, filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		c, err := launch.LoadCase(path)
		if err != nil {
			return nil, err
		}
		out = append(out, &Probe{ID: name(Kernels, "case "+filepath.ToSlash(relative)), Kind: Kernels, Look: "the case, by tile judge", judge: judge{figure: true}, expect: c.Expect,
			Means: "A kernel does not compute on hardware what its case expects.",
			make: once(func(ctx context.Context, t Target) (*Launch, error) {
				module, err := c.ReadModule()
				if err != nil {
					return nil, err
				}
				return timedLaunch(ctx, module, c.Request(), t)
			})})
	}
	return out, nil
}

func timedLaunch(ctx context.Context, text []byte, req *launch.Request, t Target) (*Launch, error) {
	l, err := compiled(ctx, text, req, t, fuzz.Options{OptLevel: 3})
	if err != nil {
		return nil, err
	}
	l.Answers, l.Fields, l.Repeat = nil, nil, gemmRepeat
	return l, nil
}

// wrong says where a launch left something else than its case expects; "": nowhere.
func wrong(req *launch.Request, expect []launch.Expect) string {
	for _, x := range expect {
		if x.Segment {
			return "the case has memory at addresses of its own"
		}
		d, err := launch.Compare(req.Args[x.Arg].Buffer, x.Want, x.Tolerance)
		if err != nil {
			return err.Error()
		}
		if !d.OK() {
			return fmt.Sprintf("argument %d: %d of %d elements differ, first element %d: %s", x.Arg, d.Mismatches, d.Elements, d.First, d.FirstPair)
		}
	}
	return ""
}
