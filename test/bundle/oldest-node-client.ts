/**
 * Runs under the oldest host's Node, as one file, and prints how that went: reads events, writes Parquet to the path
 * that it is given, and logs in to a test's server in every way, where it streams, cancels and times out.
 */
import { writeFileSync } from 'node:fs';
import { EventReader } from '../../src/core/events/event-reader';
import { EventRegister } from '../../src/core/events/event-register';
import { listCheckpoints } from '../../src/core/export/capture-tables';
import { writeParquet } from '../../src/core/export/parquet';
import type { ReadText } from '../../src/core/script/text';
import { finishSteps } from '../../src/core/steps';
import { createDirectAccess } from '../../src/hosts/direct/access';
import { eventIn } from '../core/events/event-rows';
import { captureOf, EVERYTHING, headOf } from '../core/export/exported-capture';
import { freely } from '../hosts/opening';

const [, , port = '0', password = '', token = '', parquetFile = ''] = process.argv;

/**
 * What is read of three rows: two ends, and one whose database_id is no number; and whether the last was read by
 * comparison.
 */
function readEvents(): object {
  const write = (id: string): string =>
    `<event name="checkpoint_end" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>${id}</value></data></event>`;
  const [reader, register] = [new EventReader(), new EventRegister()];
  const readings = ['5', 'five', '32767'].map(
    (id) =>
      reader.read({ objectName: null, eventData: write(id), fileName: null, fileOffset: null }, register) ??
      eventIn(register),
  );
  return { readings, isKnown: reader.readKnown(write('32767'), register) };
}

function writeCheckpoints(): void {
  const rows = Array.from({ length: 2_000 }, (_, at) => [at, 40, 0] as const);
  const capture = captureOf(rows, ['a]b\'c"-- 😀']);
  const table = finishSteps(listCheckpoints(capture, EVERYTHING));
  writeFileSync(parquetFile, Buffer.concat([...writeParquet(headOf(capture), table)]));
}

async function speak(authentication: 'sql' | 'windows' | 'entra', user: string): Promise<object> {
  const address = {
    server: `127.0.0.1,${port}`,
    encrypt: 'mandatory',
    trustServerCertificate: true,
  } as const;
  const server = { id: user, name: user, authentication, user, ...address };
  const secrets = { get: async () => (authentication === 'entra' ? token : password) };
  const connection = await createDirectAccess({ server, secrets }).open(freely());
  const reasonOf = (query: Promise<unknown>): Promise<string> =>
    query.then(
      () => 'none',
      (error: unknown) => (error as { readonly reason: string }).reason,
    );
  let rows = 0;
  await connection.query('many' as ReadText, { timeoutMs: 10_000, onRow: () => void rows++ });
  const control = new AbortController();
  const endless = connection.query('endless' as ReadText, { timeoutMs: 10_000, signal: control.signal });
  setTimeout(() => control.abort(), 50);
  const cancelled = await reasonOf(endless);
  const timedOut = await reasonOf(connection.query('endless' as ReadText, { timeoutMs: 50 }));
  const afterwards = (await connection.query('one' as ReadText, { timeoutMs: 10_000 }))[0]?.rows[0]?.[0];
  await connection.close();
  return { rows, cancelled, timedOut, afterwards };
}

async function main(): Promise<void> {
  writeCheckpoints();
  const went = [
    await speak('sql', 'dba'),
    await speak('windows', 'CONTOSO\\ann'),
    await speak('entra', 'ann@contoso.com'),
  ];
  console.log(JSON.stringify({ node: process.version, events: readEvents(), went }));
}

void main();
