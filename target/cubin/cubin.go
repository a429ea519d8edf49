// Package cubin reads what a cubin says of its kernels: how they are launched, and what they use.
//
//	.text.k          the code of kernel k
//	.nv.shared.k     its shared memory
//	.nv.info.k       attributes: a format, a number, a value each
//	.nv.info         attributes of all kernels, about resources
//
// A cubin is an ELF file. Names and layouts are what cuobjdump -elf prints of files that ptxas 13.5 makes.
package cubin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// A Kernel is an entry.
type Kernel struct {
	Name      string
	Language  int    // 7: Tile IR; 0: not said
	Registers int    // of a thread
	Block     [3]int // that a launch must have; zero: any
	Cluster   [3]int // CTAs of the clusters that it is launched in; zero: any
	// BlocksAreClusters says that the grid of a launch counts clusters.
	BlocksAreClusters bool
	StaticShared      int // bytes
	Params            []Param
}

// A Param is a parameter of a kernel.
type Param struct{ Offset, Size int }

// machine is EM_CUDA.
const machine elf.Machine = 190

// The attributes that are read.
const (
	attrParam     = 0x17
	attrParam2    = 0x45 // of kernels with tensor maps among their parameters
	attrBlock     = 0x10
	attrRegisters = 0x2f
	attrCluster   = 0x3d
	attrClusters  = 0x5b // without a value
	attrLanguage  = 0x66
)

// The formats of attributes: formNone has no value, formSized one after its head, of as many bytes as the head says,
// and others one in the head.
const (
	formNone  = 1
	formSized = 4
)

// maxKernels bounds what is read of a file.
const maxKernels = 1 << 16

// Read returns the kernels of a cubin, by name.
func Read(data []byte) ([]*Kernel, error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("no cubin: %w", err)
	}
	if f.Machine != machine {
		return nil, fmt.Errorf("no cubin: the machine is %v", f.Machine)
	}
	byName := make(map[string]*Kernel)
	var kernels []*Kernel
	for _, s := range f.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".text."); ok && len(kernels) < maxKernels {
			k := &Kernel{Name: name}
			byName[name] = k
			kernels = append(kernels, k)
		}
	}
	symbols, err := f.Symbols()
	if err != nil && len(kernels) > 0 {
		return nil, fmt.Errorf("symbols of a cubin: %w", err)
	}
	for _, s := range f.Sections {
		if k := byName[strings.TrimPrefix(s.Name, ".nv.shared.")]; k != nil && strings.HasPrefix(s.Name, ".nv.shared.") {
			k.StaticShared = int(s.Size)
		}
		if !strings.HasPrefix(s.Name, ".nv.info") || s.Type == elf.SHT_NOBITS {
			continue
		}
		info, err := s.Data()
		if err != nil {
			return nil, fmt.Errorf("section %s of a cubin: %w", s.Name, err)
		}
		own := byName[strings.TrimPrefix(s.Name, ".nv.info.")]
		err = attributes(info, func(attr byte, value []byte) {
			if words := words(value); attr == attrRegisters && len(words) == 2 { // of any kernel, by its symbol
				// Symbols count from 1, and Symbols leaves out the first.
				if i := int(words[0]) - 1; i >= 0 && i < len(symbols) && byName[symbols[i].Name] != nil {
					byName[symbols[i].Name].Registers = int(words[1])
				}
			} else if own != nil {
				own.set(attr, value)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("section %s of a cubin: %w", s.Name, err)
		}
	}
	for _, k := range kernels {
		slices.SortFunc(k.Params, func(a, b Param) int { return a.Offset - b.Offset })
	}
	slices.SortFunc(kernels, func(a, b *Kernel) int { return strings.Compare(a.Name, b.Name) })
	return kernels, nil
}

// set takes an attribute of the kernel. Unknown ones, and those of another size than ptxas writes, say nothing.
func (k *Kernel) set(attr byte, value []byte) {
	words := words(value)
	switch {
	case attr == attrLanguage && len(words) == 1:
		k.Language = int(words[0])
	case attr == attrBlock && len(words) == 3:
		k.Block = [3]int{int(words[0]), int(words[1]), int(words[2])}
	case attr == attrCluster && len(words) == 3:
		k.Cluster = [3]int{int(words[0]), int(words[1]), int(words[2])}
	case attr == attrClusters && len(value) == 0:
		k.BlocksAreClusters = true
	case attr == attrParam && len(value) == 12: // the ordinal, the offset, and the size in the upper bits of the last word
		k.Params = append(k.Params, Param{int(binary.LittleEndian.Uint16(value[6:])), int(words[2] >> 18)})
	case attr == attrParam2 && len(value) == 12:
		k.Params = append(k.Params, Param{int(binary.LittleEndian.Uint16(value[6:])), int(binary.LittleEndian.Uint16(value[8:]))})
	}
}

// Is reports whether data is an ELF file, which a cubin is.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(elf.ELFMAG)) }

// sectionPTX holds the PTX that a cubin was assembled from, when line information was asked for: lines that end in
// zero bytes.
const sectionPTX = ".nv_debug_ptx_txt"

// PTX returns the PTX that a cubin brings along, as those do that tileiras makes with --lineinfo.
func PTX(data []byte) ([]byte, error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("no cubin: %w", err)
	}
	if f.Machine != machine {
		return nil, fmt.Errorf("no cubin: the machine is %v", f.Machine)
	}
	s := f.Section(sectionPTX)
	if s == nil || s.Type == elf.SHT_NOBITS {
		return nil, fmt.Errorf("the cubin has no PTX: it is there in those that were made with line information (tileiras --lineinfo)")
	}
	text, err := s.Data()
	if err != nil {
		return nil, fmt.Errorf("section %s of a cubin: %w", sectionPTX, err)
	}
	return bytes.ReplaceAll(text, []byte{0}, []byte{'\n'}), nil
}

// attributes hands on those that have values after their heads, or none.
func attributes(info []byte, each func(attr byte, value []byte)) error {
	for len(info) >= 4 {
		form, attr, size := info[0], info[1], int(binary.LittleEndian.Uint16(info[2:]))
		info = info[4:]
		switch form {
		case formSized:
		case formNone:
			each(attr, nil)
			continue
		default:
			continue
		}
		if size > len(info) {
			return fmt.Errorf("attribute 0x%02x has %d bytes, and %d are left", attr, size, len(info))
		}
		each(attr, info[:size])
		info = info[size:]
	}
	return nil
}

func words(value []byte) (out []uint32) {
	for ; len(value) >= 4; value = value[4:] {
		out = append(out, binary.LittleEndian.Uint32(value))
	}
	return out
}
