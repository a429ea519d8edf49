// Package assignlayouts is the pass tileas-assign-layouts. It gives every tensor a layout, and inserts
// convert_layout where an operation needs its operand in another one.
//
//	%a = tiled_load ... : 64x64xf16             %a = tiled_load ... : #coalesced
//	%d = dot %a, %b, %c                         %a1 = convert_layout %a : #coalesced -> #fragment
//	                                            %d = dot %a1, %b1, %c {mma.sync m16n8k16} : #accumulator
//
// A layout is a linear map from bits of register, lane and warp numbers to coordinates (Zhou et al., Linear
// Layouts, arXiv 2505.23819).
//
// # Method
//
// The pass first chooses, and changes nothing in the IR but the attribute of dots. Then it applies what was
// chosen, without choosing.
//
// 1. Classes (classes.go). Some operations always have their values in one layout, such as element-wise
// arithmetic and control flow; their transfer says so. Such values form a class (union-find), and a class has one
// layout, the home of its values. Splats, ranges and what is broadcast from them are cheap. They belong to no
// class, and are rematerialized in the layout of each use.
//
// 2. Seeds (seed.go, dot.go). A class gets a first home from the strongest reason in it. That is the layout that
// the IR came with; else the accumulator of a matrix instruction; else the access to global memory that moves
// most bytes. An access proposes its coalesced layout, with the vector width that the attached facts allow.
//
// 3. Propagation (propagate.go). Other classes follow from their neighbours through transfers, forwards before
// backwards. A class without neighbours gets a row-major default.
//
// 4. Search (improve.go). For each class, the layouts that the operations around it prefer are tried. The one
// with the least total cost of these operations becomes its home. Classes of the same elements in other shapes
// are also tried together, unless a loop loads them: between them a conversion would only move. A change of one class
// changes the costs of others, so there is a second round. The search is local and bounded, not optimal.
//
// 5. Warp tilings (tilings.go). A dot that feeds another one, or whose result is reduced, is tried in other warp
// tilings. The cost of the entire plan decides.
//
// 6. Signatures (signature.go). Each operation gets the cheapest of the signatures that follow from the home of
// one of its tensors; an access may also have its coalesced layout. Where a signature differs from a home, a
// conversion is inserted (apply.go).
//
// Costs (package layouts) weigh conversions by their class, accesses by the lines of memory that they touch, and
// work by registers, all by the nesting of loops. The pass names the dot, whose layouts are those of its instruction, and
// the reduction, which is best with entire lines. Others state in a transfer what they do with layouts (package transfer).
//
// # Limits
//
// A home is chosen once for all uses of a class: a value is never kept in two layouts except by conversions.
package assignlayouts
