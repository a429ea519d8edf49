// Command measure compares processes: measure [-runs N] 'COMMAND ARG ...' ... . It runs the commands in turns and
// prints, for each, the median and the minimum of the wall-clock time, the median of the processor time and of the
// peak memory, and the median of the ratio to the first command of the same turn. What the commands print goes to the
// null device.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A sample is what one process took.
type sample struct{ wall, cpu, ratio, mib float64 }

func main() {
	runs := flag.Int("runs", 9, "how often each command runs")
	flag.Parse()
	commands := flag.Args()
	if len(commands) == 0 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: measure [-runs N] 'COMMAND ARG ...' ...")
		os.Exit(2)
	}
	samples := make([][]sample, len(commands))
	for range *runs {
		var first float64
		for i, command := range commands {
			s, err := run(strings.Fields(command))
			if err != nil {
				fmt.Fprintf(os.Stderr, "measure: %s: %v\n", command, err)
				os.Exit(1)
			}
			if i == 0 {
				first = s.wall
			}
			s.ratio = s.wall / first
			samples[i] = append(samples[i], s)
		}
	}
	fmt.Println("| command | wall s | least | cpu s | peak MiB | ratio of wall |\n|---|---|---|---|---|---|")
	for i, command := range commands {
		of := func(value func(sample) float64) []float64 {
			var out []float64
			for _, s := range samples[i] {
				out = append(out, value(s))
			}
			slices.Sort(out)
			return out
		}
		wall := of(func(s sample) float64 { return s.wall })
		fmt.Printf("| `%s` | %.3f | %.3f | %.3f | %.0f | %.3f |\n", command, median(wall), wall[0],
			median(of(func(s sample) float64 { return s.cpu })), median(of(func(s sample) float64 { return s.mib })),
			median(of(func(s sample) float64 { return s.ratio })))
	}
}

// run runs a command once.
func run(command []string) (sample, error) {
	if len(command) == 0 {
		return sample{}, fmt.Errorf("empty command")
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return sample{}, err
	}
	s := sample{wall: wall.Seconds(), cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.mib = float64(u.Maxrss) / 1024
	}
	return s, nil
}

func median(sorted []float64) float64 { return sorted[len(sorted)/2] }
