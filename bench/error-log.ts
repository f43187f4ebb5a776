/**
 * ERRORLOG files of 50 MB (UTF-16LE), made in memory. `usual` is mostly logins and backups, with a FlushCache message every 100 lines and some unknown lines.
 * The others hold only FlushCache messages, or only unknown lines. No peer reads them; the bound is one read. Run: npx tsx bench/error-log.ts [megabytes]
 */
import { createErrorLogReader } from '../src/core/errorlog/error-log-text';

const PIECE_BYTES = 256 * 1024;
const megabytes = Number(process.argv[2] ?? 50);

type Mix = 'usual' | 'all FlushCache' | 'nothing known';

/** A piece of a log, about half a megabyte, that begins at that minute. */
function writePiece(mix: Mix, minute: number): string {
  const lines: string[] = [];
  for (let at = 0; at < 1_200; at++) {
    const date = new Date(Date.UTC(2026, 2, 2) + minute * 60_000 + at * 40).toISOString().replace('T', ' ').slice(0, 22);
    for (const [process, text] of writeMessages(mix, at)) lines.push(`${date} ${process.padEnd(12)}${text}\r\n`);
  }
  return lines.join('');
}

function writeMessages(mix: Mix, at: number): readonly (readonly [string, string])[] {
  if (mix === 'all FlushCache' || (mix === 'usual' && at % 100 === 0))
    return writeGroup(at + 1).map((text) => [`spid${20 + (at % 9)}s`, text]);
  if (mix === 'nothing known' || at % 50 === 7)
    return [['spid88', `Custom message ${at} that is in no list, and no translation of one that is`]];
  const failed = `Login failed for user 'svc_${at}'. Reason: Failed to open the explicitly specified database. [CLIENT: 10.0.0.${at % 250}]`;
  if (at % 2 === 0)
    return [
      ['Logon', 'Error: 18456, Severity: 14, State: 38.'],
      ['Logon', failed],
    ];
  const device = `number of dump devices: 1, device information: (FILE=1, TYPE=DISK: {'X:\\b${at}.trn'})`;
  return [
    [
      'Backup',
      `Log was backed up. Database: db${at}, creation date(time): 2024/01/01(00:00:00), first LSN: ${at}:1:1, last LSN: ${at}:9:1, ${device}. This is an informational message only. No user action is required.`,
    ],
  ];
}

function writeGroup(seed: number): readonly string[] {
  const [pages, writes, ms] = [seed * 137, seed * 91, 60_000 + seed];
  return [
    `FlushCache: cleaned up ${pages} bufs with ${writes} writes in ${ms} ms (avoided 21 new dirty bufs) for db ${5 + (seed % 90)}:0`,
    `      average writes per second: ${((writes * 1000) / ms).toFixed(2)} writes/sec`,
    `      average throughput:        ${((pages * 8000) / 1024 / ms).toFixed(2)} MB/sec, I/O saturation: 53644, context switches 101117`,
    '      last target outstanding:   639360, avgWriteLatency 1',
  ];
}

function makePieces(mix: Mix): readonly Buffer[] {
  const pieces: Buffer[] = [Buffer.from([0xff, 0xfe])];
  for (let [bytes, minute] = [0, 0]; bytes < megabytes * 1e6; minute++) {
    const piece = Buffer.from(writePiece(mix, minute), 'utf16le');
    for (let at = 0; at < piece.length; at += PIECE_BYTES) pieces.push(piece.subarray(at, at + PIECE_BYTES));
    bytes += piece.length;
  }
  return pieces;
}

function measure(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

const toMegabytes = (count: number): string => (count / 1e6).toFixed(0);

/** Looks at every byte and does nothing with it. */
function readOnce(pieces: readonly Buffer[]): number {
  let sum = 0;
  for (const piece of pieces) for (let at = 0; at < piece.length; at++) sum = (sum + (piece[at] ?? 0)) | 0;
  return sum;
}

function run(mix: Mix): void {
  const pieces = makePieces(mix);
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const boundMs = measure(() => readOnce(pieces));
  const before = process.memoryUsage();
  const times: number[] = [];
  let most = before.rss;
  const cpu = process.cpuUsage();
  const reader = createErrorLogReader();
  const readMs = measure(() => {
    for (const piece of pieces) {
      times.push(measure(() => reader.take(piece)));
      if (times.length % 8 === 0) most = Math.max(most, process.memoryUsage().rss);
    }
  });
  let log = null as ReturnType<typeof reader.end> | null;
  const endMs = measure(() => (log = reader.end()));
  const cpuMs = process.cpuUsage(cpu).user / 1000;
  most = Math.max(most, process.memoryUsage().rss);
  times.sort((a, b) => a - b);
  const whole = log?.groups.filter(({ state }) => state === 'whole').length;
  console.log(`${mix}: ${toMegabytes(bytes)} MB, ${JSON.stringify(log?.counts)}, groups ${log?.groups.length}, whole ${whole}`);
  console.log(
    `  ${(readMs + endMs).toFixed(0)} ms (must 3,000), CPU ${cpuMs.toFixed(0)} ms, ${(bytes / 1e3 / (readMs + endMs)).toFixed(0)} MB/s`,
  );
  console.log(
    `  a piece of 256 KB: median ${times[times.length >> 1]?.toFixed(1)}, slowest ${times[times.length - 1]?.toFixed(1)} ms; the end ${endMs.toFixed(1)} ms`,
  );
  console.log(`  resident memory: ${toMegabytes(most - before.rss)} MB more at most (must 200)`);
  console.log(`  bound, each byte looked at once: ${boundMs.toFixed(0)} ms; we take ${((readMs + endMs) / boundMs).toFixed(0)} times that`);
}

for (const mix of ['usual', 'all FlushCache', 'nothing known'] as const) run(mix);
