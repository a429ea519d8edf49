// Command measure compiles the kernels of package tiles in many sizes and prints a table: measure TILEC [GPU
// [products]]. For each it gives the seconds of the compilation to a cubin, the bytes of the PTX, and what
// ptxas says of registers, spills and shared memory. "measure write FOLDER" writes the kernels with products as text,
// for other tools.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tilewright/tilewright/tests/tiles"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: measure TILEC [GPU [products]] or measure write FOLDER")
		os.Exit(2)
	}
	gpu := "sm_90"
	if len(os.Args) > 2 {
		gpu = os.Args[2]
	}
	if err := run(os.Args[1], gpu, os.Args[min(3, len(os.Args)):]); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(tilec, gpu string, which []string) error {
	list := kernels()
	if len(which) > 0 && which[0] == "products" {
		list = tiles.Products()
	}
	if tilec == "write" {
		return write(gpu)
	}
	dir, err := os.MkdirTemp("", "tiles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("| kernel | seconds | bytes of PTX | registers | spilled bytes | shared bytes |\n|---|---|---|---|---|---|")
	for _, k := range list {
		if err := measure(tilec, gpu, dir, k); err != nil {
			fmt.Printf("| %s | %s |\n", k.Name, strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", " "))
		}
	}
	return nil
}

// kernels returns those of the table.
func kernels() (out []tiles.Kernel) {
	for bits := 10; bits <= 24; bits += 2 {
		out = append(out, tiles.Elementwise(1<<bits))
	}
	for bits := 12; bits <= 20; bits += 4 {
		n := 1 << (bits / 2)
		out = append(out, tiles.Reduce(0, n, n), tiles.Reduce(1, n, n), tiles.Reduce(1, 16, 1<<bits/16), tiles.Sum(1<<bits), tiles.Scan(0, false, 1<<bits), tiles.Scan(1, true, n, n),
			tiles.Softmax(1<<bits), tiles.Softmax(n, n), tiles.Softmax(4, 1<<bits/4), tiles.Transpose(n, n), tiles.LayerNorm(n, n), tiles.LayerNorm(1, 1<<bits))
	}
	const side = 1 << 12 // of a square of as many elements as a tile may have
	return append(out, tiles.Softmax(side, side), tiles.SoftmaxThrough(side, side), tiles.LayerNorm(side, side), tiles.Centred(side, side), tiles.Transpose(side, side), tiles.Scan(0, true, side*side),
		tiles.Scan(0, true, side, side), tiles.ArgMax(side, side), tiles.Reshaped(side, side), tiles.InPlace(side*side), tiles.Through(side, side), tiles.Transposed(side/2), tiles.Shifted(side*side/16),
		tiles.Accumulated(7, side*side/16), tiles.Add("i8", true, side*side))
}

var (
	registers   = regexp.MustCompile(`Used (\d+) registers`)
	sharedBytes = regexp.MustCompile(`(\d+) bytes of dynamic shared`)
	spills      = regexp.MustCompile(`(\d+) bytes spill stores, (\d+) bytes spill loads`)
)

func measure(tilec, gpu, dir string, k tiles.Kernel) error {
	source, cubin, ptx := filepath.Join(dir, "k.mlir"), filepath.Join(dir, "k.cubin"), filepath.Join(dir, "k.ptx")
	if err := os.WriteFile(source, []byte(k.Text), 0o600); err != nil {
		return err
	}
	begin := time.Now()
	if out, err := exec.Command(tilec, "--gpu-name="+gpu, "--emit=cubin", source, "-o", cubin).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	took := time.Since(begin)
	if out, err := exec.Command(tilec, "--gpu-name="+gpu, "--emit=ptx", source, "-o", ptx).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	text, err := os.Stat(ptx)
	if err != nil {
		return err
	}
	ptxas := os.Getenv("TILEWRIGHT_PTXAS")
	if ptxas == "" {
		ptxas = "ptxas"
	}
	said, err := exec.Command(ptxas, "-v", "--enable-extended-smem=true", "-arch="+gpu, ptx, "-o", cubin).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	code, err := os.ReadFile(ptx)
	if err != nil {
		return err
	}
	shared := "0"
	if m := sharedBytes.FindSubmatch(code); m != nil {
		shared = string(m[1])
	}
	used, spilled := registers.FindSubmatch(said), spills.FindSubmatch(said)
	if used == nil || spilled == nil {
		return fmt.Errorf("ptxas says nothing of registers:\n%s", said)
	}
	fmt.Printf("| %s | %.2f | %d | %s | %s + %s | %s |\n", k.Name, took.Seconds(), text.Size(), used[1], spilled[1], spilled[2], shared)
	return nil
}

// write writes the kernels with products into a folder.
func write(folder string) error {
	for _, k := range tiles.Products() {
		name := strings.NewReplacer(" ", "_", ",", "").Replace(k.Name)
		text := strings.Replace(strings.Replace(k.Text, "entry @k(", "entry @"+name+"(", 1), "cuda_tile.module @m", "cuda_tile.module @"+name, 1)
		if err := os.WriteFile(filepath.Join(folder, name+".mlir"), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
