package report

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean spells out characters in the strings of a page that are invisible, or that change how the text around them is
// read. These are control characters, marks of direction, and bytes that are no text. All strings are reached by
// reflection, so that a field that is added later is clean too.
func clean(page *Page) { cleanValue(reflect.ValueOf(page).Elem()) }

func cleanValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(visible(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			cleanValue(v.Field(i))
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.Int || k == reflect.Float64 {
			return
		}
		for i := range v.Len() {
			cleanValue(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			cleanValue(v.Elem())
		}
	}
}

func visible(s string) string {
	if !strings.ContainsFunc(s, hidden) && utf8.ValidString(s) {
		return s
	}
	var sb strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&sb, `\x%02x`, s[i])
		case hidden(r):
			fmt.Fprintf(&sb, `\u%04x`, r)
		default:
			sb.WriteRune(r)
		}
	}
	return sb.String()
}

// hidden reports whether a character is not to reach the page. Line ends and tabs are layout; unicode.Cf has marks of
// direction and joiners.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case 0x2028, 0x2029:
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)
}
