import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { findSecrets, findSecretsBelow, testSecrets } from '../secret-search';

const [secret] = testSecrets;
const text = `Server=x;Password=${secret};Encrypt=True`;

/** One packed file without a name, as PKWARE's APPNOTE has it: its local header, its bytes, and the directory at the end. */
function zip(content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const [local, entry, end] = [Buffer.alloc(30), Buffer.alloc(46), Buffer.alloc(22)];
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(8, 8);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, entry, end]);
}

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
    'a zip archive': zip(Buffer.from(text)),
    gzip: gzipSync(text),
    'a file.br': brotliCompressSync(text),
    Parquet: new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'x', data: [text, text], type: 'STRING' }], codec: 'SNAPPY' })),
  };
  for (const [form, content] of Object.entries(forms)) {
    it(`finds one in ${form}`, async () => {
      assert.deepEqual(await findSecrets(form, content, testSecrets), [`${form}: secret 1`]);
    });
  }

  it('finds one with signs that HTML and JSON write another way', async () => {
    const odd = `1<2 & "it's"`;
    for (const written of ['<p>1&lt;2 &amp; &quot;it&#39;s&quot;</p>', JSON.stringify({ odd })])
      assert.deepEqual(await findSecrets('x', written, [odd]), ['x: secret 1'], written);
  });

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
