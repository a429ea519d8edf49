// Package removelayoutconversions is the pass tileas-remove-layout-conversions. It removes layout conversions
// that are not needed.
//
//	convert_layout (convert_layout %x : A -> B) : B -> C    ->    convert_layout %x : A -> C
//	convert_layout %x : A -> A                              ->    %x
//	convert_layout (splat %s : A) : A -> B                  ->    splat %s : B
//
// The rewrites are repeated until none applies. Cheap values, such as splats and ranges, are rematerialized in
// the layout of their use. It does not choose other layouts; tileas-assign-layouts does that.
package removelayoutconversions
