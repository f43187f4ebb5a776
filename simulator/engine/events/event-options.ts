import type { ServerDescription } from '../../scenarios/scenario';
import { eventErrors } from './event-errors';

/** What happens to an event if every buffer is full. Microsoft Learn, "CREATE EVENT SESSION", EVENT_RETENTION_MODE. */
export type Retention = 'single' | 'multiple' | 'none';

/** The WITH (...) of a session, as one run uses it. */
export interface RunOptions {
  readonly causality: boolean;
  readonly retention: Retention;
  /** MAX_DISPATCH_LATENCY; undefined for INFINITE. */
  readonly dispatchLatencyUs: number | undefined;
  /** MAX_DURATION; undefined for UNLIMITED. */
  readonly durationUs: number | undefined;
  /** Sets of buffers: one in all, or one for each node or processor. */
  readonly partitions: number;
  readonly buffers: number;
  readonly bufferBytes: number;
  /** There are two large buffers of this size besides the others; 0 for none. */
  readonly largeBufferBytes: number;
}

type OptionsAsWritten = Readonly<Record<string, string>>;
type Machine = Pick<ServerDescription, 'cpuCount' | 'platform'>;

const KB = 1024;
const DEFAULT_MEMORY_BYTES = 4 * KB * KB;
const DEFAULT_LATENCY_SECONDS = 30;
/** Three buffers to a set; with PER_CPU two and a half for each processor. Published by Jonathan Kehayias, "An XEvent a Day"; the minima of error 25632 agree. */
const BUFFERS_PER_SET = 3;
const BUFFERS_PER_CPU = 2.5;
/** See error 25632. */
const SMALLEST_BUFFER_BYTES = 65_331;
/** Microsoft Learn, "CREATE EVENT SESSION": MAX_MEMORY below 2 GB, MAX_DURATION up to 2,147,483 seconds. */
const LARGEST_MEMORY_BYTES = 2048 * KB * KB;
const LONGEST_DURATION_SECONDS = 2_147_483;
/** The model's machines have two NUMA nodes from this many processors on. */
const CPUS_OF_ONE_NODE = 8;

const SECONDS: Readonly<Record<string, number>> = { SECONDS: 1, MINUTES: 60, HOURS: 3600, DAYS: 86_400 };

/** "4096 KB" or "4 MB" in bytes. */
export function readBytes(written: string | undefined, otherwise: number): number {
  const match = /^\s*(\d+)\s*(KB|MB)?\s*$/i.exec(written ?? '');
  if (match === null) return otherwise;
  return Number(match[1]) * (match[2]?.toUpperCase() === 'MB' ? KB * KB : KB);
}

export function readMemory(options: OptionsAsWritten): number {
  return readBytes(options['MAX_MEMORY'], DEFAULT_MEMORY_BYTES);
}

/** Seconds of MAX_DISPATCH_LATENCY; 0 is INFINITE, as on the server. */
export function readLatencySeconds(options: OptionsAsWritten): number {
  const written = (options['MAX_DISPATCH_LATENCY'] ?? `${DEFAULT_LATENCY_SECONDS} SECONDS`).trim();
  return /^infinite$/i.test(written) ? 0 : Number.parseInt(written, 10);
}

/** Seconds of MAX_DURATION; 0 is UNLIMITED. */
export function readDurationSeconds(options: OptionsAsWritten): number {
  const match = /^\s*(\d+)\s+(SECONDS|MINUTES|HOURS|DAYS)\s*$/i.exec(options['MAX_DURATION'] ?? '');
  return match === null ? 0 : Number(match[1]) * (SECONDS[(match[2] as string).toUpperCase()] ?? 1);
}

export function isOn(options: OptionsAsWritten, name: string): boolean {
  return (options[name] ?? 'OFF').trim().toUpperCase() === 'ON';
}

