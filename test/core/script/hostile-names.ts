import { INVISIBLE_CHARACTERS } from '../invisible-characters';

/** Names that SQL Server allows and that break what is not careful. */
export const hostileNames: readonly string[] = [
  'a]b',
  "x'; DROP DATABASE y;--",
  'n'.repeat(128),
  '🚀 Lagerbestand 📦',
  '   leading blanks',
  '*/ DROP DATABASE z; /* "quoted"',
  ']]><value>7</value>',
  '<rows, int, 1>',
];

/** Names with one of each character that cannot be seen, each no longer than a name may be. */
export const unseenNames: readonly string[] = Array.from(
  { length: Math.ceil(INVISIBLE_CHARACTERS.length / 20) },
  (_, at) =>
    INVISIBLE_CHARACTERS.slice(at * 20, at * 20 + 20)
      .map((character) => `n${character}`)
      .join(''),
);

/**
 * Names that sqlcmd, or SSMS in SQLCMD mode, takes for a command where a line begins with one, and those that SSMS
 * takes for a template parameter, or two for its ends.
 */
export const commandNames: readonly string[] = [
  ...[':r x', '!!dir', ':on error exit', ':setvar x y', 'GO', 'go 5', 'exit', 'QUIT', 'reset', 'ed', '$(x)'],
  ...['*/ DROP', '/* open', '--', 'a\n:r y', 'a\r\n!!dir', 'a\u2028GO'],
  ...['<<rows, int, 1>', 'a<', 'b, int, 1>'],
];
