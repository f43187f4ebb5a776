import assert from 'node:assert/strict';
import { takeErrorLog, type LogPosition } from '../../../cli/src/collect/log-messages';
import type { Facts } from '../../../src/core/advice/facts';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import type { FlushCacheGroup } from '../../../src/core/errorlog/flush-cache-group';
import { createErrorLogReader } from '../../../src/core/errorlog/error-log-text';
import type { ErrorLogRead } from '../../../src/monitor/evidence/along-reading';
import { type Chance, createChance, pick } from './disturbed-log';
import { createMessage } from './log-texts';

const SEEDS = Number(process.env['SEEDS'] ?? 60);
const BEGIN_MS = Date.UTC(2026, 2, 2, 8);
const STEP_MS = 65_000;

/** @param id of its message; 0: of none */
interface Line {
  readonly id: number;
  readonly text: string;
}

type Figures = Omit<FlushCacheGroup, 'lines' | 'logDateLocal' | 'processInfo' | 'atUtcMs' | 'sureness'>;

const whole = (chance: Chance, from: number, to: number): number => from + Math.floor(chance() * (to - from));
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 22).replace('T', ' ');

/** Figures of one digit stand at the ends of lines: of more digits, nothing tells that a cut took the last. */
function makeMessage(chance: Chance, id: number) {
  const pages = whole(chance, 1_000, 2_000_000);
  const writes = whole(chance, 1, pages);
  const durationMs = whole(chance, 60_000, 400_000);
  const lines = createMessage(pages, writes, durationMs, id, {
    avoided: id,
    saturation: id,
    switches: id,
    latency: id,
  });
  const numberIn = (line: string): number => Number(/[\d.]+/.exec(line)?.[0]);
  const [writesPerSecond, megabytesPerSecond] = lines.slice(1, 3).map(numberIn) as [number, number];
  const figures: Figures = {
    state: 'whole',
    databaseId: id,
    pages,
    writes,
    durationMs,
    pagesPerWrite: pages / writes,
    avoidedPages: id,
    writesPerSecond,
    megabytesPerSecond,
    ioSaturation: id,
    contextSwitches: id,
    lastTargetOutstanding: id,
    averageWriteLatencyMs: id,
    throughputDiffersBy: null,
  };
  return { id, lines, figures };
}

/** Messages a minute apart, with other lines between them. */
function makeLog(chance: Chance) {
  const messages = Array.from({ length: whole(chance, 2, 8) }, (_, at) => makeMessage(chance, at + 1));
  const others = ['Login failed for user Süd.', 'Something that nobody has seen before.'];
  const rows = [
    { id: 0, logDateLocal: dateOf(BEGIN_MS), processInfo: 'Server', text: 'All rights reserved.' },
    ...messages.flatMap(({ id, lines }) => {
      const row = { id, logDateLocal: dateOf(BEGIN_MS + id * STEP_MS), processInfo: 'spid25s' };
      const other =
        chance() < 0.5 ? [{ ...row, id: 0, processInfo: 'spid9s', text: pick(chance, others) }] : [];
      return [...lines.map((text) => ({ ...row, text })), ...other];
    }),
  ];
  return { messages, rows };
}

/** Cuts, exchanges, doubles and loses lines. @returns also the messages that this touched */
function damageLines<T extends Line>(given: readonly T[], chance: Chance) {
  const lines = [...given];
  const touched = new Set<number>();
  for (let left = whole(chance, 0, 4); left > 0; left--) {
    const [at, other] = [whole(chance, 0, lines.length), whole(chance, 0, lines.length)];
    const [line, second] = [lines[at]!, lines[other]!];
    touched.add(line.id);
    const damage = whole(chance, 0, 4);
    if (damage === 0) lines[at] = { ...line, text: line.text.slice(0, whole(chance, 0, line.text.length)) };
    else if (damage === 1) lines.splice(at, 0, line);
    else if (damage === 2) lines.splice(at, 1);
    else {
      [lines[at], lines[other]] = [second, line];
      touched.add(second.id);
    }
  }
  return { lines, touched };
}

