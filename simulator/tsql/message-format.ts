import { notModelled } from '../tds/messages';
import type { SqlError } from '../tds/handler';
import { isInteger, isString, type Type, type Value } from './types';
import { sqlError } from '../tds/messages';

/**
 * RAISERROR's and FORMATMESSAGE's `%s %d %i %u %x %X %o %%` with flags, width and precision; a missing or NULL argument
 * is `(null)`.
 * @throws SqlError 2786, 2787.
 */
export function formatMessage(template: string, values: readonly Value[], types: readonly Type[]): string {
  let used = 0;
  const take = (): { value: Value; type: Type | undefined } => {
    used++;
    return { value: values[used - 1] ?? null, type: types[used - 1] };
  };
  const text = template.replace(
    /%(?:%|([-+0 #]*)(\*|\d+)?(?:\.(\*|\d+))?(I64|l|h)?([sdiuxXo])|.?)/g,
    (whole, flags = '', width, precision, _size, letter) => {
      if (whole === '%%') return '%';
      if (letter === undefined) throw sqlError(2787, [whole.slice(0, 10)]);
      const wide = width === '*' ? Number(take().value ?? 0) : Number(width ?? 0);
      const fine =
        precision === '*'
          ? Number(take().value ?? 0)
          : precision === undefined
            ? undefined
            : Number(precision);
      const { value, type } = take();
      return pad(
        formatOne(letter as string, flags as string, fine, value, type, used),
        flags as string,
        wide,
      );
    },
  );
  return text.length > 2047 ? `${text.slice(0, 2044)}...` : text;
}

function formatOne(
  letter: string,
  flags: string,
  precision: number | undefined,
  value: Value,
  type: Type | undefined,
  position: number,
): string {
  if (value === null) return '(null)';
  if (letter === 's') {
    if (type !== undefined && !isString(type)) throw mismatch(position);
    return precision === undefined ? String(value) : String(value).slice(0, precision);
  }
  if (type !== undefined && !isInteger(type)) throw mismatch(position);
  const number = BigInt(value as number | bigint);
  const unsigned = (): bigint => BigInt.asUintN(type?.name === 'bigint' ? 64 : 32, number);
  if (letter === 'x') return unsigned().toString(16);
  if (letter === 'X') return unsigned().toString(16).toUpperCase();
  if (letter === 'o') return unsigned().toString(8);
  if (letter === 'u') return unsigned().toString();
  return `${flags.includes('+') && number >= 0n ? '+' : ''}${number}`;
}

const mismatch = (position: number): SqlError => sqlError(2786, [position]);

function pad(text: string, flags: string, width: number): string {
  if (text.length >= width) return text;
  throw notModelled(`the width %${flags}${width} in RAISERROR`);
}
