/** uniqueidentifier as bytes: the first three groups are in reverse order. */

export function guidBytes(guid: string): Uint8Array {
  const bytes = Buffer.from(guid.replace(/-/g, ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

/** Shorter binary is padded on the right. */
export function guidText(bytes: Uint8Array): string {
  const padded = new Uint8Array(16);
  padded.set(bytes.slice(0, 16));
  // Reverses the same groups on the way back.
  const hex = Buffer.from(guidBytes(Buffer.from(padded).toString('hex')))
    .toString('hex')
    .toUpperCase();
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