/** Every message that was not touched is there, and every number of the others is true or missing. */
function assertTrue(
  groups: readonly Figures[],
  { messages }: ReturnType<typeof makeLog>,
  touched: ReadonlySet<number>,
  says: string,
): void {
  for (const { id, figures } of messages) {
    const own = groups.filter(({ pages, writes }) => pages === figures.pages && writes === figures.writes);
    if (!touched.has(id)) assert.deepEqual(own.map(figuresOf), [figures], says);
  }
  for (const group of groups) {
    const [message] = messages.filter(({ figures }) => figures.pages === group.pages);
    for (const [name, value] of Object.entries(figuresOf(group)))
      if (name !== 'state' && value !== null)
        assert.equal(value, message?.figures[name as keyof Figures], `${says}: ${name}`);
  }
}

function figuresOf(group: Figures): Figures {
  return Object.fromEntries(
    Object.entries(group).filter(
      ([name]) => !['lines', 'logDateLocal', 'processInfo', 'atUtcMs', 'sureness'].includes(name),
    ),
  ) as unknown as Figures;
}

interface Encoding {
  readonly mark: readonly number[];
  readonly encode: (text: string) => Buffer;
  /** Whether a line feed is at a place. */
  readonly isFeed: (bytes: Uint8Array, at: number) => boolean;
}

const LITTLE: Encoding = {
  mark: [0xff, 0xfe],
  encode: (text) => Buffer.from(text, 'utf16le'),
  isFeed: (bytes, at) => bytes[at] === 10 && bytes[at + 1] === 0,
};
const BIG: Encoding = {
  mark: [0xfe, 0xff],
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  isFeed: (bytes, at) => bytes[at] === 10 && bytes[at - 1] === 0,
};
const SINGLE: Encoding = {
  mark: [],
  encode: (text) => Buffer.from(text),
  isFeed: (bytes, at) => bytes[at] === 10,
};
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'UTF-16LE': LITTLE,
  'UTF-16LE without a mark': { ...LITTLE, mark: [] },
  'UTF-16BE': BIG,
  'UTF-8': SINGLE,
  'UTF-8 with a mark': { ...SINGLE, mark: [0xef, 0xbb, 0xbf] },
  'Windows-1252': { ...SINGLE, encode: (text) => Buffer.from(text, 'latin1') },
};

/** Takes a run of bytes out of a file, behind its first letters. @returns also the messages whose lines it touched */
function loseBytes(lines: readonly Line[], { mark, encode }: Encoding, chance: Chance) {
  const parts = lines.map(({ text }) => encode(`${text}\r\n`));
  const all = Buffer.concat([Buffer.from(mark), ...parts]);
  const from = whole(chance, 40, all.length);
  const to = from + whole(chance, 1, chance() < 0.5 ? 5 : 400);
  const touched = new Set<number>();
  let at = mark.length;
  for (const [place, part] of parts.entries()) {
    // A line whose line feed is gone is one with the next.
    if (at - encode('\r\n').length < to && at + part.length > from) touched.add(lines[place]!.id);
    at += part.length;
  }
  return { bytes: new Uint8Array(Buffer.concat([all.subarray(0, from), all.subarray(to)])), touched };
}

function readFile(bytes: Uint8Array, pieceBytes: number) {
  const reader = createErrorLogReader();
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.take(bytes.subarray(at, at + pieceBytes));
  return reader.end();
}

function assertCounted(
  { counts }: Pick<ReturnType<typeof readErrorLog>, 'counts'>,
  given: number,
  says: string,
) {
  const { read, parsed, noise, unrecognised } = counts.lines;
  assert.deepEqual([read, parsed + noise + unrecognised], [given, given], says);
  assert.ok(Math.min(parsed, noise, unrecognised) >= 0, says);
}

