// Package published holds estimates of times beside times that others measured on GPUs and published.
//
//	rows.json           the published rows, with their sources, and which of them constants were fitted to
//	rows.py             writes the kernels: cutile.py, triton_kernels.py, vectoradd.cu; it needs no GPU
//	h200.json           times of an H200 that we took, with the commit of the compiler and plans of variants
//	hardware.py         times cubins of the rows on a GPU, for docs/measurements/h200.md
//	measure             estimates all rows, and writes docs/measurements/timing.md and docs/images/timing.svg
//
// To repeat it, with the Python and the tools that .ci/judges.sh installs, and ptxas, tileiras and nvcc on the path:
//
//	python3 tests/published/rows.py FOLDER
//	go run ./tests/published/measure FOLDER
//	go run ./tests/published/measure FOLDER --hardware
package published
