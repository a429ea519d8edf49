// Package collective lowers what the lanes of a warp do together: reduce, scan and convert_layout.
//
//	reduce over 16 lanes    4 rounds of   %o = shfl.bfly %a, mask ; %a = body(%a, %o)
//	reduce of several lines lanes of a pair take half of the lines each (lanes.go)
//	scan                    each lane scans its registers, then the lanes' totals are scanned (Kogge and Stone)
//	convert_layout          registers get other names; or select, shfl, select where lanes exchange them
//
// What crosses warps goes through shared memory. Earlier passes have made that explicit.
package collective
