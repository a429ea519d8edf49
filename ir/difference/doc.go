// Package difference compares two operations of one context, with everything inside them.
//
//	if d := difference.Between(module, again, difference.Options{}); d != nil {
//		return d.Op.Errorf("reads back as another operation: %s", d.What)
//	}
//
// Two operations are equal when they agree in row, types, attributes, locations and regions, and when their operands
// and successors stand for each other. An absent attribute equals its default. Names of values do not count.
//
// Types, attributes and locations are uniqued by their context, so each comparison is exact: no text stands between.
package difference
