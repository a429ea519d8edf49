// Package access executes loads, stores and atomics: of views, through pointers, of tiles by offsets, and of shared
// memory.
//
//	load_view_tko of a 16 x 64 tile of f16:   a box in one buffer, found once and copied by loadBox
//	the same at the border of a tensor:       16 rows (memory.Run), each found once and copied by loadRow
//	with Races set, or of half bytes:         1024 elements, each through Cell.Load with all checks
//
// A [Cell] says how elements of a type lie in memory, and checks each access. Asynchronous copies use the same cells.
package access
