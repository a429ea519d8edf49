// Package times is the command tile time: it estimates how long a launch takes on a GPU, in seconds and without one.
//
// A profile (tile-run --profile) executes all of a launch. Here only samples are executed, so that grids of any size can
// be asked about (target/engine/emulate, Sample). Everything that it prints of time is an estimate.
package times
