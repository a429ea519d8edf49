package demo

import (
	"embed"
	"os"
	"path/filepath"
)

// Name is the name of the case.
const Name = "matmul_f16"

//go:embed matmul_f16
var files embed.FS

// Extract writes the case below a folder and returns the folder of the case.
func Extract(dir string) (string, error) {
	entries, err := files.ReadDir(Name)
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, Name)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return "", err
	}
	for _, e := range entries {
		data, err := files.ReadFile(Name + "/" + e.Name())
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), data, 0o666); err != nil {
			return "", err
		}
	}
	return to, nil
}
