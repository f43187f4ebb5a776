import { eventErrors } from './event-errors';

/** The WITH (...) of a session, as one run uses it. */
export interface RunOptions {
  readonly causality: boolean;
  /** MAX_DISPATCH_LATENCY; undefined for INFINITE. */
  readonly dispatchLatencyUs: number | undefined;
  /** MAX_DURATION; undefined for UNLIMITED. */
  readonly durationUs: number | undefined;
  readonly buffers: number;
  readonly bufferBytes: number;
}

type OptionsAsWritten = Readonly<Record<string, string>>;

const KB = 1024;
const DEFAULT_MEMORY_BYTES = 4 * KB * KB;
const DEFAULT_LATENCY_SECONDS = 30;
/** Published by Jonathan Kehayias, "An XEvent a Day"; the minima of error 25632 agree. */
const BUFFERS = 3;
/** See error 25632. */
const SMALLEST_BUFFER_BYTES = 65_331;
/** Microsoft Learn, "CREATE EVENT SESSION": MAX_MEMORY below 2 GB, MAX_DURATION up to 2,147,483 seconds. */
const LARGEST_MEMORY_BYTES = 2048 * KB * KB;
const LONGEST_DURATION_SECONDS = 2_147_483;

const SECONDS: Readonly<Record<string, number>> = { SECONDS: 1, MINUTES: 60, HOURS: 3600, DAYS: 86_400 };

/** "4096 KB" or "4 MB" in bytes. */
export function readBytes(written: string | undefined, otherwise: number): number {
  const match = /^\s*(\d+)\s*(KB|MB)?\s*$/i.exec(written ?? '');
  if (match === null) return otherwise;
  return Number(match[1]) * (match[2]?.toUpperCase() === 'MB' ? KB * KB : KB);
}

function readMemory(options: OptionsAsWritten): number {
  return readBytes(options['MAX_MEMORY'], DEFAULT_MEMORY_BYTES);
}

/** Seconds of MAX_DISPATCH_LATENCY; 0 is INFINITE, as on the server. */
export function readLatencySeconds(options: OptionsAsWritten): number {
  const written = (options['MAX_DISPATCH_LATENCY'] ?? `${DEFAULT_LATENCY_SECONDS} SECONDS`).trim();
  return /^infinite$/i.test(written) ? 0 : Number.parseInt(written, 10);
}

/** Seconds of MAX_DURATION; 0 is UNLIMITED. */
function readDurationSeconds(options: OptionsAsWritten): number {
  const match = /^\s*(\d+)\s+(SECONDS|MINUTES|HOURS|DAYS)\s*$/i.exec(options['MAX_DURATION'] ?? '');
  return match === null ? 0 : Number(match[1]) * (SECONDS[(match[2] as string).toUpperCase()] ?? 1);
}

export function isOn(options: OptionsAsWritten, name: string): boolean {
  return (options[name] ?? 'OFF').trim().toUpperCase() === 'ON';
}

/** Defaults from Microsoft Learn, "CREATE EVENT SESSION". */
export function readRunOptions(options: OptionsAsWritten): RunOptions {
  const latency = readLatencySeconds(options);
  const duration = readDurationSeconds(options);
  return {
    causality: isOn(options, 'TRACK_CAUSALITY'),
    dispatchLatencyUs: latency === 0 ? undefined : latency * 1e6,
    durationUs: duration === 0 ? undefined : duration * 1e6,
    buffers: BUFFERS,
    bufferBytes: Math.floor(readMemory(options) / BUFFERS),
  };
}

/**
 * Checks options when they are set. 25708 for MAX_MEMORY and MAX_DURATION beyond their limits is the model's reading of
 * its text.
 * @throws SqlError 25632 too little memory for the buffers, 25708 too much
 */
export function checkOptions(options: OptionsAsWritten): void {
  const memory = readMemory(options);
  if (memory < BUFFERS * SMALLEST_BUFFER_BYTES)
    throw eventErrors.bufferTooSmall(BUFFERS * SMALLEST_BUFFER_BYTES);
  if (memory > LARGEST_MEMORY_BYTES) throw eventErrors.optionTooLarge('MAX_MEMORY');
  if (readDurationSeconds(options) > LONGEST_DURATION_SECONDS)
    throw eventErrors.optionTooLarge('MAX_DURATION');
}
