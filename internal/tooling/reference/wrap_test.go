package reference

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("abcd ", 23) // 115 columns
	tests := []struct{ name, in, want string }{
		{"short", "a b\n- c\n", "a b\n- c\n"},
		{"paragraph", long + "efgh ijkl\n", long + "efgh\nijkl\n"},
		{"item", "- " + long + "ijkl", "- " + strings.TrimSpace(long) + "\n  ijkl"},
		{"number", "12. " + long + "ijkl", "12. " + strings.TrimSpace(long) + "\n    ijkl"},
		{"code stays together", long + "`i j k l`", strings.TrimSpace(long) + "\n`i j k l`"},
		{"no new item", long + "efgh - a", strings.TrimSpace(long) + "\nefgh - a"},
		{"fence", "```\n" + long + long + "\n```", "```\n" + long + long + "\n```"},
		{"heading", "# " + long + long, "# " + long + long},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, wrap(tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
