/** A value as one line, bigint and undefined told apart: for comparison with a text. */
export const shown = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : each === undefined ? 'undefined' : each,
  );
