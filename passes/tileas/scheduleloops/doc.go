// Package scheduleloops is the pass tileas-schedule-loops: it finds a modulo schedule for each innermost loop that has something to run ahead, and writes it on the loop.
//
// The schedule is data: #nv_tileas.schedule says for each operation when it starts, can be printed, edited by hand, drawn and verified (property loops-scheduled), and tileas-pipeline-loops derives everything
// else from it. A loop that is better left alone gets none, and a remark says why.
package scheduleloops
