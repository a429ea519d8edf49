// The extension starts tile-lsp and leaves the rest to VS Code's own client.
'use strict';

const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  // "scope": "machine" in package.json: a folder that is opened cannot name the program that runs.
  const command = workspace.getConfiguration('tilewright').get('server');
  client = new LanguageClient('tilewright', 'Tile IR', { command, args: [] }, { documentSelector: [{ language: 'tileir' }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
