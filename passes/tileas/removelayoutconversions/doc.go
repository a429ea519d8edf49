// Package removelayoutconversions is the pass tileas-remove-layout-conversions: it drops the conversions that move nothing.
//
// Three rewrites are repeated until none applies: a conversion to a layout under which every thread holds the same elements in the same registers
// disappears; a conversion of a conversion starts from the first source; a conversion of a value that costs nothing to make, as a splat or a
// range, makes that in the wanted layout instead.
package removelayoutconversions
