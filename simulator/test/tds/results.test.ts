import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import { SqlError, type Reply, type SqlColumn } from '../../tds/handler';
import { useServers, type Served } from './served';
import { run, type Answered, type ServerMessage } from './tedious-client';
import { shown } from '../shown';

const number: SqlColumn = { name: 'n', type: { name: 'int' }, nullable: true };
const text: SqlColumn = { name: 'name', type: { name: 'nvarchar', length: 128 }, nullable: false };
const error = (line: number): Reply => ({
  kind: 'error',
  message: { number: 8134, state: 2, severity: 16, message: 'Divide by zero error encountered.', line },
});
const print = (message: string): Reply => ({
  kind: 'info',
  message: { number: 0, state: 1, severity: 0, message, line: 3, procedure: 'dbo.p' },
});

describe('answers to a batch', () => {
  const serve = useServers();
  let served: Served;
  let connection: Connection;
  let replies: () => Iterable<Reply> | AsyncIterable<Reply>;

  beforeEach(async () => {
    served = await serve(() => replies());
    connection = await served.open();
  });

  const answer = (...list: readonly Reply[]): Promise<Answered> => {
    replies = () => list;
    return run(connection, 'batch');
  };

  it('keep several result sets apart, each with its columns and count', async () => {
    const answered = await answer(
      { kind: 'columns', columns: [number] },
      { kind: 'rows', rows: [[1], [null]] },
      { kind: 'rows', rows: [[3]] },
      { kind: 'done', rowCount: 3 },
      { kind: 'done', rowCount: 7 },
      { kind: 'columns', columns: [text, number] },
      { kind: 'done', rowCount: 0 },
      { kind: 'done' },
    );
    assert.deepEqual(answered.sets, [[[1], [null], [3]], []]);
    assert.deepEqual(answered.columns, [['n'], ['name', 'n']]);
    assert.deepEqual(answered.rowCounts, [3, 7, 0, undefined]);
  });

  it('may be nothing at all', async () => {
    const answered = await answer();
    assert.deepEqual(answered.sets, []);
    assert.deepEqual(answered.rowCounts, [undefined]);
  });

  it('close a result set that has no end of its own', async () => {
    assert.deepEqual(
      (await answer({ kind: 'columns', columns: [number] }, { kind: 'rows', rows: [[1]] })).sets,
      [[[1]]],
    );
  });

  it('carry messages with number, state, class, line and procedure', async () => {
    const { infos } = await answer(print('Hällo 😀'), { kind: 'done' });
    assert.deepEqual(listed(infos), [[0, 1, 0, 'Hällo 😀', 'dbo.p', 3]]);
  });

  it('carry errors in the same way, and what came before and after them', async () => {
    const failure = answer(
      { kind: 'columns', columns: [number] },
      { kind: 'rows', rows: [[1]] },
      error(2),
      { kind: 'done', rowCount: 1 },
      print('after'),
      { kind: 'columns', columns: [number] },
      { kind: 'rows', rows: [[2]] },
      { kind: 'done', rowCount: 1 },
    );
    const { number: code, answered } = await rejection(failure);
    assert.equal(code, 8134);
    assert.deepEqual(listed(answered.errors), [[8134, 2, 16, 'Divide by zero error encountered.', '', 2]]);
    assert.deepEqual(answered.sets, [[[1]], [[2]]]);
    assert.deepEqual(answered.rowCounts, [1, 1]);
  });

  it('end the statement of an error before the next result set begins', async () => {
    const { answered } = await rejection(
      answer(
        error(1),
        { kind: 'columns', columns: [number] },
        { kind: 'rows', rows: [[2]] },
        { kind: 'done', rowCount: 1 },
      ),
    );
    assert.deepEqual(answered.rowCounts, [undefined, 1]);
    assert.deepEqual(answered.sets, [[[2]]]);
  });

  it('end with a thrown SqlError as with an error, after what was said before', async () => {
    replies = function* () {
      yield { kind: 'columns', columns: [number] };
      yield { kind: 'rows', rows: [[1]] };
      throw new SqlError(911, "Database 'x' does not exist.", 16, 4, 12, 'sp_x');
    };
    const { answered } = await rejection(run(connection, 'batch'));
    assert.deepEqual(answered.sets, [[[1]]]);
    assert.deepEqual(listed(answered.errors), [[911, 4, 16, "Database 'x' does not exist.", 'sp_x', 12]]);
    assert.deepEqual((await answer({ kind: 'done', rowCount: 1 })).rowCounts, [1]);
  });

  it('say so where the simulator itself fails, keep the connection, and leave an entry in the log', async () => {
    replies = () => {
      throw new Error('out of order');
    };
    const failure = await rejection(run(connection, 'batch'));
    assert.equal(failure.number, 50_000);
    assert.match(failure.message, /The simulator failed: Error: out of order/);
    assert.equal(shown(served.log.map((entry) => entry.event)), '["failure"]');
    assert.deepEqual((await answer({ kind: 'done', rowCount: 1 })).rowCounts, [1]);
  });

  it('end the connection with an error of severity 20', async () => {
    replies = () => {
      throw new SqlError(21, 'Warning: Fatal error 21 occurred.', 20);
    };
    const ended = new Promise((resolve) => connection.once('end', resolve));
    await assert.rejects(run(connection, 'batch'), { number: 21 });
    await ended;
  });

  it('cut a message that no token could hold', async () => {
    const { infos } = await answer(print('x'.repeat(100_000)));
    assert.equal(infos[0]?.message.length, 16_000);
  });

  it('tell of a change of the database, with message 5701', async () => {
    const changes: string[] = [];
    connection.on('databaseChange', (name: string) => changes.push(name));
    const { infos } = await answer({ kind: 'database', name: 'a]b 😀' }, { kind: 'done' });
    assert.deepEqual(changes, ['a]b 😀']);
    assert.equal(
      shown(infos.map((message) => [message.number, message.message])),
      `[[5701,"Changed database context to 'a]b 😀'."]]`,
    );
  });
});

function listed(messages: readonly ServerMessage[]): unknown {
  return messages.map((message) => [
    message.number,
    message.state,
    message.class,
    message.message,
    message.procName,
    message.lineNumber,
  ]);
}

async function rejection(
  promise: Promise<Answered>,
): Promise<Error & { readonly number: number; readonly answered: Answered }> {
  return promise.then(
    () => assert.fail('no error came'),
    (failure) => failure,
  );
}
