/** decimal(precision, scale) as TDS sends it: a sign byte, then the unscaled value as a little-endian integer. */

const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Bytes of a decimal of that precision, with the sign byte. */
export function decimalBytes(precision: number): number {
  if (precision <= 9) return 5;
  if (precision <= 19) return 9;
  return precision <= 28 ? 13 : 17;
}

/**
 * The value times ten to the power of `scale`. Further digits are rounded half away from zero, like SQL Server does.
 * @throws RangeError if it is no decimal, or has more digits than the precision.
 */
function unscaledOf(text: string, precision: number, scale: number): bigint {
  const match = decimalPattern.exec(text);
  const digits = `${match?.[2] ?? ''}${match?.[3] ?? ''}`;
  if (!match || digits === '') throw new RangeError(`'${text}' is not the text of a decimal`);
  const fraction = (match[3] ?? '').padEnd(scale, '0');
  const kept = BigInt(`${match[2] ?? ''}${fraction.slice(0, scale)}` || '0');
  const size = fraction.charAt(scale) >= '5' ? kept + 1n : kept;
  if (size >= 10n ** BigInt(precision))
    throw new RangeError(`${text} does not fit decimal(${precision},${scale})`);
  return match[1] === '-' ? -size : size;
}

export function encodeDecimal(text: string, precision: number, scale: number): Buffer {
  const unscaled = unscaledOf(text, precision, scale);
  const bytes = Buffer.alloc(decimalBytes(precision));
  bytes[0] = unscaled < 0n ? 0 : 1;
  let rest = unscaled < 0n ? -unscaled : unscaled;
  for (let index = 1; rest > 0n; index++, rest >>= 8n) bytes[index] = Number(rest & 0xffn);
  return bytes;
}
