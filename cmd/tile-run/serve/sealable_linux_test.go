package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// sealable returns memory that can be kept from shrinking. The caller closes it.
func sealable(t *testing.T) *os.File {
	t.Helper()
	f, err := newSealable()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func newSealable() (*os.File, error) {
	fd, err := unix.MemfdCreate("test", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "memory"), nil // nobody else has seen the number: this is its owner
}

// Roles that the test's binary plays as a process of its own, by this variable.
const roleVariable = "TILEWRIGHT_TEST_ROLE"

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(roleVariable) {
	case "server":
		err = playServer()
	case "client":
		err = playClient()
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func playServer() error {
	memory := os.NewFile(3, "memory") // from playClient; the process owns it
	defer memory.Close()
	s, err := New(memory)
	if err != nil {
		return err
	}
	return s.Serve(context.Background(), os.Stdin, os.Stdout)
}

// playClient starts a server that shares memory with it, prints the server's process, and waits to be killed during a
// launch. The server inherits both ends of its standard input, as another child could: the stream outlives the client.
func playClient() error {
	memory, err := newSealable()
	if err != nil {
		return err
	}
	defer memory.Close()
	requests, to, err := os.Pipe()
	if err != nil {
		return err
	}
	defer requests.Close()
	defer to.Close()
	server := exec.Command(os.Args[0])
	server.Env = append(os.Environ(), roleVariable+"=server")
	server.Stdin, server.ExtraFiles = requests, []*os.File{memory, to}
	from, err := server.StdoutPipe() // server.Wait would close it, but nobody waits for the server
	if err != nil {
		return err
	}
	if err := errors.Join(memory.Truncate(1<<20), server.Start()); err != nil {
		return err
	}
	ask := func(header string, payload ...[]byte) {
		if err == nil {
			err = writeFrame(to, []byte(header), payload...)
		}
	}
	answer := func() {
		if err == nil {
			_, err = readFrame(from, nil)
		}
	}
	ask(fmt.Sprintf(`{"id":1,"op":"hello","version":1,"parent":%d}`, os.Getpid()))
	answer()
	ask(`{"id":2,"op":"load","name":"k.mlir"}`, []byte(kernels))
	answer()
	ask(`{"id":3,"op":"launch","module":1,"entry":"endless","grid":[1,1,1],"args":[65536],"segments":[{"address":65536,"bytes":16,"at":0}]}`)
	if err != nil {
		return err
	}
	time.Sleep(100 * time.Millisecond)
	fmt.Println(server.Process.Pid)
	time.Sleep(time.Hour)
	return nil
}

// TestKilled: a client that is killed in the middle of a launch leaves no process, and so no memory.
func TestKilled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := exec.CommandContext(ctx, os.Args[0])
	client.Env = append(os.Environ(), roleVariable+"=client")
	out, err := client.StdoutPipe() // client.Wait closes it
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 32)
	n, err := out.Read(line)
	pid, numberErr := strconv.Atoi(strings.TrimSpace(string(line[:n])))
	client.Process.Kill()
	client.Wait()
	if err != nil || numberErr != nil {
		t.Fatalf("the client said %q: %v", line[:n], err)
	}
	for deadline := time.Now().Add(20 * time.Second); alive(pid); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("the server lives on")
		}
	}
}

// alive reports whether a process runs; one that has ended and that nobody has waited for does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
