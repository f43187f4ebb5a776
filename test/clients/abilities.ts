import assert from 'node:assert/strict';
import type { Ability, Client, ClientConnection, ParameterValue } from './client';
import type { ClientsServer } from './clients-server';
import { isSameCell } from './same-answer';

interface Subject {
  readonly server: ClientsServer;
  readonly client: Client;
  readonly connection: ClientConnection;
}

/** The clock of the server stands still: only a cancel ends this. */
const endless = "SELECT before = 1; WAITFOR DELAY '00:10:00'; SELECT after = 1;";
/** JDBC asks for implicit transactions, which a SELECT begins only if it reads a table (Microsoft Learn, "SET IMPLICIT_TRANSACTIONS"). */
const withinTransaction = 'SELECT n = COUNT(*) FROM sys.databases WHERE database_id = 1; SELECT n = @@TRANCOUNT;';
const manyRows = 'SELECT a.name, b.name, c.name FROM sys.databases AS a CROSS JOIN sys.databases AS b CROSS JOIN sys.schemas AS c;';

/** A value of each type that clients send, and its NULL. */
const parameterValues: readonly ParameterValue[] = [
  { type: 'bit', value: '1' },
  { type: 'int', value: '-2147483648' },
  { type: 'bigint', value: '9223372036854775807' },
  { type: 'decimal(38, 10)', value: '-1234567890123456789012345678.0123456789' },
  { type: 'float', value: '1.1e+100' },
  { type: 'nvarchar(100)', value: `\u{1f680} 'quoted' [x] \u20ac` },
  { type: 'nvarchar(100)', value: '' },
  { type: 'nvarchar(max)', value: '\u00e4'.repeat(524_288) },
  { type: 'varbinary(max)', value: '00ff'.repeat(100) },
  { type: 'date', value: '1753-01-01' },
  { type: 'datetime2(6)', value: '2026-03-02T08:00:00.123456' },
  { type: 'datetimeoffset(6)', value: '2026-03-02T08:00:00.123456+01:00' },
  { type: 'uniqueidentifier', value: '770C3538-EC3F-4C33-92BC-6A5E1E1E1E1E' },
];

/** What a client can do besides running batches, each with its test; what a client has no way to do is not asked of it. */
export function describeAbilities(abilities: readonly Ability[], connections: number, subject: () => Subject): void {
  describe('besides batches', () => {
    it(`keeps ${connections} connections`, async () => {
      const { client, server } = subject();
      const many = await Promise.all(Array.from({ length: connections }, () => client.connect(server.target())));
      const answers = await Promise.all(many.map((each) => each.batch('SELECT spid = @@SPID;')));
      assert.equal(new Set(answers.map(({ sets }) => sets[0]?.rows[0]?.[0])).size, connections);
      await Promise.all(many.map((each) => each.close()));
    });
    for (const ability of abilities) describeAbility[ability](subject);
  });
}

/** The connection is good for another batch. */
async function assertUsable(connection: ClientConnection): Promise<void> {
  const { sets, errors } = await connection.batch('SELECT still = 1;');
  assert.deepEqual([sets[0]?.rows, errors], [[['1']], []]);
}

const describeAbility: Readonly<Record<Ability, (subject: () => Subject) => void>> = {
  cancel: (subject) =>
    it('cancels a WAITFOR, and uses the connection again', async () => {
      const { connection } = subject();
      const { sets } = (await connection.cancel?.(endless, 300)) ?? { sets: [] };
      assert.ok(!sets.flatMap(({ columns }) => columns).includes('after'));
      await assertUsable(connection);
    }),
  limited: (subject) =>
    it('ends a query by its own time-out, and uses the connection again', async () => {
      const { connection } = subject();
      const { errors, sets } = (await connection.limited?.(endless, 1)) ?? { errors: [], sets: [] };
      assert.match(errors.map(({ text }) => text).join(), /time|cancel/i);
      assert.ok(!sets.flatMap(({ columns }) => columns).includes('after'));
      await assertUsable(connection);
    }),
  echo: (subject) => {
    for (const { type, value } of parameterValues)
      it(`sends a ${type} and a NULL of it as parameters and reads them back`, async () => {
        const { connection } = subject();
        for (const sent of [value, null]) {
          const { sets, errors } = (await connection.echo?.({ type, value: sent })) ?? { sets: [], errors: [] };
          assert.deepEqual(errors, []);
          const read = sets[0]?.rows[0]?.[0];
          if (read === undefined || !isSameCell(read, sent)) assert.equal(read, sent);
        }
      });
  },
  prepared: (subject) =>
    it('prepares a statement once and executes it for several values', async () => {
      const { sets, errors } = (await subject().connection.prepared?.([1, 21, -5])) ?? { sets: [], errors: [] };
      assert.deepEqual([sets.map(({ rows }) => rows), errors], [[[['2']], [['42']], [['-10']]], []]);
    }),
  transaction: (subject) =>
    it('begins, commits and rolls back by its own manual commit', async () => {
      for (const end of ['commit', 'rollback'] as const) {
        const { sets } = (await subject().connection.transaction?.(withinTransaction, end)) ?? { sets: [] };
        assert.deepEqual(sets[sets.length - 1]?.rows, [['1']]);
        const after = await subject().connection.batch('SELECT n = @@TRANCOUNT;');
        assert.deepEqual(after.sets[0]?.rows, [['0']]);
      }
    }),
  drop: (subject) =>
    it('goes away in the middle of a result, which harms nobody else', async () => {
      const { client, server } = subject();
      const connection = await client.connect(server.target());
      await connection.drop?.(manyRows);
      await assertUsable(subject().connection);
      const next = await client.connect(server.target());
      await assertUsable(next);
      await next.close();
    }),
};
