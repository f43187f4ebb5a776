import assert from 'node:assert/strict';
import { Request as TediousRequest, TYPES, type Connection } from 'tedious';
import { SqlError, type Parameter, type Reply, type Request, type SqlType, type SqlValue } from '../../tds/handler';
import { headers, logInRaw, packet, readPackets } from './raw-client';
import { one } from './scripted-host';
import { useServers, type Served } from './served';
import { run, type Answered, type Prepare } from './tedious-client';
import { shown } from '../shown';

type TediousType = (typeof TYPES)[keyof typeof TYPES];

const utc = (text: string): Date => new Date(`${text}Z`);

/** What tedious sends, and what must arrive. */
const cases: readonly (readonly [TediousType, object | undefined, unknown, SqlType, SqlValue])[] = [
  [TYPES.Bit, undefined, true, { name: 'bit' }, true],
  [TYPES.TinyInt, undefined, 255, { name: 'tinyint' }, 255],
  [TYPES.SmallInt, undefined, -32_768, { name: 'smallint' }, -32_768],
  [TYPES.Int, undefined, -2_147_483_648, { name: 'int' }, -2_147_483_648],
  [TYPES.BigInt, undefined, '9223372036854775807', { name: 'bigint' }, 9_223_372_036_854_775_807n],
  [TYPES.Real, undefined, 0.25, { name: 'real' }, 0.25],
  [TYPES.Float, undefined, -0.1, { name: 'float' }, -0.1],
  [TYPES.Decimal, { precision: 12, scale: 3 }, -1234.5, { name: 'decimal', precision: 12, scale: 3 }, '-1234.500'],
  [TYPES.Numeric, { precision: 38, scale: 0 }, 7, { name: 'decimal', precision: 38, scale: 0 }, '7'],
  [TYPES.Money, undefined, -922_337.5807, { name: 'decimal', precision: 19, scale: 4 }, '-922337.5807'],
  [TYPES.SmallMoney, undefined, -1.5, { name: 'decimal', precision: 10, scale: 4 }, '-1.5000'],
  [TYPES.VarChar, { length: 20 }, 'é€ü', { name: 'varchar', length: 20 }, 'é€ü'],
  [TYPES.Char, { length: 3 }, 'abc', { name: 'char', length: 3 }, 'abc'],
  [TYPES.NVarChar, { length: 128 }, 'a]b 😀', { name: 'nvarchar', length: 128 }, 'a]b 😀'],
  [TYPES.NChar, { length: 2 }, '😀', { name: 'nchar', length: 2 }, '😀'],
  [TYPES.NVarChar, undefined, 'x'.repeat(200_000), { name: 'nvarchar', length: 'max' }, 'x'.repeat(200_000)],
  [TYPES.NText, undefined, 'long 😀', { name: 'nvarchar', length: 'max' }, 'long 😀'],
  [TYPES.Text, undefined, 'long é', { name: 'varchar', length: 'max' }, 'long é'],
  [TYPES.VarBinary, { length: 10 }, Buffer.from([0, 255]), { name: 'varbinary', length: 10 }, Uint8Array.of(0, 255)],
  [TYPES.Binary, { length: 2 }, Buffer.from([1, 2]), { name: 'binary', length: 2 }, Uint8Array.of(1, 2)],
  [TYPES.VarBinary, undefined, Buffer.alloc(20_000, 7), { name: 'varbinary', length: 'max' }, new Uint8Array(20_000).fill(7)],
  [TYPES.Image, undefined, Buffer.from([9]), { name: 'varbinary', length: 'max' }, Uint8Array.of(9)],
  [
    TYPES.UniqueIdentifier,
    undefined,
    '770c3538-ec3f-4d2b-9a1b-0102030405ff',
    { name: 'uniqueidentifier' },
    '770C3538-EC3F-4D2B-9A1B-0102030405FF',
  ],
  [TYPES.Date, undefined, utc('9999-12-31T00:00'), { name: 'date' }, '9999-12-31'],
  [TYPES.DateTime, undefined, utc('2026-03-02T08:00:00.997'), { name: 'datetime' }, '2026-03-02T08:00:00.997'],
  [TYPES.DateTime, undefined, utc('1753-01-01T00:00'), { name: 'datetime' }, '1753-01-01T00:00:00.000'],
  [TYPES.SmallDateTime, undefined, utc('2026-03-02T08:01:00'), { name: 'smalldatetime' }, '2026-03-02T08:01:00'],
  [TYPES.DateTime2, { scale: 7 }, utc('0001-01-01T08:00:00.123'), { name: 'datetime2', scale: 7 }, '0001-01-01T08:00:00.1230000'],
  [TYPES.DateTime2, { scale: 0 }, utc('2026-03-02T08:00:01'), { name: 'datetime2', scale: 0 }, '2026-03-02T08:00:01'],
  [TYPES.Time, { scale: 3 }, utc('1970-01-01T23:59:59.999'), { name: 'time', scale: 3 }, '23:59:59.999'],
];

