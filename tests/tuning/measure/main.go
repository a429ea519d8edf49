// Command measure tunes the lists that lists.py wrote to a folder, and compares each result with the search of all
// configurations. GEMMs are compared with a closed form too. It writes the tables of docs/measurements/tune.md between
// its marks, and runs in the root of the repository.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/internal/tooling/tune"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	page    = "docs/measurements/tune.md"
	chip    = "H100 SXM5"
	workers = 2
	slack   = 0.01
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// A row is the tuning of one shape.
type row struct {
	shape          string
	configs        []*tune.Config
	found          *tune.Result
	estimated      int
	best, time     string
	regret, closed float64 // parts of the time of the best of all
	seconds        float64
}

// familyRows are the rows of a family, and how long all searches took.
type familyRows struct {
	rows               []row
	seconds, processor float64
}

func run(ctx context.Context, args []string) error {
	if len(args) < 1 {
		return fmt.Errorf("usage: measure FOLDER [FAMILY...]")
	}
	c := sm.ChipNamed(chip)
	arch, err := sm.Lookup(c.Archs()[0])
	if err != nil {
		return err
	}
	device := &tune.Device{Chip: c, Arch: arch, Version: "measure"}
	families := []string{"gemm", "attention", "norm"}
	if len(args) > 1 {
		families = args[1:]
	}
	var out strings.Builder
	summary := "| family | shapes | configurations | estimated | seconds | of processors | regret, mean | worst | closed form, mean | worst |\n|---|---|---|---|---|---|---|---|---|---|\n"
	for _, family := range families {
		found, err := tuneFamily(ctx, device, args[0], family)
		if err != nil {
			return fmt.Errorf("%s: %w", family, err)
		}
		summary += summarize(family, found)
		out.WriteString(table(family, found.rows))
	}
	text := "<!-- tuned shapes -->\n" + summary + out.String() + "<!-- end of tuned shapes -->"
	fmt.Println(text)
	if len(args) > 1 {
		return nil
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	return os.WriteFile(page, regexp.MustCompile(`(?s)<!-- tuned shapes -->.*<!-- end of tuned shapes -->`).ReplaceAllLiteral(old, []byte(text)), 0o666)
}

// tuneFamily tunes the lists of a folder. One cache is for all, as a user has one: shapes share modules.
func tuneFamily(ctx context.Context, device *tune.Device, folder, family string) (*familyRows, error) {
	paths, err := filepath.Glob(filepath.Join(folder, family, "*.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no lists in '%s': %v", folder, err)
	}
	slices.Sort(paths)
	dir, err := os.MkdirTemp("", "tuning")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	kept, err := cache.Open(cache.Options{Dir: dir, Bytes: 1 << 30, Warn: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }})
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	f := &familyRows{rows: make([]row, len(paths))}
	rows := f.rows
	start, before := time.Now(), processor()
	searches, within := errgroup.WithContext(ctx)
	searches.SetLimit(workers) // as many searches at a time, each with one worker, so that none waits for another
	for i, path := range paths {
		r := &rows[i]
		_, r.shape, _ = strings.Cut(strings.TrimSuffix(filepath.Base(path), ".json"), "-")
		if family == "norm" {
			r.shape = map[bool]string{true: "RMS norm ", false: "layer norm "}[i < len(paths)/2] + r.shape
		}
		searches.Go(func() error {
			if err := r.tune(within, device, path, kept); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			fmt.Fprintf(os.Stderr, "%s %s: %.1f s\n", family, r.shape, r.seconds)
			return nil
		})
	}
	if err := searches.Wait(); err != nil {
		return nil, err
	}
	f.seconds, f.processor = time.Since(start).Seconds(), processor()-before
	for i := range rows { // after all searches, since it fills the cache with what they left out
		r := &rows[i]
		if err := r.judge(ctx, device, i%3 == 0, kept); err != nil {
			return nil, fmt.Errorf("%s: %w", paths[i], err)
		}
		fmt.Fprintf(os.Stderr, "%s %s: regret %.2f%%\n", family, r.shape, 100*r.regret)
	}
	return f, nil
}

