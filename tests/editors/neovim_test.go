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

func TestMain(m *testing.M) { programs.Main(m) }

const kernel = `cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %c16 = constant <i32: 16> : tile<i32>
      %start = muli %n, %c16 : tile<i32>
    %bad = nothing %start : tile<i32>
    %more = addi %start, : tile<i32>
    return
  }
}
`

// session is what is done in the editor, and what it says of it.
const session = `
local function out(...) io.stdout:write(table.concat({ ... }, ' ') .. '\n') end
vim.wait(20000, function() return #vim.diagnostic.get(0) > 1 end)
for _, d in ipairs(vim.diagnostic.get(0)) do out('diagnostic', d.lnum + 1, d.col + 1, d.message) end
local at = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 3, character = 26 } }
for _, r in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', at, 20000)) do out('hover', (r.result.contents.value:gsub('%s+', ' '))) end
if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync(nil, 20000) end
out('line', vim.fn.getline(4))
vim.api.nvim_win_set_cursor(0, { 5, 20 })
vim.lsp.buf.definition()
vim.wait(20000, function() return vim.fn.line('.') == 4 end)
out('definition', vim.fn.line('.'))
vim.fn.setline(5, '')
vim.fn.setline(6, '')
vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end)
out('left', #vim.diagnostic.get(0))
vim.cmd('qa!')
`

// TestNeovim opens a kernel in Neovim with the settings that users copy.
func TestNeovim(t *testing.T) {
	t.Parallel()
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("no Neovim: apt-get install neovim")
	}
	settings, err := filepath.Abs("../../editors/neovim/tilewright.lua")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"k.tileir": kernel, "session.lua": session} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(nvim, "--clean", "--headless", "-u", settings, "k.tileir", "-c", "luafile session.lua")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+programs.Install(t)+string(os.PathListSeparator)+os.Getenv("PATH"), "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_DATA_HOME="+dir)
	cmd.WaitDelay = 2 * time.Minute
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"diagnostic 5 12 custom op 'nothing' is unknown", "diagnostic 6 26 expected SSA operand", "hover ```mlir %c16 : !cuda_tile.tile<i32>",
		"line     %start = muli %n, %c16 : tile<i32>", "definition 4", "left 0",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
