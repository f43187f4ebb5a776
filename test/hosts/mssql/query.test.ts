import assert from 'node:assert/strict';
import type { ReadText } from '../../../src/core/script/text';
import type { Connection, HostServer } from '../../../src/hosts/host';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { HeldAnswer } from '../../held-answer';
import {
  answerWith,
  createFakeMssql,
  NOT_CONNECTED,
  responseError,
  sharingError,
  type FakeMssql,
  type Way,
} from './fake';
import { failOf, freely } from '../opening';

const SERVER: HostServer = { id: 'mssql:one', name: 'PROD', server: 'sql07,1444', user: 'dba' };
const TEXT = 'SELECT 1;' as ReadText;

for (const way of ['exports', 'commands'] as const satisfies readonly Way[]) {
  describe(`a query by way of mssql's ${way}`, () => {
    let fake: FakeMssql;
    let connection: Connection;
    const query = (
      options: { timeoutMs?: number; signal?: AbortSignal } = {},
    ): ReturnType<Connection['query']> => connection.query(TEXT, { timeoutMs: 5_000, ...options });
    const answer = (value: unknown): void => void (fake.does['executeSimpleQuery'] = () => value);
    /** That the query fails with such a sentence. */
    const saysSo = async (sentence: RegExp): Promise<void> =>
      assert.match((await failOf(query())).message, sentence);
    const refuse = (error: unknown): void =>
      void (fake.does['executeSimpleQuery'] = () => Promise.reject(error as Error));

    beforeEach(async () => {
      fake = createFakeMssql(way);
      connection = await createMssqlHost(fake.world).access(SERVER).open(freely());
    });

    it('gives one result set of display text, nulls as null', async () => {
      answer(answerWith([['5', 'x'], ['True', null], ['1,5', 'NULL']])); // oxfmt-ignore
      assert.deepEqual(await query(), [{ columns: ['a', 'b'], rows: [['5', 'x'], ['True', null], ['1,5', 'NULL']] }]); // oxfmt-ignore
      assert.equal(fake.calls.at(-1), `${way}.executeSimpleQuery(uri-1)`);
      answer(answerWith([], 2));
      assert.deepEqual(await query(), [{ columns: ['a', 'b'], rows: [] }]);
    });

    const malformed: readonly (readonly [string, unknown, RegExp])[] = [
      ['nothing', undefined, /: no columns\.$/],
      ['no rows', { rowCount: 0, columnInfo: [{ columnName: 'a' }] }, /: no rows\.$/],
      ['fewer rows than it counts', { ...answerWith([['1']]), rowCount: 3 }, /: 1 of 3 rows\.$/],
      [
        'a short row',
        {
          rowCount: 2,
          columnInfo: [{}, {}],
          rows: [[{ displayValue: '1' }, { displayValue: '2' }], [{ displayValue: '1' }]],
        },
        /1 of 2 cells in row 2\.$/,
      ],
      ['a row that is none', { columnInfo: [{}], rows: ['x'] }, /row 1 is not a row\.$/],
      [
        'a cell without text',
        { columnInfo: [{ columnName: 'n' }], rows: [[{ displayValue: 7, isNull: false }]] },
        /no text in column n of row 1\.$/,
      ],
      [
        'an error among its messages',
        { columnInfo: [], rows: [], messages: [{ isError: true, message: 'Divide by zero.\r\n' }] },
        /with an error: Divide by zero\.$/,
      ],
    ];
    for (const [name, value, wanted] of malformed)
      it(`refuses an answer with ${name}`, async () => {
        answer(value);
        const { reason, message } = await failOf(query());
        assert.equal(reason, 'queryFailed');
        assert.match(message, wanted);
        assert.match(
          message,
          /^The .* \(mssql\) gave no usable answer from sql07,1444: |^sql07,1444 answered through the .* \(mssql\) with an error: /,
        );
      });

    it('refuses a cell that SQL Tools Service has cut', async () => {
      answer(answerWith([['x'.repeat(65_534)]]));
      await query();
      answer(answerWith([['x'.repeat(65_535)]]));
      await saysSo(/the text in column a of row 1 was cut at 65535 characters/);
    });

    it("refuses one that the user's settings have cut, whatever is written there", async () => {
      answer(answerWith([['x'.repeat(100)]]));
      fake.cellLimit = 100;
      await saysSo(/cut at 100 characters \(setting mssql\.query\.maxCharsToStore\)\.$/);
      for (const limit of [101, 1_000_000, 0, -1, 'x', undefined]) {
        fake.cellLimit = limit;
        await query();
      }
    });

    it("passes the service's own words on, and no connection string", async () => {
      for (const error of [new Error('The disk is full.'), responseError('The disk is full.')]) {
        refuse(error);
        const { reason, message } = await failOf(query());
        assert.equal(reason, 'queryFailed');
        assert.match(message, /with an error: The disk is full\.$/);
      }
      refuse(new Error('Query has no results to return.'));
      await saysSo(
        /^\S+ gave no result, and the SQL Server extension \(mssql\) does not say why\. If it happens again, look at SQL Server's error log\.$/,
      );
      refuse(new Error('cannot open Data Source=sql07;User ID=dba;Password=hunter2'));
      assert.doesNotMatch((await failOf(query())).message, /hunter2|Data Source/);
    });

    it('says that the connection is gone where mssql has closed it', async () => {
      for (const code of ['NO_ACTIVE_CONNECTION', 'INVALID_CONNECTION_URI']) {
        refuse(sharingError(code));
        assert.equal((await failOf(query())).reason, 'disconnected');
      }
      refuse(new Error('SpecifiedUri does not have existing connection'));
      fake.does['isConnected'] = () => false;
      assert.equal((await failOf(query())).reason, 'disconnected');
    });

    for (const message of [
      NOT_CONNECTED,
      'Cannot connect to the database due to invalid OwnerUri',
      "Value cannot be null. (Parameter 'OwnerUri')",
    ])
      it(`takes "${message.split('\n')[0]}" for a login that did not work or a server that is gone, though mssql says it is connected`, async () => {
        for (const error of [responseError(message), Object.assign(new Error(message), { code: 0 })]) {
          refuse(error);
          fake.isThere = true;
          assert.equal((await failOf(query())).reason, 'disconnected');
          fake.isThere = false;
          const { reason, message: said } = await failOf(query());
          assert.deepEqual(
            [reason, said],
            ['unreachable', 'Nothing answers at sql07,1444: check the name, the port and the firewall.'],
          );
        }
      });

    it('hears the same from a newer service, which answers with its messages', async () => {
      answer({ columnInfo: [], rows: [], messages: [{ isError: true, message: NOT_CONNECTED }] });
      assert.equal((await failOf(query())).reason, 'disconnected');
      answer({
        columnInfo: [],
        rows: [],
        messages: [{ isError: true, message: "Login failed for user 'dba'." }],
      });
      assert.equal((await failOf(query())).reason, 'loginFailed');
    });

    it('blames no server where the service itself has ended', async () => {
      answer(Promise.reject(responseError('Client is not running')));
      const { reason, message } = await failOf(query());
      assert.equal(reason, 'hostGone');
      assert.match(message, /^SQL Tools Service has ended, .*\. Reload the window/);
    });

    it('says what became of mssql where it went or stopped sharing', async () => {
      refuse(new Error('command not found'));
      fake.way = 'neither';
      await saysSo(/does not share its connections with other extensions\. With Add Server/);
      fake.way = 'absent';
      const { reason, message } = await failOf(query());
      assert.equal(reason, 'disconnected');
      assert.match(message, /not installed or is disabled/);
    });

    it('is given up after its time-out, and what comes later is dropped', async () => {
      const late = new HeldAnswer<unknown>();
      answer(late.call());
      const failure = failOf(query({ timeoutMs: 2_000 }));
      fake.pass(1_999);
      fake.pass(1);
      assert.match(
        (await failure).message,
        /did not finish a query within 2 s, .* cannot stop the query there\.$/,
      );
      late.give(answerWith([['1']]));
      answer(answerWith([['2']]));
      assert.deepEqual(await query(), [{ columns: ['a'], rows: [['2']] }]);
    });

    it('stops waiting when it is cancelled, and is not sent where it was cancelled before', async () => {
      answer(new Promise(() => undefined));
      const cancelling = new AbortController();
      const failure = failOf(query({ signal: cancelling.signal }));
      cancelling.abort();
      assert.equal((await failure).reason, 'cancelled');
      const sent = fake.calls.length;
      assert.equal((await failOf(query({ signal: cancelling.signal }))).reason, 'cancelled');
      assert.equal(fake.calls.length, sent);
    });

    it('closes its own connection, once, without a word where mssql refuses to, and then answers no more', async () => {
      fake.does['disconnect'] = () => {
        throw sharingError('INVALID_CONNECTION_URI');
      };
      await connection.close();
      await connection.close();
      assert.deepEqual(
        fake.calls.filter((call) => call.includes('disconnect')),
        [`${way}.disconnect(uri-1)`],
      );
      assert.equal((await failOf(query())).reason, 'disconnected');
    });
  });
}
