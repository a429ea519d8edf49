package kernelsuite

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// ParseArg reads an argument of a launch, as tile-run does, or a buffer of integers: i32[512]=0,7,.. in equal steps,
// f16[64]=-1..1 at random in a range, the same in each run, f32[3]=1,2,4 one by one.
func ParseArg(text string) (launch.Arg, error) {
	sized, content, ok := strings.Cut(text, "=")
	numbers := series(content)
	if !ok || numbers == nil {
		return launch.ParseArg(text, nil)
	}
	arg, err := launch.ParseArg(sized, nil)
	if err != nil {
		return arg, err
	}
	b := arg.Buffer
	if b == nil {
		return arg, fmt.Errorf("argument %q: no buffer for a series", text)
	}
	for i := range b.Len() {
		number, err := numbers(i)
		if err != nil {
			return arg, fmt.Errorf("argument %q: %w", text, err)
		}
		v, err := b.DType.ParseValue(number)
		if err != nil {
			return arg, fmt.Errorf("argument %q: %w", text, err)
		}
		b.DType.Store(b.Data, i, v)
	}
	return arg, nil
}

// series returns the function of the index that a text stands for; nil: none.
func series(text string) func(i int) (string, error) {
	var a, b int64
	if rest, ok := strings.CutSuffix(text, ",.."); ok {
		_, err := fmt.Sscanf(rest, "%d,%d", &a, &b)
		return func(i int) (string, error) { return fmt.Sprint(a + int64(i)*(b-a)), err }
	}
	if from, to, ok := strings.Cut(text, ".."); ok {
		_, err := fmt.Sscanf(from+" "+to, "%d %d", &a, &b)
		if err != nil || b < a {
			return nil
		}
		r := rand.New(rand.NewPCG(uint64(a), uint64(b)))
		return func(int) (string, error) { return fmt.Sprint(a + r.Int64N(b-a+1)), nil }
	}
	if list := strings.Split(text, ","); len(list) > 1 {
		return func(i int) (string, error) {
			if i >= len(list) {
				return "", fmt.Errorf("%d numbers are too few", len(list))
			}
			return list[i], nil
		}
	}
	return nil
}

// written writes arguments of tile-run that it does not read itself to files of a folder.
func written(args []string, dir string) ([]string, error) {
	args = slices.Clone(args)
	for i, text := range args {
		given, ok := strings.CutPrefix(text, "--arg=")
		_, content, _ := strings.Cut(given, "=")
		if !ok || series(content) == nil {
			continue
		}
		arg, err := ParseArg(given)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.npy", i))
		if err := npy.WriteFile(file, arg.Buffer.Array()); err != nil {
			return nil, err
		}
		args[i] = fmt.Sprintf("--arg=%s:%s", arg.Buffer.DType, file)
	}
	return args, nil
}

// Request is a launch of the kernel @k with arguments.
func Request(blocks uint32, args []string) (*launch.Request, error) {
	req := &launch.Request{Entry: "k", Grid: [3]uint32{blocks, 1, 1}}
	for _, text := range args {
		arg, err := ParseArg(text)
		if err != nil {
			return nil, err
		}
		req.Args = append(req.Args, arg)
	}
	return req, nil
}