// tune searches as `tile tune` does.
func (r *row) tune(ctx context.Context, device *tune.Device, path string, kept *cache.Cache) (err error) {
	start := time.Now()
	if r.configs, err = tune.Read(path); err != nil {
		return err
	}
	r.found, err = tune.Run(ctx, tune.NewOracle(device, r.configs, kept), tune.Options{Slack: slack}, nil, 1)
	r.seconds = time.Since(start).Seconds()
	return err
}

// judge compares the result with the search of all configurations, and with a second search where that is asked for.
func (r *row) judge(ctx context.Context, device *tune.Device, again bool, kept *cache.Cache) error {
	configs, found := r.configs, r.found
	if again {
		if err := same(ctx, device, configs, found); err != nil {
			return err
		}
	}
	all, err := everything(ctx, tune.NewOracle(device, configs, kept))
	if err != nil {
		return err
	}
	times := make(map[int]float64)
	for _, x := range all.Ranked {
		times[x.Configuration] = x.Microseconds
	}
	least := all.Ranked[0].Microseconds
	r.best, r.time = found.Ranked[0].Name, fmt.Sprintf("%.2f", found.Ranked[0].Microseconds)
	r.regret = times[found.Best]/least - 1
	for _, x := range found.Ranked {
		if x.State == tune.Estimated {
			r.estimated++
		}
	}
	if i, ok := closedForm(device, configs, r.shape); ok {
		r.closed = times[i]/least - 1
		if times[i] == 0 { // registers may spill: the search of all estimates it too
			return fmt.Errorf("'%s' has no time", configs[i].Name)
		}
	}
	return nil
}

// same searches again with other workers and without what is known, and expects the same bytes.
func same(ctx context.Context, device *tune.Device, configs []*tune.Config, found *tune.Result) error {
	again, err := tune.Run(ctx, tune.NewOracle(device, configs, nil), tune.Options{Slack: slack}, nil, 3)
	if err != nil {
		return err
	}
	var texts [2]bytes.Buffer
	for i, x := range []*tune.Result{found, again} {
		if err := x.WriteJSON(&texts[i]); err != nil {
			return err
		}
	}
	if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
		return fmt.Errorf("two searches differ:\n%s\n%s", &texts[0], &texts[1])
	}
	return nil
}

// everything is the search of all configurations, which needs no numerics classes.
func everything(ctx context.Context, o *tune.Oracle) (*tune.Result, error) {
	known := make(tune.Answers)
	for {
		r, err := tune.Search(o.Device, o.Configs, tune.Options{All: true}, known, workers)
		missing := tune.Missing(nil)
		if !errors.As(err, &missing) {
			return r, err
		}
		var list []tune.Question
		for _, q := range missing {
			if q.Kind == tune.Class {
				known[q] = new(tune.Answer)
			} else {
				list = append(list, q)
			}
		}
		if err := o.Ask(ctx, list, known, workers); err != nil {
			return nil, err
		}
	}
}

// processor is the time that this process has used processors for, in seconds.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)*1e-6 }
	return seconds(u.Utime) + seconds(u.Stime)
}

func summarize(family string, f *familyRows) string {
	rows := f.rows
	var configs, estimated int
	var regret, worst, closed, closedWorst float64
	for _, r := range rows {
		configs += len(r.configs)
		estimated += r.estimated
		regret += r.regret / float64(len(rows))
		worst = max(worst, r.regret)
		closed += r.closed / float64(len(rows))
		closedWorst = max(closedWorst, r.closed)
	}
	form := "| | |"
	if family == "gemm" {
		form = fmt.Sprintf("| %.1f%% | %.1f%% |", 100*closed, 100*closedWorst)
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %.0f | %.0f | %.2f%% | %.2f%% %s\n", family, len(rows), configs, estimated, f.seconds, f.processor, 100*regret, 100*worst, form)
}

func table(family string, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | best | us | estimated | seconds | regret |", family)
	line := "\n|---|---|---|---|---|---|"
	if family == "gemm" {
		b.WriteString(" closed form |")
		line += "---|"
	}
	b.WriteString(line + "\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %d of %d | %.1f | %.2f%% |", r.shape, r.best, r.time, r.estimated, len(r.configs), r.seconds, 100*r.regret)
		if family == "gemm" {
			fmt.Fprintf(&b, " %.1f%% |", 100*r.closed)
		}
		b.WriteString("\n")
	}
	return b.String()
}
