import assert from 'node:assert/strict';
import { readConnectionString } from '../../src/gate/connection-string';
import { readServerAddress } from '../../src/hosts/direct/address';
import { type Chance, createChance, pick } from '../core/errorlog/disturbed-log';
import { assertLinear, fuzzCases } from './cases';

const SECRET = 's3cr3t-w0rd';
const KEYS = [
  ...['Server', 'Data Source', 'User ID', 'uid', 'Database', 'Domain', 'Application Name', 'x'],
  ...['Encrypt', 'Trust Server Certificate', 'Connect Timeout', 'Authentication'],
];
const VALUES = [
  ...['db', 'a\\b', 'tcp:h,1433', 'np:\\\\h\\pipe\\x', 'yes', 'strict', '30', 'Active Directory Default'],
  ...['', ' ', '"a;b"', "'a''b'", '{a}}b}', '{', '"', '😀', '\u0000'],
];
const BEGINS = ['', '', 'Driver={x};', 'DSN=x;', 'jdbc:sqlserver://db:1433;', '"', "'", ' ; '];

type Dialect = 'ADO.NET' | 'ODBC' | 'JDBC';
const FIRST: Readonly<Record<Dialect, string>> = {
  'ADO.NET': 'Server=db;',
  ODBC: 'Driver={x};Server=db;',
  JDBC: 'jdbc:sqlserver://db;',
};
const quoteAs = (dialect: Dialect, value: string): string =>
  dialect === 'ADO.NET' ? `"${value.replace(/"/g, '""')}"` : `{${value.replace(/\}/g, '}}')}}`;

function makePairs(chance: Chance): string {
  const pairs = Array.from(
    { length: Math.floor(chance() * 6) },
    () => `${pick(chance, KEYS)}${pick(chance, ['=', ' = ', '', '=='])}${pick(chance, VALUES)}`,
  );
  return pairs.join(pick(chance, [';', '; ', ';;']));
}

function makeText(chance: Chance, most: number): string {
  const code = (): number =>
    chance() < 0.8 ? 32 + Math.floor(chance() * 95) : Math.floor(chance() * 0x3000);
  return String.fromCharCode(...Array.from({ length: 1 + Math.floor(chance() * most) }, code));
}

describe('connection strings of all kinds', () => {
  it(`are each read or refused, and no sentence holds a password: ${fuzzCases} of them`, () => {
    const chance = createChance(20260303);
    let read = 0;
    for (let i = 0; i < fuzzCases; i++) {
      const password = `${pick(chance, ['Password', 'pwd'])}=${pick(chance, ['', '"', "'", '{', ' '])}${SECRET}${pick(chance, ['', '"', "'", '}', ';x'])}`;
      const text = `${pick(chance, BEGINS)}${makePairs(chance)};${password};${makePairs(chance)}${pick(chance, ['', ';', '"', "'"])}`;
      try {
        const { notices } = readConnectionString(text);
        for (const notice of notices) assert.ok(!notice.includes(SECRET), text);
        read++;
      } catch (error) {
        assert.ok(error instanceof Error && error.constructor === Error, `${text}: ${String(error)}`);
        assert.ok(!error.message.includes(SECRET), text);
      }
    }
    assert.ok(read > fuzzCases / 50, `${read} were read`);
  });

  it(`give back what was written into them by the rules of their kind: ${fuzzCases} of them`, () => {
    const chance = createChance(20260304);
    for (let i = 0; i < fuzzCases; i++) {
      const dialect = pick<Dialect>(chance, ['ADO.NET', 'ODBC', 'JDBC']);
      const [password, database, other] = [makeText(chance, 20), makeText(chance, 20), makeText(chance, 5)];
      const pairs = [
        `Password=${quoteAs(dialect, password)}`,
        `Database=${quoteAs(dialect, database)}`,
        'user=a',
      ];
      // The first counts with ODBC, elsewhere the last.
      const twice = `Database=${quoteAs(dialect, other)}`;
      if (chance() < 0.5) pairs.splice(dialect === 'ODBC' ? 2 : 1, 0, twice);
      const text = FIRST[dialect] + pairs.join(pick(chance, [';', ' ; ', ';;']));
      const { answers } = readConnectionString(text);
      assert.deepEqual(
        [answers.server, answers.password, answers.database],
        ['db', password, database],
        text,
      );
    }
  });

  it('are read in time to their length, whatever there is much of', () => {
    for (const piece of [
      ' ',
      ';',
      '=',
      '"',
      "'",
      '{',
      '}',
      '}}',
      '\\',
      ' ;',
      'a=b;',
      'a=" ',
      ' a',
      'driver ',
      ';dsn ',
      ':1',
      ',',
    ])
      for (const [before, after] of [
        ['', ''],
        ['Server=', ';x'],
        ['DSN=x;Server={', '}x'],
        ['jdbc:sqlserver://', 'x'],
        ['"Server=db;', '" x'],
      ] as const)
        assertLinear((size) => before + piece.repeat(size) + after, readConnectionString);
    for (const piece of [' ', '[', ']', ',', '\\', ':', '1', 'a ', ', '])
      assertLinear((size) => `a${piece.repeat(size)}x`, readServerAddress);
  });
});