describe('A damaged log loses no line and gives no wrong number', () => {
  it('as rows of a procedure', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const chance = createChance(seed);
      const log = makeLog(chance);
      const { lines: rows, touched } = damageLines(log.rows, chance);
      const reading = readErrorLog(rows);
      assertCounted(reading, rows.length, `seed ${seed}`);
      assertTrue(reading.groups, log, touched, `seed ${seed}`);
    }
  });

  for (const [name, encoding] of Object.entries(ENCODINGS))
    it(`as a file in ${name}, in which a run of bytes may be lost too`, () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const chance = createChance(seed);
        const log = makeLog(chance);
        const given = log.rows.map(({ id, logDateLocal, processInfo, text }) => ({
          id,
          text: `${logDateLocal} ${processInfo.padEnd(12)}${text}`,
        }));
        const { lines, touched } = damageLines(given, chance);
        const says = `seed ${seed}`;
        const file = encoding.encode(lines.map(({ text }) => `${text}\r\n`).join(''));
        const reading = readFile(Buffer.concat([Buffer.from(encoding.mark), file]), whole(chance, 1, 3_000));
        assertCounted(reading, lines.length, says);
        assertTrue(reading.groups, log, touched, says);
        // What the hole joined may read well and be wrong. It must not reach further.
        const hole = loseBytes(given, encoding, chance);
        const { bytes } = hole;
        const ends = [...bytes.keys()].filter((at) => encoding.isFeed(bytes, at));
        const isOpen = bytes.length - 1 - (ends.at(-1) ?? -1) > (encoding.isFeed === LITTLE.isFeed ? 1 : 0);
        const rest = readFile(bytes, whole(chance, 1, 3_000));
        assertCounted(rest, ends.length + (isOpen ? 1 : 0), `${says}, a hole`);
        const untouched = log.messages.filter(({ id }) => !hole.touched.has(id));
        assertTrue(
          rest.groups.filter(({ pages }) => untouched.some(({ figures }) => figures.pages === pages)),
          { ...log, messages: untouched },
          new Set(),
          `${says}, a hole`,
        );
      }
    });

  it('as rows that are collected for a lake, in several runs', () => {
    const facts = { server: { serverName: 'ONE' }, databases: [] } as unknown as Facts;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const chance = createChance(seed);
      const log = makeLog(chance);
      const { lines: rows, touched } = damageLines(log.rows, chance);
      const cuts = [0, 0].map(() => whole(chance, 0, rows.length + 1)).sort((a, b) => a - b);
      let position: LogPosition | null = null;
      let read = 0;
      const groups: Figures[] = [];
      for (const [at, end] of [...cuts, rows.length].entries()) {
        const part = rows.slice(cuts[at - 1] ?? 0, end);
        // The server's clock then, which some damage moved by three rows.
        const { logDateLocal } = log.rows[Math.max(0, end - 4)]!;
        const localMs = at === cuts.length ? BEGIN_MS + 3_600_000 : Date.parse(`${logDateLocal}Z`);
        const given = {
          result: { way: 'xp_readerrorlog', rows: part, repeatedRows: 0, limits: [], cursor: null },
          templates: [],
          observations: [],
          nowUtcMs: localMs,
          now: { localMs, offsetMinutes: 0 },
        } as unknown as ErrorLogRead;
        const taken = takeErrorLog('ONE', given, facts, position);
        position = taken.log;
        read += taken.counts?.log_rows_read ?? 0;
        const kinds = taken.rows['kind'] ?? [];
        for (const [place, kind] of [...kinds].entries())
          if (kind === 'FlushCache') groups.push(groupOf((name) => taken.rows[name]?.[place] ?? null));
      }
      assert.deepEqual([read, position?.waiting], [rows.length, []], `seed ${seed}`);
      assertTrue(groups, log, touched, `seed ${seed}`);
    }
  });
});

function groupOf(valueOf: (column: string) => unknown): Figures {
  const [pages, writes] = [valueOf('pages_written') as number, valueOf('writes') as number];
  return {
    state: valueOf('state'),
    databaseId: valueOf('database_id'),
    pages,
    writes,
    durationMs: valueOf('duration_ms'),
    pagesPerWrite: pages / writes,
    avoidedPages: valueOf('avoided_pages'),
    writesPerSecond: valueOf('writes_per_second'),
    megabytesPerSecond: valueOf('mb_per_second'),
    ioSaturation: valueOf('io_saturation'),
    contextSwitches: valueOf('context_switches'),
    lastTargetOutstanding: valueOf('last_target_outstanding'),
    averageWriteLatencyMs: valueOf('average_write_latency_ms'),
    throughputDiffersBy: null,
  } as Figures;
}