describe('parameters of procedure calls', () => {
  const serve = useServers();
  let served: Served;
  let connection: Connection;
  let replies: (request: Request) => Iterable<Reply>;

  beforeEach(async () => {
    replies = () => [{ kind: 'done', rowCount: 1 }];
    served = await serve((request) => replies(request));
    connection = await served.open();
  });

  const call = (name: string, prepare: Prepare): Promise<Answered> =>
    run(connection, name, (target, request) => target.callProcedure(request), prepare);

  const received = (): readonly Parameter[] => {
    const request = served.host.requests.at(-1);
    return request?.kind === 'procedure' ? request.parameters : [];
  };

  for (const [tediousType, options, sent, type, value] of cases) {
    it(`arrive as they were sent, and NULL too: ${tediousType.name} ${JSON.stringify(options ?? {})}`, async () => {
      const add = (request: TediousRequest): void => {
        request.addParameter('p', tediousType, sent, options);
        request.addParameter('none', tediousType, null, options);
        request.addParameter('guard', TYPES.Int, 7);
      };
      await call('p', add);
      const [given, none, guard] = received();
      assert.deepEqual(given, { name: '@p', type, value, output: false });
      assert.equal(none?.value, null);
      assert.deepEqual(guard, { name: '@guard', type: { name: 'int' }, value: 7, output: false });
    });
  }

  it('arrive in a datetimeoffset as the local time with its offset', async () => {
    await call('p', (request) => request.addParameter('p', TYPES.DateTimeOffset, utc('2026-03-01T23:30:00.250'), { scale: 3 }));
    const [given] = received();
    assert.match(String(given?.value), /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.250[+-]\d\d:\d\d$/);
    assert.equal(new Date(String(given?.value)).getTime(), utc('2026-03-01T23:30:00.250').getTime());
  });

  it('come with the procedure’s name, and with the name behind a well-known number', async () => {
    await call("dbo.[a ' b]", () => undefined);
    await run(
      connection,
      'SELECT @n',
      (target, request) => target.execSql(request),
      (request) => request.addParameter('n', TYPES.Int, 3),
    );
    assert.deepEqual(
      served.host.requests.map((request) => request.kind === 'procedure' && request.procedure),
      ["dbo.[a ' b]", 'sp_executesql'],
    );
    assert.equal(shown(received().map(({ name, value }) => [name, value])), '[["@statement","SELECT @n"],["@params","@n int"],["@n",3]]');
  });

  it('go back as outputs of every kind of type, with the return status', async () => {
    const outputs: readonly (readonly [string, TediousType, SqlType, SqlValue, unknown])[] = [
      ['n', TYPES.Int, { name: 'int' }, -5, -5],
      ['none', TYPES.Int, { name: 'int' }, null, null],
      ['big', TYPES.BigInt, { name: 'bigint' }, 2n ** 60n, String(2n ** 60n)],
      ['text', TYPES.NVarChar, { name: 'nvarchar', length: 4000 }, 'a😀', 'a😀'],
      ['max', TYPES.NVarChar, { name: 'nvarchar', length: 'max' }, 'y'.repeat(9000), 'y'.repeat(9000)],
      ['when', TYPES.DateTime2, { name: 'datetime2', scale: 3 }, '2026-03-02T08:00:00.5', utc('2026-03-02T08:00:00.500')],
      ['amount', TYPES.Decimal, { name: 'decimal', precision: 10, scale: 2 }, '12.50', 12.5],
    ];
    replies = function* () {
      yield* one;
      for (const [name, , type, value] of outputs) yield { kind: 'output', name: `@${name}`, type, value };
      yield { kind: 'status', value: -6 };
    };
    const answered = await call('p', (request) => outputs.forEach(([name, type]) => request.addOutputParameter(name, type)));
    assert.deepEqual(answered.outputs, Object.fromEntries(outputs.map(([name, , , , expected]) => [name, expected])));
    assert.deepEqual([answered.status, answered.sets], [-6, [[[1]]]]);
    assert.ok(received().every((parameter) => parameter.output));
  });

  it('prepare, execute and unprepare as clients do', async () => {
    replies = (request) =>
      request.kind === 'procedure' && request.procedure === 'sp_prepare'
        ? [{ kind: 'output', name: '@handle', type: { name: 'int' }, value: 17 }]
        : [];
    const request = await prepared(connection);
    assert.equal((request as unknown as { handle: number }).handle, 17);
    assert.deepEqual(
      served.host.requests.map((one) => one.kind === 'procedure' && one.procedure),
      ['sp_prepare', 'sp_execute', 'sp_unprepare'],
    );
  });

  it('with an error leave the connection usable, and the status tells of it', async () => {
    replies = () => {
      throw new SqlError(2812, "Could not find stored procedure 'nope'.", 16, 62);
    };
    await assert.rejects(
      call('nope', () => undefined),
      { number: 2812, state: 62 },
    );
    replies = () => [{ kind: 'done' }];
    assert.equal((await call('p', () => undefined)).status, 0);
  });

  it('that are tables are refused in words', async () => {
    const table = { columns: [{ name: 'n', type: TYPES.Int }], rows: [[1]] };
    await assert.rejects(
      call('p', (request) => request.addParameter('t', TYPES.TVP, table)),
      /table-valued parameters are not modelled/,
    );
    assert.equal((await call('p', () => undefined)).status, 0);
  });

  it('may come with several calls in one message, answered one after another', async () => {
    replies = (request) => [{ kind: 'status', value: request.kind === 'procedure' ? Number(request.parameters[0]?.value) : 0 }];
    const socket = await logInRaw(served.server.port);
    const callOf = (value: number): number[] => [1, 0, 0x70, 0, 0, 0, 0, 0, 0x26, 4, 4, value, 0, 0, 0];
    socket.write(packet(0x03, Buffer.from([...headers, ...callOf(3), 0xff, ...callOf(4)])));
    const [answer] = await readPackets(socket);
    const status = (value: number): number[] => [0x79, value, 0, 0, 0];
    const done = (more: number): number[] => [0xfe, more, 0, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert.deepEqual([...(answer?.subarray(8) ?? [])], [...status(3), ...done(1), ...status(4), ...done(0)]);
    socket.destroy();
  });
});

/** Takes one request through prepare, execute and unprepare; its callback is called for the last two. */
function prepared(connection: Connection): Promise<TediousRequest> {
  return new Promise((resolve, reject) => {
    let called = 0;
    const request = new TediousRequest('SELECT @n', (error) => {
      if (error) return reject(error);
      called++;
      if (called === 1) connection.unprepare(request);
      else resolve(request);
    });
    request.addParameter('n', TYPES.Int);
    request.once('prepared', () => connection.execute(request, { n: 3 }));
    connection.prepare(request);
  });
}
