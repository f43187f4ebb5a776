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
