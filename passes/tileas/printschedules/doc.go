// Package printschedules holds the passes test-print-ddg and test-print-schedule, which show the dependence graphs of loops and their modulo schedules (package passes/schedule/show), for tests and for
// whoever wants to know why a loop runs as it does. The flags --print-ddg and --print-schedule of tile-opt lower a kernel as far as needed and run them there.
package printschedules
