package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// TestLog: the flag wins over the environment, which is silent by default, and a wrong level names where it stands.
func TestLog(t *testing.T) {
	for _, tt := range []struct{ env, flag, want string }{
		{"", "", ""}, {"debug", "", "DBG told"}, {"", "debug", "DBG told"}, {"info", "", ""}, {"debug", "error", ""},
	} {
		t.Setenv(LogVar, tt.env)
		var said bytes.Buffer
		ctx, err := WithLog(context.Background(), &said, tt.flag)
		if err != nil {
			t.Fatal(err)
		}
		zerolog.Ctx(ctx).Debug().Msg("told")
		if got := strings.TrimSpace(said.String()); got != tt.want {
			t.Errorf("%s=%q, --log=%q: logged %q, expected %q", LogVar, tt.env, tt.flag, got, tt.want)
		}
	}
	t.Setenv(LogVar, "loud")
	if _, err := Logger(nil, ""); err == nil || !strings.HasPrefix(err.Error(), LogVar+" must be error") {
		t.Errorf("the error of a wrong level in the environment is %v", err)
	}
	if _, err := Logger(nil, "quiet"); err == nil || !strings.HasPrefix(err.Error(), "--log must be error") {
		t.Errorf("the error of a wrong level is %v", err)
	}
}
