-- Debugs the CUDA Tile kernels of a Python program in Neovim, by nvim-dap (github.com/mfussenegger/nvim-dap).
-- Copy it to ~/.config/nvim/plugin/. `:lua require('dap').continue()` in the program then offers the configuration.
local dap = require('dap')

dap.adapters.tilewright = { type = 'executable', command = vim.g.tilewright_debugger or 'tilewright', args = { 'debug' } }

dap.configurations.python = dap.configurations.python or {}
table.insert(dap.configurations.python, {
  type = 'tilewright',
  request = 'launch',
  name = 'CUDA Tile kernels of this file',
  program = '${file}',
  cwd = '${workspaceFolder}',
})
