/** Exact decimal arithmetic on the text of decimals. */
import type { SqlType } from '../tds/handler';
import { overflow } from './errors';
import { sqlError } from '../tds/messages';

type DecimalType = Extract<SqlType, { name: 'decimal' }>;

/** The digits without the point, at this scale. Further digits are rounded half away from zero. */
export function unscaled(text: string, scale: number): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const digits = BigInt(`${whole || '0'}${fraction.slice(0, scale).padEnd(scale, '0')}`);
  const up = (fraction[scale] ?? '0') >= '5' ? 1n : 0n;
  return negative ? -(digits + up) : digits + up;
}

export function scaledText(digits: bigint, scale: number): string {
  const negative = digits < 0n;
  const text = (negative ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return `${negative ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(text.length - scale)}`}`;
}

/** @throws SqlError 8115 if the digits do not fit. */
export function toDecimalText(text: string, to: DecimalType, from: string): string {
  const digits = unscaled(text, to.scale);
  if ((digits < 0n ? -digits : digits) >= 10n ** BigInt(to.precision))
    throw sqlError(8115, [from, 'numeric'], 1, { state: 8 });
  return scaledText(digits, to.scale);
}

/** `*`, `/` and `%` at the result's scale; division truncates, as SQL Server's does. @throws SqlError 8134, 8115. */
export function decimalArithmetic(
  operator: '*' | '/' | '%',
  left: string,
  a: DecimalType,
  right: string,
  b: DecimalType,
  to: DecimalType,
): string {
  const l = unscaled(left, a.scale);
  const r = unscaled(right, b.scale);
  if (operator !== '*' && r === 0n) throw sqlError(8134);
  const digits =
    operator === '*'
      ? rescale(l * r, a.scale + b.scale, to.scale)
      : operator === '/'
        ? divide(l, a.scale, r, b.scale, to.scale)
        : modulo(l, a.scale, r, b.scale, to.scale);
  if ((digits < 0n ? -digits : digits) >= 10n ** BigInt(to.precision)) throw overflow('numeric');
  return scaledText(digits, to.scale);
}

function rescale(digits: bigint, from: number, to: number): bigint {
  if (to >= from) return digits * 10n ** BigInt(to - from);
  const unit = 10n ** BigInt(from - to);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  return (digits + half) / unit;
}

function divide(l: bigint, leftScale: number, r: bigint, rightScale: number, scale: number): bigint {
  const shift = scale + rightScale - leftScale;
  return shift >= 0 ? (l * 10n ** BigInt(shift)) / r : l / (r * 10n ** BigInt(-shift));
}

function modulo(l: bigint, leftScale: number, r: bigint, rightScale: number, scale: number): bigint {
  return rescale(l, leftScale, scale) % rescale(r, rightScale, scale);
}
