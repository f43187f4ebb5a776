import assert from 'node:assert/strict';
import { createAzdataHost } from '../../../src/hosts/azdata/host';
import type { Connection, ResultSet } from '../../../src/hosts/host';
import { connectRow, read, seededServer, startAzdata, type AzdataTest } from './host';
import type { ResultSet as HostSet } from '../../azdata/provider/login';
import { type AzdataFakeOptions, readRecording, recordedId, setOf } from '../azdata-fake/azdata-fake';
import { freely } from '../opening';

const options = { timeoutMs: 1_000 };

function answer(...sets: readonly HostSet[]): AzdataFakeOptions {
  return { execute: async () => ({ sets }) };
}

const one = (value: unknown): HostSet => setOf(['c'], [[value]]);

async function ask(given: AzdataFakeOptions): Promise<readonly ResultSet[]> {
  return (await startAzdata(given).open()).query(read('SELECT 1;'), options);
}

describe('A query through Azure Data Studio', () => {
  let test: AzdataTest;
  let connection: Connection;

  const start = async (given: AzdataFakeOptions): Promise<void> => {
    test = startAzdata(given);
    connection = await test.open();
  };
  const fail = (timeoutMs = 1_000): Promise<unknown> => connection.query(read('SELECT 1;'), { timeoutMs });

  /** Where the service itself gives something else than the fake would. */
  const askService = async (given: unknown): Promise<readonly ResultSet[]> => {
    const { fake, editor } = startAzdata();
    const provider = { providerId: 'MSSQL', runQueryAndReturn: async () => given };
    const azdata = { ...fake.azdata, dataprotocol: { getProvider: (() => provider) as never } };
    const host = createAzdataHost({ azdata, vscode: editor.vscode, canReach: () => Promise.resolve(null) });
    return (await host.access(seededServer).open(freely())).query(read('SELECT 1;'), options);
  };

  it('gives what was recorded: text, NULL as null', async () => {
    const rows = [
      ['1', 'hello'],
      ['2', null],
      ['3', 'world'],
    ];
    assert.deepEqual(await askService(readRecording<{ r: object }>('run-query-and-return').r), [
      { columns: ['id', 'txt'], rows },
    ]);
  });

  for (const [what, value, shown, display] of [
    ['numbers with a point, in whatever culture the service runs', 0.5, '0.5', { decimalMark: ',' }],
    [
      'numbers as older services show them, which know no other culture',
      0.5,
      '0,5',
      { decimalMark: ',', hasInvariantText: false },
    ],
    ['bits as they are shown, because our texts convert them', true, 'True', { bits: 'True' }],
    ['the text NULL', 'NULL', 'NULL'],
    ['an empty text', '', ''],
    ['NULL as null', null, null],
  ] as const)
    it(`gives ${what}`, async () => {
      assert.equal(
        (await ask({ ...answer(one(value)), ...(display && { display }) }))[0]?.rows[0]?.[0],
        shown,
      );
    });

  it('gives the first result set only', async () => {
    await start(answer(one('first'), one('second')));
    assert.deepEqual((await connection.query(read('SELECT 1; SELECT 2;'), options))[0]?.rows, [['first']]);
  });

  it('gives a result without rows with its columns', async () => {
    assert.deepEqual(await ask(answer(setOf(['a', 'b'], []))), [{ columns: ['a', 'b'], rows: [] }]);
  });

  it('goes to the connection of the server, word for word', async () => {
    await start(answer(one(1)));
    await connection.query(read("SELECT a = N'ß';"), options);
    assert.deepEqual(
      test.fake.queries.asked.map(({ server, text }) => [server, text]),
      [['seedhost', "SELECT a = N'ß';"]],
    );
  });

  it('is given up after its time, and says that it may still run', async () => {
    await start({});
    test.fake.queries.isStuck = true;
    await assert.rejects(fail(5), {
      reason: 'timedOut',
      message: /^seeded did not answer within 0\.005 s\. .*may still run/,
    });
  });

  it('is given up when it is cancelled, before and while it runs', async () => {
    await start({});
    test.fake.queries.isStuck = true;
    const controller = new AbortController();
    const running = connection.query(read('SELECT 1;'), { ...options, signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(running, { reason: 'cancelled' });
    await assert.rejects(connection.query(read('SELECT 1;'), { ...options, signal: controller.signal }), {
      reason: 'cancelled',
    });
    assert.equal(test.fake.queries.asked.length, 1, 'a cancelled query is not sent');
  });

  it('fails where there is no result, and says that the reason is not known', async () => {
    await start({ execute: async () => ({ sets: [], error: 'Invalid object name' }) });
    await assert.rejects(fail(), {
      reason: 'queryFailed',
      message: /gave no result and Azure Data Studio does not say why/,
    });
  });

  it("fails with SQL Server's own words where the service gives them", async () => {
    await start({ execute: async () => ({ sets: [], error: 'Invalid object\r\nname.' }) });
    test.fake.queries.saysErrors = true;
    await assert.rejects(fail(), {
      reason: 'queryFailed',
      message: 'seeded answered with an error: Invalid object name.',
    });
  });

  it('fails where a cell was cut, and names its column', async () => {
    await start(answer(one('x'.repeat(70_000))));
    await assert.rejects(fail(), {
      reason: 'queryFailed',
      message: /text in column c is longer than Azure Data Studio passes on/,
    });
    await start(answer(one('x'.repeat(65_534))));
    assert.equal((await connection.query(read('SELECT 1;'), options))[0]?.rows[0]?.[0]?.length, 65_534);
  });

  it("fails where a cell was cut by the user's own settings, which may be any", async () => {
    await start(answer(one('x'.repeat(1_000))));
    test.editor.querySettings['maxCharsToStore'] = 1_000;
    await assert.rejects(fail(), /longer than Azure Data Studio passes on/);
    for (const odd of ['much', -1, 0, 1e9, null]) {
      test.editor.querySettings['maxCharsToStore'] = odd;
      assert.equal((await connection.query(read('SELECT 1;'), options))[0]?.rows.length, 1);
    }
  });

  it('fails where rows or cells are missing', async () => {
    const columnInfo = [{ columnName: 'a' }, { columnName: 'b' }];
    const cell = { displayValue: '1', isNull: false };
    for (const given of [
      { rowCount: 2, columnInfo, rows: [[cell, cell]] },
      { rowCount: 1, columnInfo, rows: [[cell]] },
    ])
      await assert.rejects(askService(given), {
        reason: 'queryFailed',
        message: /passed on only part of the answer/,
      });
  });

  it('fails where what comes back is no result', async () => {
    for (const broken of [undefined, null, {}, { rows: [] }, { columnInfo: 1 }])
      await assert.rejects(askService(broken), { name: 'ConnectionError', reason: 'queryFailed' });
  });

  it('is disconnected once the user has disconnected the server, and the next opening is a new one', async () => {
    await start(answer(one(1)));
    const [live] = test.fake.connections.active();
    test.fake.connections.disconnect(test.fake.connections.findUri(live!.id)!);
    await assert.rejects(fail(), { reason: 'disconnected' });
    assert.deepEqual((await (await test.open()).query(read('SELECT 1;'), options))[0]?.rows, [['1']]);
    assert.equal(test.fake.connected.length, 2);
  });

  for (const [reason, errors] of [
    [
      'disconnected',
      [
        'Failed to connect to sql07:1433 - connect ECONNREFUSED 10.0.0.7:1433',
        'Failed to connect to sql07:1433 - Could not connect (sequence)',
        'Failed to connect to sql07:1433 - getaddrinfo ENOTFOUND sql07',
        'Failed to connect to sql07\\PAYROLL in 15000ms',
        'Failed to connect to a.b:1433 (redirected from sql07:1433) in 15000ms',
        'Could not connect (sequence)',
        'socket hang up',
        'Connection lost - read ECONNRESET',
        'Connection lost - write EPIPE',
        'Connection lost - socket hang up',
        'Connection closed before request completed.',
        'Failed to get response from SQL Server Browser on sql07',
        'Port for PAYROLL not found in ServerName;SQL08',
        'A transport-level error has occurred when receiving results.',
        'SpecifiedUri does not have existing connection',
        'SHUTDOWN is in progress.',
      ],
    ],
    ['loginFailed', ["Login failed for user 'sa'."]],
    [
      'queryFailed',
      [
        'Timeout: Request failed to complete in 15000ms',
        'Could not connect the dots.',
        'Invalid object name ECONN.',
        'The statement failed to connect two rows.',
      ],
    ],
  ] as const)
    it(`is ${reason} by the words of the service, of the driver tedious and of SQL Server, ${reason === 'queryFailed' ? 'and stays connected' : 'and connects again'}`, async () => {
      for (const error of errors) {
        await start({ execute: async () => ({ sets: [], error }) });
        test.fake.queries.saysErrors = true;
        await assert.rejects(fail(), { reason }, error);
        await test.open();
        assert.equal(test.fake.connected.length, reason === 'queryFailed' ? 1 : 2, error);
      }
    });

  it('is disconnected where the host has disconnected it meanwhile, whatever the error says', async () => {
    await start({
      execute: async () => {
        test.fake.connections.disconnect(
          test.fake.connections.findUri(test.fake.connections.active()[0]!.id)!,
        );
        throw new Error('Der Server ist weg.');
      },
    });
    await assert.rejects(fail(), { reason: 'disconnected' });
  });

  describe('to a server whose address accepts nothing any more', () => {
    let isThere: boolean;
    let execute: () => Promise<{ sets: readonly HostSet[] }>;
    let executed: number;
    const gone = {
      reason: 'unreachable',
      message: 'Nothing answers at seedhost: check the network, and that the server is up.',
    };

    beforeEach(async () => {
      [isThere, executed] = [true, 0];
      execute = async () => ({ sets: [one(1)] });
      const given = { execute: async () => (executed++, execute()) };
      test = startAzdata(given, { canReach: async () => isThere, lookAfterMs: 1 });
      connection = await test.open();
    });

    it('is given up without waiting for the service, and not sent again before the server is back', async () => {
      await fail();
      isThere = false;
      execute = () => new Promise(() => undefined);
      await assert.rejects(fail(60_000), gone);
      await assert.rejects(fail(60_000), gone);
      assert.equal(executed, 2);
      isThere = true;
      execute = async () => ({ sets: [one(1)] });
      await fail();
      assert.equal(test.fake.connected.length, 1);
    });

    it('fails as that too where the service is quicker, and its connection is used again', async () => {
      isThere = false;
      execute = () =>
        Promise.reject(new Error('This editor is not connected to a database\nParameter name: OwnerUri'));
      test.fake.queries.saysErrors = true;
      await assert.rejects(fail(), gone);
      [isThere, execute] = [true, async () => ({ sets: [one(1)] })];
      await (await test.open()).query(read('SELECT 1;'), options);
      assert.equal(test.fake.connected.length, 1);
    });
  });

  it("goes on over the user's own connection where that was used, until its own end", async () => {
    test = startAzdata(answer(one(1)));
    const uri = await connectRow(test.fake);
    connection = await test.open();
    await fail();
    test.fake.connections.disconnect(uri, test.fake.find(recordedId));
    await assert.rejects(fail(), { reason: 'disconnected' });
  });
});
