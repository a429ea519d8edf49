// Package tuning holds the evidence of tile tune: 30 shapes each of GEMM, attention and norms.
//
//	kernels.py   the kernels, in cuTile Python
//	lists.py     writes a list of configurations for each shape; it needs no GPU
//	measure      tunes all lists, compares with the search of all configurations and with a closed form, and writes
//	             docs/measurements/tune.md
//
// To repeat it, with the Python that .ci/judges.sh installs and the programs in TILEWRIGHT_BIN:
//
//	PYTHONPATH=python python3 tests/tuning/lists.py FOLDER
//	go run ./tests/tuning/measure FOLDER
package tuning
