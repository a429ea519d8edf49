// Package tune is the command tile tune: it chooses among configurations of a kernel, without a GPU
// (internal/tooling/tune). Everything that it prints of time is an estimate.
package tune
