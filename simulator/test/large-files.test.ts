import assert from 'node:assert/strict';
import { storeEvents } from '../stored-events';
import { createModelledServer } from '../engine/landscape';
import type { ModelledServer } from '../engine/modelled-server';
import type { Relation } from '../engine/interface/instance';
import { createSessionHost } from '../tsql/session-host';
import { mapDuckError } from '../tsql/duck';
import { SqlError } from '../tds/handler';
import { clientOf, loginOf, type Client } from './tsql/client';

/** What reading the files took. */
interface Work {
  rows: number;
  /** Of them, those whose XML was made. */
  xml: number;
}

const XML_COLUMN = 3;
const FILES = "sys.fn_xe_file_target_read_file(N'checkpoint_history*.xel', NULL, NULL, NULL)";

/** The same relation, counting the rows that are made. */
function watch(relation: Relation, work: Work): Relation {
  return {
    ...relation,
    rows(used) {
      const rows = relation.rows(used);
      return {
        *[Symbol.iterator]() {
          for (const row of rows) {
            work.rows++;
            if (row[XML_COLUMN] !== null) work.xml++;
            yield row;
          }
        },
      };
    },
  };
}

describe('files with many events', () => {
  const EVENTS = 20_000;
  const work: Work = { rows: 0, xml: 0 };
  let server: ModelledServer;
  let client: Client;
  let read: (sql: string) => Promise<readonly (readonly unknown[])[]>;

  before(async () => {
    server = createModelledServer({ rate: 0 });
    await storeEvents(server, EVENTS, 'dba');
    const tableFunction: ModelledServer['tableFunction'] = (...question) => {
      const relation = server.tableFunction(...question);
      return relation && watch(relation, work);
    };
    const host = await createSessionHost({ ...server, tableFunction });
    const login = loginOf({ password: 'Str0ng!Passw0rd' });
    client = clientOf(host, host.login(login), () => host.close());
    read = (sql) => {
      Object.assign(work, { rows: 0, xml: 0 });
      return client.rows(sql);
    };
  });
  after(() => client.close());

  it('hold as many as were asked for, every one of them in the ledger', async () => {
    const [[rows]] = (await read(`SELECT COUNT(*) FROM ${FILES} AS x;`)) as [[number]];
    assert.ok(rows >= EVENTS && rows < EVENTS * 1.1, `${rows} events`);
    const captured = server.ledger.capturedBy('checkpoint_history');
    const seen = captured.reduce(
      (sum, each) => sum + Number(each.beginUtcMs !== null) + Number(each.endUtcMs !== null),
      0,
    );
    assert.ok(rows <= seen && seen - rows < 200, `${rows} of ${seen}`);
    assert.equal(work.xml, 0, 'nobody asked for the XML');
  });

  it('are read no further than TOP must', async () => {
    const rows = await read(`SELECT TOP (1000) x.event_data, x.file_offset FROM ${FILES} AS x;`);
    assert.equal(rows.length, 1000);
    assert.ok(work.rows <= 2048, `${work.rows} rows were made`);
    const first = await read(
      `SELECT TOP (10) x.file_offset FROM ${FILES} AS x WHERE x.object_name = N'checkpoint_end';`,
    );
    assert.equal(first.length, 10);
    assert.ok(work.rows <= 4096 && work.xml === 0, `${work.rows} rows were made, ${work.xml} with XML`);
  });

  it('are read from a cursor on, and whole where the order asks for it', async () => {
    const all = await read(`SELECT x.file_name, x.file_offset FROM ${FILES} AS x;`);
    const offsets = all.map(([, offset]) => offset as bigint);
    const middle = offsets[Math.floor(all.length / 2)] as bigint;
    const behind = await read(
      `SELECT TOP (5) x.file_offset FROM sys.fn_xe_file_target_read_file(N'checkpoint_history*.xel', NULL, N'${String(all[0]?.[0])}', ${middle}) AS x;`,
    );
    assert.deepEqual(behind.flat(), offsets.filter((offset) => offset > middle).slice(0, 5));
    assert.ok(work.rows <= 2048, `${work.rows} rows were made`);
    const last = await read(`SELECT TOP (3) x.file_offset FROM ${FILES} AS x ORDER BY x.file_offset DESC;`);
    assert.deepEqual(last.flat(), offsets.slice(-3).reverse());
  });

  it('give the same rows to every reference of one statement', async () => {
    const [row] = await read(
      `SELECT (SELECT COUNT(*) FROM ${FILES} AS x),
         (SELECT COUNT(*) FROM ${FILES} AS a WHERE EXISTS (SELECT 1 FROM ${FILES} AS b WHERE b.file_offset = a.file_offset));`,
    );
    assert.equal(row?.[0], row?.[1]);
  });

  it('are refused, where a statement would need more memory than the simulator gives itself', () => {
    const error = mapDuckError(
      new Error('Out of Memory Error: failed to allocate data of size 256.0 KiB'),
      3,
    );
    assert.ok(error instanceof SqlError);
    assert.match(
      `${error.number} ${error.line} ${error.message}`,
      /^50000 3 simulator: statements that need more than .* of memory are not modelled$/,
    );
  });

  it('end with the error of a conversion that fails in their midst, and can be read again', async () => {
    assert.match(await client.error(`SELECT CONVERT(int, x.object_name) FROM ${FILES} AS x;`), /^245 /);
    assert.equal((await read(`SELECT TOP (1) x.object_name FROM ${FILES} AS x;`)).length, 1);
  });
});
