import assert from 'node:assert/strict';
import { TYPES, type Connection, type Request as TediousRequest } from 'tedious';
import {
  SqlError,
  type Parameter,
  type Reply,
  type Request,
  type SqlType,
  type SqlValue,
} from '../../tds/handler';
import { headers, logInRaw, packet, readPackets } from './raw-client';
import { one } from './scripted-host';
import { useServers, type Served } from './served';
import { run, type Answered, type Prepare } from './tedious-client';
import { shown } from '../shown';

type TediousType = (typeof TYPES)[keyof typeof TYPES];

/** What tedious sends, and what must arrive. */
const cases: readonly (readonly [TediousType, object | undefined, unknown, SqlType, SqlValue])[] = [
  [TYPES.Bit, undefined, true, { name: 'bit' }, true],
  [TYPES.TinyInt, undefined, 255, { name: 'tinyint' }, 255],
  [TYPES.SmallInt, undefined, -32_768, { name: 'smallint' }, -32_768],
  [TYPES.Int, undefined, -2_147_483_648, { name: 'int' }, -2_147_483_648],
  [TYPES.BigInt, undefined, '9223372036854775807', { name: 'bigint' }, 9_223_372_036_854_775_807n],
  [TYPES.VarChar, { length: 20 }, 'é€ü', { name: 'varchar', length: 20 }, 'é€ü'],
  [TYPES.Char, { length: 3 }, 'abc', { name: 'char', length: 3 }, 'abc'],
  [TYPES.NVarChar, { length: 128 }, 'a]b 😀', { name: 'nvarchar', length: 128 }, 'a]b 😀'],
  [TYPES.NChar, { length: 2 }, '😀', { name: 'nchar', length: 2 }, '😀'],
  [TYPES.NVarChar, undefined, 'x'.repeat(200_000), { name: 'nvarchar', length: 'max' }, 'x'.repeat(200_000)],
  [
    TYPES.VarBinary,
    { length: 10 },
    Buffer.from([0, 255]),
    { name: 'varbinary', length: 10 },
    Uint8Array.of(0, 255),
  ],
  [
    TYPES.VarBinary,
    undefined,
    Buffer.alloc(20_000, 7),
    { name: 'varbinary', length: 'max' },
    new Uint8Array(20_000).fill(7),
  ],
];

const REFUSED: readonly (readonly [string, TediousType, unknown])[] = [
  ['float', TYPES.Float, 0.5],
  ['datetime', TYPES.DateTime, new Date()],
  ['decimal', TYPES.Decimal, 1],
  ['uniqueidentifier', TYPES.UniqueIdentifier, '770c3538-ec3f-4d2b-9a1b-0102030405ff'],
  ['a table type', TYPES.TVP, { columns: [{ name: 'n', type: TYPES.Int }], rows: [[1]] }],
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

  for (const [name, type, value] of REFUSED)
    it(`are refused by the name of their type, and the connection goes on: ${name}`, async () => {
      await assert.rejects(
        call('p', (request) => request.addParameter('p', type, value)),
        { message: `simulator: a parameter of ${name} is not modelled` },
      );
      assert.equal((await call('p', () => undefined)).status, 0);
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
    assert.equal(
      shown(received().map(({ name, value }) => [name, value])),
      '[["@statement","SELECT @n"],["@params","@n int"],["@n",3]]',
    );
  });

  it('are answered with the rows and the return status', async () => {
    replies = () => [...one, { kind: 'status', value: -6 }];
    const answered = await call('p', () => undefined);
    assert.deepEqual([answered.status, answered.sets], [-6, [[[1]]]]);
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

  it('of several calls in one message are refused', async () => {
    const socket = await logInRaw(served.server.port);
    const callOf = (value: number): number[] => [1, 0, 0x70, 0, 0, 0, 0, 0, 0x26, 4, 4, value, 0, 0, 0];
    socket.write(packet(0x03, Buffer.from([...headers, ...callOf(3), 0xff, ...callOf(4)])));
    const [answer] = await readPackets(socket);
    assert.match(answer?.toString('utf16le', 8 + 11) ?? '', /several procedure calls in one message/);
    socket.destroy();
  });
});
