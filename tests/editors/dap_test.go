package editors

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/tests/programs"
)

// debugSession is what is done in the editor with a kernel that stores beyond its array, and what it says of it.
const debugSession = `
local function out(...) io.stdout:write(table.concat(vim.tbl_map(tostring, { ... }), ' ') .. '\n') end
local dap = require('dap')
local stops = 0
dap.listeners.after.event_stopped['test'] = function(_, body) stops = stops + 1; out('stopped', body.reason) end
local function wait(n)
  vim.wait(20000, function() return stops >= n and dap.session() and dap.session().current_frame end)
  vim.wait(200) -- the cursor follows
end
local function ask(text)
  local answer
  dap.session():request('evaluate', { expression = text, context = 'watch', frameId = dap.session().current_frame.id }, function(err, r) answer = err and vim.inspect(err) or r.result end)
  vim.wait(20000, function() return answer end)
  out(text, '=', answer)
end
vim.api.nvim_win_set_cursor(0, { 17, 0 })
dap.set_breakpoint('block == (3,)')
local config = vim.deepcopy(dap.configurations.python[1])
config.program, config.cwd = vim.fn.getcwd(), vim.fn.getcwd()
dap.run(config)
wait(1) out('line', vim.fn.line('.')) ask('max(t)')
dap.step_over() wait(2) out('line', vim.fn.line('.')) ask('max(k)')
dap.step_back() wait(3) out('line', vim.fn.line('.'))
dap.continue() wait(4) ask('y.shape')
dap.disconnect()
vim.wait(5000, function() return not dap.session() end)
vim.cmd('qa!')
`

// TestNeovimDebugs debugs a kernel in Neovim with the settings that users copy.
func TestNeovimDebugs(t *testing.T) {
	t.Parallel()
	nvim, err := exec.LookPath("nvim")
	plugin := os.Getenv("TILEWRIGHT_NVIM_DAP")
	if err != nil || plugin == "" {
		t.Skip("no Neovim (apt-get install neovim), or TILEWRIGHT_NVIM_DAP does not name a clone of nvim-dap")
	}
	dir, err := filepath.Abs("../../cmd/tile/debug/testdata/normalize")
	if err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	settings, err := filepath.Abs("../../editors/neovim/tilewright-dap.lua")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"session.lua": debugSession,
		"init.lua":    "vim.opt.runtimepath:append('" + plugin + "')\nvim.g.tilewright_debugger = 'tile'\ndofile('" + settings + "')\n",
	} {
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(nvim, "--clean", "--headless", "-n", "-u", filepath.Join(own, "init.lua"), "normalize.py", "-c", "luafile "+filepath.Join(own, "session.lua"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+programs.Install(t)+string(os.PathListSeparator)+os.Getenv("PATH"), "XDG_STATE_HOME="+own, "XDG_CACHE_HOME="+own, "XDG_DATA_HOME="+own)
	cmd.WaitDelay = 2 * time.Minute
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := []string{"stopped breakpoint", "line 17", "max(t) = 63", "stopped step", "line 18", "max(k) = 64", "stopped step", "line 17", "stopped exception", "y.shape = (64,)"}
	if got := strings.Join(strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' || r == '\r' }), "|"); !strings.Contains(got, strings.Join(want, "|")) {
		t.Errorf("got %s, expected %s", got, strings.Join(want, "|"))
	}
}
