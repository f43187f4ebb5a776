const { randomBytes } = require('node:crypto');
const { renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const vscode = require('vscode');

/* What a test may ask. Each gives a value that survives JSON. */
const answers = {
  documents: () => vscode.workspace.textDocuments.map(describeDocument),
  activeDocument: () => vscode.window.activeTextEditor && describeDocument(vscode.window.activeTextEditor.document),
  runCommand: async ({ id, args }) => (await vscode.commands.executeCommand(id, ...args)) ?? null,
  commands: () => vscode.commands.getCommands(true),
  setSetting: ({ key, value }) => vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global),
  extension: ({ id }) => {
    const extension = vscode.extensions.getExtension(id);
    return extension && { id: extension.id, version: extension.packageJSON.version, isActive: extension.isActive };
  },
};

function describeDocument(document) {
  return {
    uri: document.uri.toString(),
    languageId: document.languageId,
    isUntitled: document.isUntitled,
    lineCount: document.lineCount,
    text: document.getText(),
  };
}

/** Listens on this machine only, for whoever can read the file that the address and its secret path are written to. */
exports.openChannel = async (file, addServer) => {
  const secretPath = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== secretPath) return response.writeHead(404).end();
    answer(request, { ...answers, addServer: ({ server }) => addServer(server) }).then((result) => response.end(JSON.stringify(result)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFileSync(`${file}.part`, `http://127.0.0.1:${server.address().port}${secretPath}`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return new vscode.Disposable(() => server.close());
};

async function answer(request, answers) {
  try {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { question, ...details } = JSON.parse(body);
    return { value: (await answers[question](details)) ?? null };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}