const RETENTIONS: Readonly<Record<string, Retention>> = { ALLOW_MULTIPLE_EVENT_LOSS: 'multiple', NO_EVENT_LOSS: 'none' };

/** Defaults from Microsoft Learn, "CREATE EVENT SESSION". */
export function readRunOptions(options: OptionsAsWritten, machine: Machine): RunOptions {
  const latency = readLatencySeconds(options);
  const duration = readDurationSeconds(options);
  const retention = RETENTIONS[(options['EVENT_RETENTION_MODE'] ?? '').trim().toUpperCase()] ?? 'single';
  const { partitions, buffers } = countBuffers(options, machine);
  return {
    causality: isOn(options, 'TRACK_CAUSALITY'),
    // If files are blobs, NO_EVENT_LOSS is the same as ALLOW_SINGLE_EVENT_LOSS. Microsoft Learn, "CREATE EVENT SESSION", EVENT_RETENTION_MODE.
    retention: retention === 'none' && isAzure(machine) ? 'single' : retention,
    dispatchLatencyUs: latency === 0 ? undefined : latency * 1e6,
    durationUs: duration === 0 ? undefined : duration * 1e6,
    partitions,
    buffers,
    bufferBytes: Math.floor(readMemory(options) / buffers),
    largeBufferBytes: readBytes(options['MAX_EVENT_SIZE'], 0),
  };
}

function isAzure({ platform }: Machine): boolean {
  return platform === 'azure-sql-database' || platform === 'managed-instance';
}

function countBuffers(options: OptionsAsWritten, { cpuCount }: Machine): { readonly partitions: number; readonly buffers: number } {
  const mode = (options['MEMORY_PARTITION_MODE'] ?? 'NONE').trim().toUpperCase();
  if (mode === 'PER_CPU') return { partitions: cpuCount, buffers: Math.ceil(cpuCount * BUFFERS_PER_CPU) };
  const partitions = mode === 'PER_NODE' && cpuCount > CPUS_OF_ONE_NODE ? 2 : 1;
  return { partitions, buffers: partitions * BUFFERS_PER_SET };
}

/**
 * Checks options when they are set. 25708 for MAX_MEMORY and MAX_DURATION beyond their limits is the model's reading of its text.
 * @throws SqlError 25632 too little memory for the buffers, 25640 MAX_EVENT_SIZE below MAX_MEMORY, 25708 too much; on RDS 50000: its own errors are not published
 */
export function checkOptions(options: OptionsAsWritten, machine: Machine): void {
  const memory = readMemory(options);
  const { buffers } = countBuffers(options, machine);
  if (memory < buffers * SMALLEST_BUFFER_BYTES) throw eventErrors.bufferTooSmall(buffers * SMALLEST_BUFFER_BYTES);
  if (memory > LARGEST_MEMORY_BYTES) throw eventErrors.optionTooLarge('MAX_MEMORY');
  const largest = readBytes(options['MAX_EVENT_SIZE'], 0);
  if (largest > 0 && largest < memory) throw eventErrors.maxEventSizeTooSmall();
  if (readDurationSeconds(options) > LONGEST_DURATION_SECONDS) throw eventErrors.optionTooLarge('MAX_DURATION');
  if (machine.platform === 'rds') checkForRds(options);
}

/** Amazon RDS User Guide, "Using extended events with Amazon RDS for Microsoft SQL Server". */
function checkForRds(options: OptionsAsWritten): void {
  const partition = (options['MEMORY_PARTITION_MODE'] ?? 'NONE').trim().toUpperCase();
  if (partition !== 'NONE') throw eventErrors.refusedSomehow(`MEMORY_PARTITION_MODE = ${partition} on Amazon RDS`);
  if (/NO_EVENT_LOSS/i.test(options['EVENT_RETENTION_MODE'] ?? ''))
    throw eventErrors.refusedSomehow('EVENT_RETENTION_MODE = NO_EVENT_LOSS on Amazon RDS');
}
