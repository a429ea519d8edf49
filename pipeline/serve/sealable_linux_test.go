package serve

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// sealable returns memory that can be kept from shrinking; nil where this test does not know the number of the system call.
func sealable(t *testing.T) *os.File {
	t.Helper()
	number, ok := map[string]uintptr{"amd64": 319, "arm64": 279}[runtime.GOARCH]
	if !ok {
		return nil
	}
	name := []byte("test\x00")
	fd, _, errno := syscall.Syscall(number, uintptr(unsafe.Pointer(&name[0])), 3, 0) // MFD_CLOEXEC, MFD_ALLOW_SEALING
	if errno != 0 {
		t.Fatal(errno)
	}
	return os.NewFile(fd, "memory")
}

// Roles that the test's binary plays as a process of its own, by this variable.
const roleVariable = "TILEWRIGHT_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "server":
		s, err := New(3)
		if err == nil {
			err = s.Serve(context.Background(), os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "client":
		playClient()
	default:
		os.Exit(m.Run())
	}
}

// playClient starts a server that shares memory with it, says which process that is, and waits to be killed, in the middle of a launch.
func playClient() {
	memory := sealable(&testing.T{})
	server := exec.Command(os.Args[0])
	server.Env = append(os.Environ(), roleVariable+"=server")
	server.ExtraFiles = []*os.File{memory}
	to, _ := server.StdinPipe()
	from, _ := server.StdoutPipe()
	if err := server.Start(); err != nil {
		panic(err)
	}
	memory.Truncate(1 << 20)
	ask := func(header string, payload ...[]byte) {
		writeFrame(to, []byte(header), payload...)
	}
	ask(fmt.Sprintf(`{"id":1,"op":"hello","version":1,"parent":%d}`, os.Getpid()))
	readFrame(from, nil)
	ask(`{"id":2,"op":"load","name":"k.mlir"}`, []byte(kernels))
	readFrame(from, nil)
	ask(`{"id":3,"op":"launch","module":1,"entry":"endless","grid":[1,1,1],"args":[65536],"segments":[{"address":65536,"bytes":16,"at":0}]}`)
	time.Sleep(100 * time.Millisecond)
	fmt.Println(server.Process.Pid)
	time.Sleep(time.Hour)
}

// TestKilled: a client that is killed in the middle of a launch leaves no process, and with that no memory, which has no name. Its pipes stay open elsewhere, as those of a program with
// other children may.
func TestKilled(t *testing.T) {
	t.Parallel()
	if sealable(t) == nil {
		t.Skip("this test does not know how to make memory here")
	}
	client := exec.Command(os.Args[0])
	client.Env = append(os.Environ(), roleVariable+"=client")
	out, err := client.StdoutPipe()
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
