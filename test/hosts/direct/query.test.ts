import assert from 'node:assert/strict';
import { SqlError, type Reply } from '../../../simulator/tds/handler';
import type { ConnectionFailure } from '../../../src/hosts/host';
import { failure } from '../opening';
import {
  type AnsweredConnection,
  type Answer,
  giveRows,
  INTEGER,
  openAnsweredConnection,
  PASSWORD,
  read,
  SECONDS,
  TEXT,
} from '../tds-host';

const COLUMNS = Object.entries({ id: INTEGER, name: TEXT });
const refuse = (number: number, message: string): Reply => ({
  kind: 'error',
  message: { number, message, state: 1, severity: 14, line: 1 },
});

describe('a query of our own driver', () => {
  let answered: AnsweredConnection;

  const start = async (answer: Answer): Promise<void> =>
    void (answered = await openAnsweredConnection(answer));

  afterEach(() => answered.close());

  it('gives its result sets as display text, nulls as null', async () => {
    await start(function* () {
      yield* giveRows(COLUMNS, [
        [5, 'x'],
        [null, null],
      ]);
      yield* giveRows([['only', TEXT]], []);
    });
    assert.deepEqual(await answered.connection.query(read('SELECT 1;'), SECONDS), [
      {
        columns: ['id', 'name'],
        rows: [
          ['5', 'x'],
          [null, null],
        ],
      },
      { columns: ['only'], rows: [] },
    ]);
  });

  it("hands the numbers of the server's informational messages on, of its own answer only", async () => {
    await start(function* (text) {
      if (text.includes('two'))
        yield {
          kind: 'info',
          message: { number: 25_720, state: 1, severity: 10, message: 'skipped', line: 1 },
        };
      yield* giveRows([['id', INTEGER]], [[1]]);
    });
    const numbers: number[] = [];
    const ask = (text: string) =>
      answered.connection.query(read(text), { ...SECONDS, onNotice: (number) => numbers.push(number) });
    await ask('SELECT one;');
    assert.deepEqual(numbers, []);
    await ask('SELECT two;');
    assert.deepEqual(numbers, [25_720]);
    await ask('SELECT one;');
    assert.deepEqual(numbers, [25_720]);
  });

  it('runs after the one before it has ended, in the order in which they were asked', async () => {
    let running = 0;
    await start(async function* (sql) {
      running++;
      assert.equal(running, 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      yield* giveRows([['sql', TEXT]], [[sql]]);
    });
    const texts = ['one', 'two', 'three'];
    assert.deepEqual(
      [await Promise.all(texts.map((sql) => answered.ask(sql))), answered.host.batches],
      [texts, texts],
    );
  });

  const columns: Reply = { kind: 'columns', columns: [{ name: 'text', type: TEXT, nullable: true }] };
  const rows: Reply = { kind: 'rows', rows: Array.from({ length: 5_000 }, () => ['x'.repeat(200)]) };
  for (const [what, first, next, times] of [
    ['300 MB of rows', [columns], rows, 150],
    ['6,000 result sets', [], columns, 6_000],
    ['6,000 errors', [], refuse(50_000, 'x'), 6_000],
  ] as const)
    it(`ends with the connection where the answer has ${what}, and keeps none of it`, async () => {
      await start(function* () {
        yield* first;
        for (let at = 0; at < times; at++) yield next;
      });
      const { reason, message } = await answered.failOf('SELECT text;', SECONDS);
      assert.deepEqual(
        [reason, message],
        ['disconnected', 'HOST sent far more than requested. None of it was used.'],
      );
    });

  it('tells the server who asks, and leaves no session behind', async () => {
    await start(() => giveRows([['n', INTEGER]], [[1]]));
    const { user, application, encrypted } = answered.host.logins[0] ?? assert.fail('no login');
    assert.deepEqual(
      { user, application, encrypted },
      { user: 'dba', application: 'Checkpoint Health', encrypted: true },
    );
    await answered.connection.close();
    await answered.connection.close();
    await answered.server.close();
    assert.deepEqual(answered.host.closed, [51]);
  });

  const failures: readonly (readonly [title: string, Answer, ConnectionFailure, message: string])[] = [
    [
      'says what the server said, with its number',
      () => [refuse(208, "Invalid object name 'sys.nothing'.")],
      'queryFailed',
      "HOST answered with an error: Invalid object name 'sys.nothing' (Msg 208).",
    ],
    [
      'names the missing permission from the first of several errors',
      () => [
        refuse(300, "VIEW SERVER STATE permission was denied on object 'server', database 'master'."),
        refuse(297, 'The user does not have permission to perform this action.'),
      ],
      'permissionDenied',
      "HOST did not allow login dba to do this: VIEW SERVER STATE permission was denied on object 'server', database 'master' (Msg 300). Ask an administrator for that permission.",
    ],
    [
      'never repeats the password, even when the server does',
      () => [refuse(50000, `Login with ${PASSWORD} is not wanted; ${PASSWORD}!`)],
      'queryFailed',
      'HOST answered with an error: Login with *** is not wanted; ***! (Msg 50000).',
    ],
    [
      'is a failure when the server sends no result set',
      () => [],
      'queryFailed',
      'HOST ran the text but sent no result set.',
    ],
  ];
  for (const [title, answer, reason, message] of failures)
    it(title, async () => {
      await start(answer);
      assert.deepEqual(await answered.failOf('SELECT 1;'), failure(reason, message));
    });

  it('that fails with the number of a missing permission lacks it', async () => {
    await start((sql) => {
      throw new SqlError(Number(sql), 'No.');
    });
    for (const number of [229, 230, 262, 297, 300, 916, 15003, 15151, 15247, 27219]) {
      const { reason, number: shown } = await answered.failOf(String(number));
      assert.deepEqual({ reason, shown }, { reason: 'permissionDenied', shown: number });
    }
  });
});
