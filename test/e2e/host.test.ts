import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { vsixFile } from '../../tools/build/vsix';
import { root } from '../../tools/packages';
import { testSecrets } from '../secret-search';
import { eventually } from './eventually';
import { listLeftBehind, watchPage } from './left-behind';
import { startHost, type Host } from './host';

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

const id = `${manifest.publisher}.${manifest.name}`;

describe('Checkpoint Health in a VS Code', () => {
  let host: Host;
  before(async () => (host = await startHost({ vsixFiles: [vsixFile] })));
  after(() => host?.dispose());

  it('is installed in its version and asleep until it is wanted', async () => {
    assert.deepEqual(await host.channel.ask('extension', { id }), {
      id,
      version: manifest.version,
      isActive: false,
    });
  });

  it('wakes up when a language model uses one of its tools, which the user allows first', async () => {
    const answer = host.channel.ask<string>('useTool', { name: 'checkpointHealth_list', input: {} });
    const dialog = host.page.locator('.monaco-dialog-box');
    await dialog.getByText('Give stored evidence to the language model?').waitFor();
    await host.screenshot('tool-asked');
    await dialog.getByRole('button', { name: 'Yes' }).click();
    assert.match(await answer, /Nothing is stored about any server/);
  });
});

describe('The harness', () => {
  let host: Host;
  before(async () => (host = await startHost({ vsixFiles: [] })));
  after(() => host?.dispose());

  it('finds a password that was left behind in a file, in the storage of the page or on its console, and an error of ours', async () => {
    const { page, vscode } = host;
    const [said, noted]: [string[], string[]] = [[], []];
    watchPage(page, said, noted);
    const [secret] = testSecrets;
    const file = join(vscode.folder, 'data', 'User', 'globalStorage', 'planted.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ secret }));
    await page.evaluate((planted) => {
      localStorage.setItem('planted', planted);
      console.info(planted);
      console.error('checkpoint-health failed');
    }, secret);
    try {
      const found = await listLeftBehind(vscode.folder, page, '', said);
      for (const place of [/planted\.json: secret/, /^storage of the page: secret/, /^console: secret/])
        assert.ok(
          found.some((each) => place.test(each)),
          `${String(place)}: ${found.join('; ')}`,
        );
      assert.match(noted.join(), /checkpoint-health failed/);
    } finally {
      rmSync(file);
      await page.evaluate(() => localStorage.removeItem('planted'));
      host.forgetSaid();
    }
    assert.deepEqual(await listLeftBehind(vscode.folder, page, vscode.readLog(), []), []);
  });

  it("finds what a content security policy forbade in a webview's page", async () => {
    const { page } = host;
    const [said, noted]: [string[], string[]] = [[], []];
    watchPage(page, said, noted);
    const address = new URL('/planted-webview.html', host.vscode.address).href;
    const headers = { 'content-security-policy': "script-src 'none'" };
    await page.route(address, (route) =>
      route.fulfill({ contentType: 'text/html', headers, body: '<script>planted()</script>' }),
    );
    await page.evaluate(
      (src) => document.body.append(Object.assign(document.createElement('iframe'), { src, id: 'planted' })),
      address,
    );
    await eventually(async () => assert.match(noted.join(), /content security policy/i));
    await page.evaluate(() => document.getElementById('planted')?.remove());
    host.forgetSaid();
  });

  it('keeps a VS Code to itself: nobody gets in without the secret in its address', async () => {
    const answer = await host.page.request.get(new URL('/', host.vscode.address).href, {
      headers: { cookie: '' },
    });
    assert.equal(answer.status(), 403);
  });
});
