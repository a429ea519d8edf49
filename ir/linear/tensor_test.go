package linear

import (
	"fmt"
	"testing"
)

// TestTMEM compares what a plan moves with where tcgen05.mma leaves element (row, col) of a batch: data path
// layouts D and F of the PTX ISA.
func TestTMEM(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape      []int
		warpsM, wN int
	}{
		{[]int{128, 16}, 4, 1}, {[]int{128, 64}, 4, 2}, {[]int{256, 16}, 8, 1}, {[]int{256, 16}, 4, 2}, {[]int{64, 16}, 4, 1}, {[]int{64, 8}, 4, 2}, {[]int{64, 2}, 4, 1},
		{[]int{128, 8}, 4, 1}, {[]int{256, 8}, 8, 1}, {[]int{2, 128, 8}, 4, 1}, {[]int{4, 64, 16}, 4, 2}, {[]int{2, 2, 64, 8}, 4, 1},
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			t.Parallel()
			dist, err := TMEMAccumulator(tt.shape, tt.warpsM, tt.wN)
			if err != nil {
				t.Fatal(err)
			}
			cells, err := TMEMCells(tt.shape)
			if err != nil {
				t.Fatal(err)
			}
			p, err := PlanTMEM(dist, cells, TMEMForm{})
			if err != nil {
				t.Fatal(err)
			}
			r := len(tt.shape)
			rows, cols := tt.shape[r-2], tt.shape[r-1]
			seen := make(map[int]bool)
			for warp := range uint32(tt.warpsM * tt.wN) {
				for lane := range uint32(32) {
					for reg, column := range p.Columns {
						at := dist.Apply(Index{Register: uint32(reg), Lane: lane, Warp: warp})
						batch := 0
						for d, x := range at[:r-2] {
							batch = batch*tt.shape[d] + x
						}
						row, col := at[r-2], at[r-1]
						// Where the instructions of the batch and of the rows before have their columns, and where
						// this one has the element.
						m := min(rows, 128)
						if cols < 16 {
							m = 64
						}
						wantLane, wantColumn := row%m, (batch*(rows/m)+row/m)*cols+col
						if m == 64 {
							wantLane = wantLane/16*32 + wantLane%16
						}
						gotLane, gotColumn := int(warp%4*32+lane), int(column)
						for i, c := range p.Warp {
							gotColumn += int(warp >> (2 + i) & 1 * c)
						}
						if p.Half && lane >= 16 {
							gotLane, gotColumn = gotLane-16, gotColumn+int(p.Split)
						}
						if gotLane != wantLane || gotColumn != wantColumn {
							t.Fatalf("register %d of lane %d of warp %d has row %d, column %d of batch %d, which are in lane %d, column %d, but moves lane %d, column %d", reg, lane, warp, row, col, batch,
								wantLane, wantColumn, gotLane, gotColumn)
						}
						seen[gotColumn*128+gotLane] = true
					}
				}
			}
			if want := cells.layout.in.total(); len(seen) != 1<<want {
				t.Errorf("%d cells are moved, of %d", len(seen), 1<<want)
			}
		})
	}
}

// TestNoTMEM: tiles and warp tilings that TMEM has no place for.
func TestNoTMEM(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape      []int
		warpsM, wN int
	}{{[]int{32, 16}, 4, 1}, {[]int{128}, 4, 1}, {[]int{128, 16}, 8, 1}, {[]int{128, 16}, 2, 2}, {[]int{64, 16}, 8, 1}, {[]int{64, 1}, 4, 1}, {[]int{64, 2}, 4, 2}} {
		if l, err := TMEMAccumulator(tt.shape, tt.warpsM, tt.wN); err == nil {
			t.Errorf("%v has %s", tt, l)
		}
	}
	cells, _ := TMEMCells([]int{64, 16})
	rows, _ := Coalesced([]int{64, 16}, 32, 128, 32, 4, []int{1, 0})
	if _, err := PlanTMEM(rows, cells, TMEMForm{}); err == nil {
		t.Error("a tile by rows is moved")
	}
}

// TestTMEMScales: the scale of row r for block k of the depth is byte k%4 of the word in lane r%32 of each quarter
// of the lanes, and column r/32 of those of its four blocks.
func TestTMEMScales(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape   []int
		rowsDim int
		warps   int
	}{{[]int{128, 4}, 0, 4}, {[]int{4, 64}, 1, 4}, {[]int{128, 16}, 0, 4}, {[]int{256, 4}, 0, 8}, {[]int{8, 32}, 1, 8}} {
		dist, err := TMEMScaleThreads(tt.shape, tt.rowsDim, tt.warps)
		if err != nil {
			t.Fatal(err)
		}
		cells, err := TMEMScales(tt.shape, tt.rowsDim)
		if err != nil {
			t.Fatal(err)
		}
		p, err := PlanTMEM(dist, cells, TMEMForm{Pack: 2, Quarters: true})
		if err != nil {
			t.Fatal(err)
		}
		rows, seen := tt.shape[tt.rowsDim], make(map[[2]int]bool)
		for warp := range uint32(tt.warps) {
			for lane := range uint32(32) {
				for reg := range uint32(len(p.Columns) * p.Pack) {
					at := dist.Apply(Index{Register: reg, Lane: lane, Warp: warp})
					row, k := at[tt.rowsDim], at[1-tt.rowsDim]
					column := int(p.Columns[reg/4])
					for i, c := range p.Warp {
						column += int(warp >> (2 + i) & 1 * c)
					}
					if int(lane) != row%32 || int(reg%4) != k%4 || column != k/4*(rows/32)+row/32 {
						t.Fatalf("%v: register %d of lane %d of warp %d has the scale of row %d for block %d, and stores byte %d of column %d", tt, reg, lane, warp, row, k, reg%4, column)
					}
					seen[[2]int{int(warp%4*32 + lane), column}] = true
				}
			}
		}
		if want := 128 * rows / 32 * tt.shape[1-tt.rowsDim] / 4; len(seen) != want {
			t.Errorf("%v: %d words are stored, of %d", tt, len(seen), want)
		}
	}
	for _, shape := range [][]int{{128, 2}, {16, 4}, {128}} {
		if _, err := TMEMScaleThreads(shape, 0, 4); err == nil {
			t.Errorf("scales of shape %v have a layout", shape)
		}
	}
}
