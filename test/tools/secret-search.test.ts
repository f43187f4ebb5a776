import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { findSecrets, findSecretsBelow, testSecrets } from '../secret-search';
import { makeFolder } from '../temporary-folder';

const [secret] = testSecrets;
const text = `Server=x;Password=${secret};Encrypt=True`;
const base64 = (written: string, encoding: 'utf8' | 'utf16le' = 'utf8'): string =>
  Buffer.from(written, encoding).toString('base64');

/** An archive of one file, with as much of its headers as is read (PKWARE APPNOTE 4.3). */
function zip(content: string): Buffer {
  const [packed, local, central] = [deflateRawSync(content), Buffer.alloc(30), Buffer.alloc(46)];
  local.write('PK\u0003\u0004', 'latin1');
  central.write('PK\u0001\u0002', 'latin1');
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  return Buffer.concat([local, packed, central]);
}

describe('The search for secrets in what was written', () => {
  const forms: Readonly<Record<string, Uint8Array | string>> = {
    'a text': text,
    'UTF-16 at an odd byte': Buffer.concat([Buffer.from([0]), Buffer.from(text, 'utf16le')]),
    'a URL': `https://x/?p=${encodeURIComponent(secret)}`,
    'a URL that encodes more': `https://x/?p=${secret.replace('!', '%21')}`,
    Base64: base64(text),
    'Base64, a byte later': base64(`.${text}`),
    'Base64, two bytes later': base64(`..${text}`),
    'Base64 of UTF-16': base64(text, 'utf16le'),
    'a zip archive': zip(text),
    gzip: gzipSync(text),
    'a file.br': brotliCompressSync(text),
    Parquet: new Uint8Array(
      parquetWriteBuffer({
        columnData: [{ name: 'x', data: [text, text], type: 'STRING' }],
        codec: 'SNAPPY',
      }),
    ),
  };
  for (const [form, content] of Object.entries(forms))
    it(`finds one in ${form}, and does not repeat it`, async () => {
      assert.deepEqual(await findSecrets(form, content, testSecrets), [`${form}: secret 1`]);
    });

  it('finds one with signs that HTML and JSON write another way', async () => {
    const odd = `1<2 & "it's"`;
    for (const written of ['<p>1&lt;2 &amp; &quot;it&#39;s&quot;</p>', JSON.stringify({ odd })])
      assert.deepEqual(await findSecrets('x', written, [odd]), ['x: secret 1'], written);
  });

  it('finds none where there is none', async () => {
    assert.deepEqual(await findSecrets('x', 'Server=x;Password=***', testSecrets), []);
  });

  it('finds one in a file, and in a name of a file, but not in what is left out', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs', 'a.log'), text);
    writeFileSync(join(folder, secret), '');
    assert.deepEqual((await findSecretsBelow(folder, testSecrets)).length, 2);
    assert.deepEqual(
      (await findSecretsBelow(folder, testSecrets, (path) => path.startsWith('logs/'))).length,
      1,
    );
  });
});
