import type { DatabaseDescription } from '../engine/databases';
import type { Random } from '../engine/random';

export interface ServerDescription {
  readonly name: string;
  readonly version: readonly [number, number, number, number];
  /** SERVERPROPERTY('ProductUpdateLevel') and 'ProductUpdateReference'. */
  readonly updateLevel: string;
  readonly updateReference: string;
  readonly edition: string;
  readonly engineEdition: number;
  readonly collation: string;
  readonly maxServerMemoryMb: number;
  readonly bufferPoolGb: number;
  readonly physicalMemoryMb: number;
  readonly cpuCount: number;
  /** No daylight saving: the offset holds all year round. */
  readonly utcOffsetMinutes: number;
  readonly recoveryIntervalMinutes: number;
  readonly logDirectory: string;
  readonly backupDirectory: string;
  readonly volumes: readonly { readonly mount: string; readonly label: string; readonly totalBytes: bigint; readonly freeBytes: bigint }[];
  /** How long the server has been up when the model begins. */
  readonly upMs: number;
}

/** Everything that a modelled server is made of; a function of the seed alone. */
export interface Scenario {
  readonly name: string;
  readonly server: ServerDescription;
  readonly databases: readonly DatabaseDescription[];
}

export type MakeScenario = (random: Random) => Scenario;
