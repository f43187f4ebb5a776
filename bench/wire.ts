/**
 * The bytes on the wire for each event: its whole XML text, or its values sliced on the server, with the text only for rows that do not fit. Counted on the
 * socket between our own driver and the simulator. The simulator is a process of its own, so the CPU time is only the client's. The cost of slicing for the
 * server cannot be measured here. Run: node --require tsx/cjs bench/wire.ts [events]
 */
import '../test/sql-as-text.cjs';
import { createCapture } from '../src/core/capture/capture';
import type { FileCursor } from '../src/core/events/event';
import { readEventPage } from '../src/core/events/event-page';
import { declareParameters } from '../src/core/script/prologue';
import { writeEventsRead } from '../src/core/script/session';
import type { ReadText } from '../src/core/script/text';
import type { Connection, ResultSet } from '../src/hosts/host';
import { readTemplates } from '../src/texts';
import { runContest, printContest } from './contest';
import { sliceEvent, writeSlicedRead } from './sliced-read';
import { freely } from '../test/hosts/opening';
import { openMeter, reachServed, serve } from './served';

const EVENTS = Number(process.argv[2] ?? 20_000);
const PAGE = 2_000;
const ROUNDS = 3;

type Write = (cursor: FileCursor | null) => ReadText;

const writeRaw: Write = (cursor) =>
  declareParameters(
    writeEventsRead(
      { filePattern: 'checkpoint_history*.xel', cursor, rows: PAGE, hasTimestampUtc: false, serverName: null },
      readTemplates.checkpointEvents,
    ),
  );
const writeSliced: Write = (cursor) => writeSlicedRead('checkpoint_history*.xel', cursor, PAGE);

/** Reads every page to the end, like the product. `restore` turns sliced answers back into the rows that the product's reader takes. */
async function readAll(connection: Connection, write: Write, restore: (set: ResultSet) => ResultSet): Promise<number> {
  const capture = createCapture({ id: 'bench' });
  let cursor: FileCursor | null = null;
  for (;;) {
    const [set] = await connection.query(write(cursor), { timeoutMs: 60_000 });
    if (set === undefined) throw new Error('no answer');
    const page = readEventPage(restore(set), PAGE, cursor);
    capture.append(page.rows);
    cursor = page.cursor;
    if (!page.more) break;
  }
  capture.settle(Infinity);
  return capture.ledger().checkpoints;
}

/** The JSON with which the SQL Tools Service sends one cell: display text, NULL flag and the rest (docs/facts.md, Performance). */
function measureEnvelope({ rows }: ResultSet): number {
  const cells = rows.map((row) =>
    row.map((cell) => ({ displayValue: cell ?? 'NULL', isNull: cell === null, invariantCultureDisplayValue: null, rowId: 0 })),
  );
  return Buffer.byteLength(JSON.stringify(cells)) / Math.max(1, rows.length);
}

async function main(): Promise<void> {
  const served = await serve(['--databases', '100', '--rate', '0', '--stored-events', String(EVENTS)]);
  const meter = await openMeter(served.port);
  const connection = await reachServed(served, meter.port).open(freely());
  const ways = [
    { name: 'raw event_data', write: writeRaw, restore: (set: ResultSet) => set },
    { name: 'values sliced in T-SQL, raw where they do not fit', write: writeSliced, restore: sliceEvent },
  ];
  try {
    const found = new Set<number>();
    for (const { name, write, restore } of ways) {
      const before = meter.down;
      found.add(await readAll(connection, write, restore));
      const [first] = await connection.query(write(null), { timeoutMs: 60_000 });
      const isRaw = first?.rows.filter((row) => row[1] !== null).length ?? 0;
      console.log(
        `${name.padEnd(52)} ${((meter.down - before) / (EVENTS + PAGE)).toFixed(0).padStart(5)} B an event over TDS` +
          `${measureEnvelope(first ?? { columns: [], rows: [] })
            .toFixed(0)
            .padStart(6)} B as cells of the SQL Tools Service` +
          `${((100 * isRaw) / PAGE).toFixed(0).padStart(5)} % of rows with their text`,
      );
    }
    if (found.size !== 1) throw new Error(`the ways disagree: ${[...found].join(' and ')} checkpoints`);
    const outcomes = await runContest(
      ways.map(({ name, write, restore }) => ({ name, run: () => readAll(connection, write, restore) })),
      ROUNDS,
    );
    printContest(`${EVENTS} events from the socket to checkpoints, CPU time of the client`, outcomes);
    for (const { name, cpuMs } of outcomes)
      console.log(`  ${name.padEnd(56)} ${((1e6 * cpuMs) / EVENTS).toFixed(0).padStart(8)} ns an event`);
  } finally {
    await connection.close();
    meter.close();
    await served.close();
  }
}

void main();
