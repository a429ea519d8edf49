package ptxas

import "context"

// Registers asks ptxas, where there is one, how many registers a thread of an entry has; 0: unknown.
func Registers(ctx context.Context, ptx []byte, target, entry string) int {
	tool, err := Find("")
	if err != nil {
		return 0
	}
	result, err := tool.Assemble(ctx, ptx, Options{Arch: target, OptLevel: 3, ExtendedShared: true})
	if err != nil {
		return 0
	}
	for _, s := range result.Entries {
		if s.Entry == entry {
			return s.Registers
		}
	}
	return 0
}
