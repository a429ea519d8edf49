package cache

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
)

// A folder is a cache of this machine. Entries are files that have their names once they are complete, so that
// processes need no locks: two that write the same entry write the same bytes. When the folder has reached its bound,
// the least recently used entries are removed.
type folder struct {
	dir   string
	limit int64
	warn  func(format string, args ...any)

	mu     sync.Mutex
	stored bool // something, so that the bound may be passed
	failed bool // and told
}

// path is that of an entry: two digits of its name choose a folder, so that no folder has very many.
func (f *folder) path(kind, name string) string { return filepath.Join(f.dir, kind, name[:2], name) }

func (f *folder) get(kind, name string, limit int64) ([]byte, error) {
	path := f.path(kind, name)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("no regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && kind == contents && hashOf(data) != name {
		_ = os.Remove(path) // it is not what its name says, and would be in the way of what is
		return nil, errors.New("damaged")
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // an entry that cannot be touched is only taken to be older than it is
	return data, err
}

func (f *folder) put(kind, name string, data []byte) error {
	path := f.path(kind, name)
	if info, err := os.Lstat(path); err == nil && info.Size() == int64(len(data)) && kind == contents {
		return nil // whether it is right is seen when it is read
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	temp := path + "." + rand.Text()[:8] + tempSuffix
	defer cleanup.Add(temp)()
	if err := os.WriteFile(temp, data, 0o666); err != nil {
		return errors.Join(err, remove(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, remove(temp))
	}
	return nil
}

const tempSuffix = ".tmp"

func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f *folder) keep(key Key, r *Result) {
	err := storeIn(f, key, r)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stored = true
	if err != nil && !f.failed {
		f.failed = true
		f.warn("the cache in '%s' cannot be written: %v", f.dir, err)
	}
}

// abandoned is the age of a temporary file whose writer is taken to be gone.
const abandoned = time.Hour

// trim removes entries until the folder takes nine tenths of its bound, if it takes more than that.
func (f *folder) trim() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.stored {
		return
	}
	type entry struct {
		path string
		size int64
		used time.Time
	}
	var all []entry
	var total int64
	for _, kind := range []string{actions, contents} {
		_ = filepath.WalkDir(filepath.Join(f.dir, kind), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // another process may be removing it
			}
			info, err := d.Info()
			if err != nil {
				return nil
			}
			if filepath.Ext(path) == tempSuffix {
				if time.Since(info.ModTime()) > abandoned {
					_ = os.Remove(path) // or another process does
				}
				return nil
			}
			all = append(all, entry{path, info.Size(), info.ModTime()})
			total += info.Size()
			return nil
		})
	}
	if total <= f.limit {
		return
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	for _, e := range all {
		if total <= f.limit/10*9 {
			return
		}
		// What another process has removed is gone as well: counted as still there, several that trim at once would
		// leave nothing.
		if remove(e.path) == nil {
			total -= e.size
		}
	}
}
