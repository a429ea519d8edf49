// Package jsonschema compares JSON with a JSON Schema, as far as the project's schemas use that language: const, enum,
// type, items, properties, required and additionalProperties.
package jsonschema

import (
	"fmt"
	"math"
	"slices"
)

// Unlike returns a sentence for each place where a value, as encoding/json decodes it, is not as the schema says.
func Unlike(schema map[string]any, value any) []string { return unlike("", schema, value) }

// unlike compares a value with a JSON Schema, as far as ours uses that.
func unlike(at string, form map[string]any, v any) (out []string) {
	if want, ok := form["const"]; ok && v != want {
		out = append(out, fmt.Sprintf("%s is %v, want %v", at, v, want))
	}
	if list, ok := form["enum"].([]any); ok && !slices.Contains(list, v) {
		out = append(out, fmt.Sprintf("%s is %v, want one of %v", at, v, list))
	}
	kind := map[string]bool{"string": false}
	switch v := v.(type) {
	case string:
		kind["string"] = true
	case bool:
		kind["boolean"] = true
	case float64:
		kind["number"], kind["integer"] = true, v == math.Trunc(v)
	case []any:
		kind["array"] = true
		for i, x := range v {
			out = append(out, unlike(fmt.Sprintf("%s[%d]", at, i), form["items"].(map[string]any), x)...)
		}
	case map[string]any:
		kind["object"] = true
		fields, _ := form["properties"].(map[string]any)
		others, _ := form["additionalProperties"].(map[string]any)
		required, _ := form["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				out = append(out, fmt.Sprintf("%s lacks %v", at, name))
			}
		}
		for name, x := range v {
			if f, ok := fields[name].(map[string]any); ok {
				out = append(out, unlike(at+"."+name, f, x)...)
			} else if others != nil {
				out = append(out, unlike(at+"."+name, others, x)...)
			} else {
				out = append(out, fmt.Sprintf("%s has %s, which the schema does not", at, name))
			}
		}
	}
	if want, ok := form["type"].(string); ok && !kind[want] {
		out = append(out, fmt.Sprintf("%s is %v, want %s", at, v, want))
	}
	return out
}
