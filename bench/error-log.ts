/**
 * An ERRORLOG file of 50 MB (UTF-16LE), made in memory: mostly logins and backups, a FlushCache message every hundred lines, some lines that nobody knows. No peer reads these files;
 * the bound is reading the bytes once. Run: npx tsx --expose-gc bench/error-log.ts [megabytes]
 */
import { createErrorLogReader } from '../src/core/errorlog/error-log-text';

const PIECE_BYTES = 256 * 1024;
const megabytes = Number(process.argv[2] ?? 50);

/** One piece of a log of about half a megabyte that begins at that minute. */
function writePiece(minute: number): string {
  const lines: string[] = [];
  for (let at = 0; at < 2_500; at++) {
    const date = new Date(Date.UTC(2026, 2, 2) + minute * 60_000 + at * 20).toISOString().replace('T', ' ').slice(0, 22);
    const head = (process: string): string => `${date} ${process.padEnd(12)}`;
    if (at % 100 === 0) lines.push(...writeGroup(at + 1).map((line) => head('spid25s') + line));
    else if (at % 50 === 7) lines.push(`${head('spid88')}Custom message ${at} that is in no list`);
    else if (at % 2 === 0)
      lines.push(
        `${head('Logon')}Error: 18456, Severity: 14, State: 38.`,
        `${head('Logon')}Login failed for user 'svc_${at}'. Reason: Failed to open the explicitly specified database. [CLIENT: 10.0.0.${at % 250}]`,
      );
    else
      lines.push(
        `${head('Backup')}Log was backed up. Database: db${at}, creation date(time): 2024/01/01(00:00:00), first LSN: ${at}:1:1, last LSN: ${at}:9:1, number of dump devices: 1, device information: (FILE=1, TYPE=DISK: {'X:\\b${at}.trn'}). This is an informational message only. No user action is required.`,
      );
  }
  return lines.map((line) => `${line}\r\n`).join('');
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

function makePieces(): readonly Buffer[] {
  const pieces: Buffer[] = [Buffer.from([0xff, 0xfe])];
  for (let [bytes, minute] = [0, 0]; bytes < megabytes * 1e6; minute++) {
    const piece = Buffer.from(writePiece(minute), 'utf16le');
    for (let at = 0; at < piece.length; at += PIECE_BYTES) pieces.push(piece.subarray(at, at + PIECE_BYTES));
    bytes += piece.length;
  }
  return pieces;
}

const pieces = makePieces();
const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
let absent = 0;
const bound = measure(() => pieces.forEach((piece) => (absent += piece.indexOf(0x07))));
const baseline = process.memoryUsage();
let [slowest, most] = [0, 0];
const reader = createErrorLogReader();
const cpuBefore = process.cpuUsage();
const reading = measure(() => {
  pieces.forEach((piece, at) => {
    slowest = Math.max(
      slowest,
      measure(() => reader.take(piece)),
    );
    if (at % 16 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  });
});
const cpuMs = process.cpuUsage(cpuBefore).user / 1000;
const log = reader.end();
const megabytesOf = (count: number): string => (count / 1e6).toFixed(0);
console.log(`${megabytesOf(bytes)} MB, ${log.counts.lines.read} lines, ${log.counts.rows} messages: ${JSON.stringify(log.counts)}`);
console.log(`groups ${log.groups.length}, whole ${log.groups.filter(({ state }) => state === 'whole').length}`);
console.log(
  `read in ${reading.toFixed(0)} ms (must: 3,000), CPU ${cpuMs.toFixed(0)} ms, ${(bytes / 1e3 / reading).toFixed(0)} MB/s; longest piece of 256 KB ${slowest.toFixed(1)} ms`,
);
console.log(`heap while reading ${megabytesOf(most - baseline.heapUsed)} MB above ${megabytesOf(baseline.heapUsed)} MB before (must: 200)`);
console.log(
  `reading the bytes once (indexOf of an absent byte): ${bound.toFixed(0)} ms, so ${(reading / bound).toFixed(0)} times the bound${absent > 0 ? '!' : ''}`,
);

function measure(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}
