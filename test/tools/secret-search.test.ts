import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { findSecrets, findSecretsBelow, testSecrets } from '../secret-search';

const [secret] = testSecrets;
const text = `Server=x;Password=${secret};Encrypt=True`;

describe('The search for secrets in what was written', () => {
  const forms: Readonly<Record<string, Uint8Array | string>> = {
    'a text': text,
    'UTF-16': Buffer.from(text, 'utf16le'),
    'UTF-16 at an odd byte': Buffer.concat([Buffer.from([0]), Buffer.from(text, 'utf16le')]),
    'a URL': `https://x/?p=${encodeURIComponent(secret)}`,
    'a URL that encodes more': `https://x/?p=${secret.replace('!', '%21')}`,
    Base64: Buffer.from(text).toString('base64'),
    'Base64, a byte later': Buffer.from(`.${text}`).toString('base64'),
    'Base64, two bytes later': Buffer.from(`..${text}`).toString('base64'),
    'Base64 of UTF-16': Buffer.from(text, 'utf16le').toString('base64'),
    gzip: gzipSync(text),
    'a file.br': brotliCompressSync(text),
    Parquet: new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'x', data: [text, text], type: 'STRING' }], codec: 'SNAPPY' })),
  };
  for (const [form, content] of Object.entries(forms)) {
    it(`finds one in ${form}`, async () => {
      assert.deepEqual(await findSecrets(form, content, testSecrets), [`${form}: secret 1`]);
    });
  }

  it('finds none where there is none, and never repeats one', async () => {
    assert.deepEqual(await findSecrets('x', 'Server=x;Password=***', testSecrets), []);
    assert.ok(!JSON.stringify(await findSecrets('x', text, testSecrets)).includes(secret));
  });

  it('finds one in a file, and in a name of a file, but not in what is left out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'secret-search-'));
    try {
      mkdirSync(join(folder, 'logs'));
      writeFileSync(join(folder, 'logs', 'a.log'), text);
      writeFileSync(join(folder, secret), '');
      assert.deepEqual((await findSecretsBelow(folder, testSecrets)).length, 2);
      assert.deepEqual((await findSecretsBelow(folder, testSecrets, (path) => path.startsWith('logs/'))).length, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
