const { randomBytes } = require('node:crypto');
const { renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const vscode = require('vscode');

/**
 * Listens on this machine only, for whoever can read the file that the address and its secret path are written to.
 * @param {string} file
 * @param {Readonly<Record<string, (details: any) => unknown>>} answers what may be asked; each gives a value that
 * survives JSON
 */
exports.openChannel = async (file, answers) => {
  const secretPath = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== secretPath) return response.writeHead(404).end();
    void answer(request, answers).then((result) => response.end(JSON.stringify(result)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  writeFileSync(`${file}.part`, `http://127.0.0.1:${port}${secretPath}`, { mode: 0o600 });
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
