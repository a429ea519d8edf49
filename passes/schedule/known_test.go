package schedule

import (
	"reflect"
	"testing"

	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// Each field of a problem changes its key.
func TestKeyOf(t *testing.T) {
	t.Parallel()
	p := &modulo.Problem{
		Units:   []string{""},
		Ops:     []modulo.Op{{Uses: []modulo.Use{{}}}},
		Edges:   []modulo.Edge{{}},
		Values:  []modulo.Value{{Readers: []modulo.Reader{{}}}},
		Classes: []modulo.Class{{}},
	}
	plain := keyOf(p, 1)
	if keyOf(p, 2) == plain {
		t.Error("another II has the same key")
	}
	fields := 0
	var visit func(v reflect.Value, path string)
	visit = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				visit(v.Field(i), path+"."+v.Type().Field(i).Name)
			}
			return
		case reflect.Slice:
			visit(v.Index(0), path)
			old := reflect.ValueOf(v.Interface())
			v.Set(reflect.Append(v, v.Index(0)))
			defer v.Set(old)
		case reflect.String:
			v.SetString("x")
			defer v.SetString("")
		case reflect.Bool:
			v.SetBool(true)
			defer v.SetBool(false)
		case reflect.Int:
			v.SetInt(3)
			defer v.SetInt(0)
		case reflect.Uint8:
			v.SetUint(3)
			defer v.SetUint(0)
		default:
			t.Fatalf("%s is of kind %s", path, v.Kind())
		}
		fields++
		if keyOf(p, 1) == plain {
			t.Errorf("%s is not in the key", path)
		}
	}
	visit(reflect.ValueOf(p).Elem(), "Problem")
	if fields < 20 {
		t.Errorf("%d fields were changed", fields)
	}
}
