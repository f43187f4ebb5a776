import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateRawSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';

/** Passwords of the tests, each made up so that nothing else can be it. */
export const testSecrets = ['Str0ng!Passw0rd', 'N3w!Passw0rd', 'wr0ng-Secret'] as const;

/**
 * Where one of the secrets stands in a text or in bytes: as it is, in UTF-16, encoded for a URL, for JSON, for HTML or
 * in Base64; also within what is packed by gzip, Brotli or zip, and in the columns of a Parquet file.
 * @returns each place with the secret's number, never the secret itself
 */
export async function findSecrets(
  place: string,
  content: Uint8Array | string,
  secrets: readonly string[],
): Promise<readonly string[]> {
  const bytes = Buffer.from(content);
  const all = [bytes, ...(await unpack(place, bytes))];
  return secrets.flatMap((secret, at) => {
    const forms = listForms(secret);
    return all.some((each) => forms.some((form) => each.includes(form)))
      ? [`${place}: secret ${at + 1}`]
      : [];
  });
}

/** The same of every file below a folder. @param isLeftOut by the path in the folder, with `/` */
export async function findSecretsBelow(
  folder: string,
  secrets: readonly string[],
  isLeftOut: (path: string) => boolean = () => false,
): Promise<readonly string[]> {
  const found: string[] = [];
  const look = async (below: string): Promise<void> => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (isLeftOut(path)) continue;
      // A name is written too.
      found.push(...(await findSecrets(`a name in ${below}`, entry.name, secrets)));
      if (entry.isDirectory()) await look(path);
      if (entry.isFile()) found.push(...(await findSecrets(path, readFileSync(join(folder, path)), secrets)));
    }
  };
  await look('');
  return found;
}

function listForms(secret: string): readonly Buffer[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
  const url = encodeURIComponent(secret);
  const strict = url.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  const plain = [secret, json, html, url, strict].map((text) => Buffer.from(text, 'utf8'));
  const wide = Buffer.from(secret, 'utf16le');
  return [...plain, wide, ...[Buffer.from(secret, 'utf8'), wide].flatMap(listBase64)];
}

/** What is the same in Base64 wherever in three bytes the secret begins. */
function listBase64(bytes: Buffer): readonly Buffer[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return Buffer.from(text.slice(Math.ceil((before * 8) / 6), whole), 'latin1');
  });
}

async function unpack(place: string, bytes: Buffer): Promise<readonly Buffer[]> {
  if (bytes.subarray(0, 4).toString('latin1') === 'PAR1') {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    return [
      Buffer.from(
        JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ),
    ];
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [gunzipSync(bytes)];
  if (place.endsWith('.br')) return [brotliDecompressSync(bytes)];
  return bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
    ? unzip(bytes).map(({ data }) => data)
    : [];
}

/**
 * Files of a zip archive whose headers say how long they are (PKWARE APPNOTE 4.3), unpacked, with their paths in it.
 */
export function unzip(archive: Buffer): readonly { readonly path: string; readonly data: Buffer }[] {
  const files: { path: string; data: Buffer }[] = [];
  for (
    let at = archive.indexOf('PK\u0001\u0002', 0, 'latin1');
    at >= 0;
    at = archive.indexOf('PK\u0001\u0002', at + 4, 'latin1')
  ) {
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(begin, begin + archive.readUInt32LE(at + 20));
    const path = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28));
    files.push({ path, data: archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed });
  }
  return files;
}
