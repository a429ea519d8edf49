package sm

import "fmt"

// Target is what a PTX module states about where it runs: the `.target` spelling and the `.version`.
type Target struct {
	Arch    *Arch
	Suffix  Suffix
	Version Version
}

// String returns the spelling that the `.target` directive and the assembler's --gpu-name take, such as sm_90a.
func (t Target) String() string { return t.Arch.Name + t.Suffix.String() }

// Has reports whether a module with this target can use the feature.
func (t Target) Has(f Feature) bool {
	since, ok := t.Arch.Since(f, t.Suffix)
	return ok && since <= t.Version
}

// StaticShared returns the most shared memory, in bytes, that a module with this target can declare statically. The
// assembler raises the limit where the module cannot move to another architecture; elsewhere what exceeds it must be
// dynamic, or be assembled with --enable-extended-smem.
func (t Target) StaticShared() int {
	if t.Suffix == Specific {
		return t.Arch.Shared.StaticSpecific
	}
	return t.Arch.Shared.Static
}

// Target returns the weakest spelling and the lowest version that carry all the features. It fails when the
// architecture lacks one of them, and names it.
func (a *Arch) Target(fs ...Feature) (Target, error) {
	suffix := Plain
	for _, f := range fs {
		s, _, ok := a.Requirement(f)
		if !ok {
			return Target{}, fmt.Errorf("%s does not support %s (%s)", a.Name, f, f.Doc())
		}
		suffix = max(suffix, s)
	}
	version := a.PTX[suffix]
	for _, f := range fs {
		since, ok := a.Since(f, suffix)
		if !ok {
			return Target{}, fmt.Errorf("%s%s does not support %s (%s)", a.Name, suffix, f, f.Doc())
		}
		version = max(version, since)
	}
	return Target{Arch: a, Suffix: suffix, Version: version}, nil
}

// Best returns the strongest spelling of the architecture at the given version. It is for a compiler that wants every
// instruction of the hardware, and whose result need not run elsewhere. Version zero means the first one of that
// spelling.
func (a *Arch) Best(version Version) (Target, error) {
	for s := numSuffixes; s > Plain; s-- {
		first := a.PTX[s-1]
		if first == 0 || version != 0 && version < first {
			continue
		}
		return Target{Arch: a, Suffix: s - 1, Version: max(version, first)}, nil
	}
	return Target{}, fmt.Errorf("%s needs PTX ISA %s or later, got %s", a.Name, a.PTX[Plain], version)
}
