package serve

import (
	"fmt"
	"os"
	"sync"
)

// A sharedMemory is a file that the client has in its memory too. The client grows it, and a file that has grown is
// mapped again in full. The mapping before stays, since launches may be using it. A client that doubles its memory
// makes few mappings.
//
// A file that the client could shrink is not mapped: touching what is no more would kill the process. It is read and
// written instead.
type sharedMemory struct {
	file   *os.File // borrowed: the caller of New closes it
	sealed bool     // it cannot shrink

	mu     sync.Mutex
	mapped []byte
}

// newShared returns the shared memory after a file, which stays the caller's.
func newShared(f *os.File) (*sharedMemory, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("shared memory: '%s' is not a regular file", f.Name())
	}
	return &sharedMemory{file: f, sealed: seal(f)}, nil
}

// how names the way in which the memory is accessed.
func (s *sharedMemory) how() string {
	switch {
	case s == nil:
		return "none"
	case s.sealed:
		return "mapped"
	}
	return "copied"
}

// get returns n bytes of the memory, and what to call when they have changed and are to be seen by the client.
func (s *sharedMemory) get(at, n uint64) (data []byte, put func() error, err error) {
	if s == nil {
		return nil, nil, failf(kindRequest, "a segment is in shared memory, but the process was started without any")
	}
	info, err := s.file.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := uint64(info.Size())
	if at > size || n > size-at {
		return nil, nil, failf(kindRequest, "a segment is at byte %d of the shared memory and has %d, but that has %d", at, n, size)
	}
	if n == 0 {
		return nil, func() error { return nil }, nil
	}
	if s.sealed {
		s.mu.Lock()
		defer s.mu.Unlock()
		if at+n > uint64(len(s.mapped)) {
			if s.mapped, err = mapShared(s.file, int(size)); err != nil {
				return nil, nil, fmt.Errorf("mapping %d bytes of shared memory: %w", size, err)
			}
		}
		return s.mapped[at : at+n : at+n], func() error { return nil }, nil
	}
	if n > maxPayload { // a file with holes is as large as anybody likes
		return nil, nil, failf(kindRequest, "a segment has %d bytes, at most %d can be copied", n, uint64(maxPayload))
	}
	data = make([]byte, n)
	if _, err := s.file.ReadAt(data, int64(at)); err != nil {
		return nil, nil, fmt.Errorf("reading shared memory: %w", err)
	}
	return data, func() error {
		_, err := s.file.WriteAt(data, int64(at))
		return err
	}, nil
}
