-- Tile IR in Neovim 0.7 and later: put this file into ~/.config/nvim/plugin/ and tile-lsp on the path.
-- From 0.11 on `vim.lsp.config('tile_lsp', {cmd = {'tile-lsp'}, filetypes = {'tileir'}, root_markers = {'.git'}})` and
-- `vim.lsp.enable('tile_lsp')` do the same in place of the second command below.
local group = vim.api.nvim_create_augroup('tilewright', {})

-- Only .tileir is ours: .mlir is for every dialect of MLIR, so whoever has Tile IR in it says so.
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  group = group,
  pattern = vim.g.tilewright_patterns or { '*.tileir' },
  callback = function() vim.bo.filetype = 'tileir' end,
})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'tileir',
  callback = function(event)
    vim.bo.commentstring = '// %s'
    local client = vim.lsp.start_client and not vim.lsp.start and vim.g.tilewright_client
    if vim.lsp.start then
      vim.lsp.start({ name = 'tile-lsp', cmd = { 'tile-lsp' }, root_dir = vim.fn.getcwd() })
      return
    end
    if not client then
      client = vim.lsp.start_client({ name = 'tile-lsp', cmd = { 'tile-lsp' }, root_dir = vim.fn.getcwd() })
      vim.g.tilewright_client = client
    end
    vim.lsp.buf_attach_client(event.buf, client)
  end,
})
