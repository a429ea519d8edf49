// The extension starts tile-lsp and tilewright debug, and leaves the rest to VS Code's own clients.
'use strict';

const { debug, workspace, DebugAdapterExecutable } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = (context) => {
  // "scope": "machine" in package.json: a folder that is opened cannot name the program that runs.
  const program = (name) => workspace.getConfiguration('tilewright').get(name);
  context.subscriptions.push(debug.registerDebugAdapterDescriptorFactory('tilewright', {
    createDebugAdapterDescriptor: () => new DebugAdapterExecutable(program('debugger'), ['debug']),
  }));
  client = new LanguageClient('tilewright', 'Tile IR', { command: program('server'), args: [] }, { documentSelector: [{ language: 'tileir' }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
