import type { DatabaseDescription } from './database';
import type { EventSessionDefinition } from './event-session';
import type { Random } from './random';
import type { DistributedGroupDescription, GroupDescription } from './landscape';
import type { Platform } from './platform';
import type { Build, Release } from './releases';

/** When a model begins by default: a Monday morning in Europe. */
export const MODEL_START_UTC_MS = Date.UTC(2026, 2, 2, 8);

export interface VolumeDescription {
  readonly mount: string;
  readonly label: string;
  readonly totalBytes: bigint;
  readonly freeBytes: bigint;
}

export interface ServerDescription {
  readonly name: string;
  readonly platform: Platform;
  /** The release whose columns, permissions and errors it has; the version that it tells is in `build`. */
  readonly release: Release;
  readonly build: Build;
  readonly edition: string;
  readonly engineEdition: number;
  readonly collation: string;
  readonly maxServerMemoryMb: number;
  readonly bufferPoolGb: number;
  readonly physicalMemoryMb: number;
  readonly cpuCount: number;
  /** It holds all year round, until `changeOffset`. */
  readonly utcOffsetMinutes: number;
  /** Of its error log; English by default. The errors of the model are always English. */
  readonly language?: 'German';
  /** Availability groups are switched on. */
  readonly isHadrEnabled?: boolean;
  readonly recoveryIntervalMinutes: number;
  /** Trace flags given at start-up with -T; none by default. */
  readonly traceFlags?: readonly number[];
  /**
   * Indirect checkpoints write as much of the same work as automatic ones. By default they write more, as published
   * (docs/facts.md, SQL Server 1).
   */
  readonly indirectWrites?: 'same';
  /** Start-up option -k: the most MB a second that checkpoints write; without a limit by default. */
  readonly checkpointMbPerSecond?: number;
  /** False: no backup jobs, ever. */
  readonly hasBackups?: boolean;
  /** Days from one night with full backups to the next; 1 by default. */
  readonly fullBackupDays?: number;
  /** Minute of the hour at which a job makes differential backups; no such job by default. */
  readonly differentialAtMinute?: number;
  /** Now and then a login fails, between other entries of the error log. */
  readonly hasFailedLogins?: boolean;
  readonly logDirectory: string;
  /** URLs of blob containers for which the server has a credential of that name. */
  readonly blobContainers?: readonly string[];
  readonly backupDirectory: string;
  readonly volumes: readonly VolumeDescription[];
  /** Share of the big checkpoints during which the storage stands still for more than 15 seconds; 0 by default. */
  readonly stallShare?: number;
  /** How long the server has been up when the model begins. */
  readonly upMs: number;
}

/** An event session that exists when the model begins. */
export interface ForeignSession {
  readonly definition: EventSessionDefinition;
  /** The database of a session ON DATABASE. */
  readonly database?: string;
  readonly state: 'running' | 'stopped';
  /** Virtual milliseconds after which its owner stops it, if it runs: its files stay. */
  readonly stopsAfterMs?: number;
}

/** All that a modelled server is made of. Depends only on the seed and the options. */
export interface Scenario {
  readonly name: string;
  readonly server: ServerDescription;
  readonly databases: readonly DatabaseDescription[];
  /** Event sessions that somebody has made, besides those of the installation. */
  readonly eventSessions?: readonly ForeignSession[];
  /** Further servers, and what they share. */
  readonly landscape?: LandscapeDescription;
}

/** A server that somebody registered here, as a central management server. */
export interface RegisteredServer {
  /** From the outermost on, with `/` between; '' outside of groups. */
  readonly group: string;
  readonly name: string;
  /** Its address. */
  readonly server: string;
}

/** Servers besides the scenario's own, and the availability groups that they share. */
export interface LandscapeDescription {
  readonly others: readonly Scenario[];
  readonly groups: readonly GroupDescription[];
  readonly distributed: readonly DistributedGroupDescription[];
}

/** Options of every scenario. */
export interface ScenarioOptions {
  /** Another release than the scenario's own. */
  readonly release?: Release;
  /** Another number of user databases than the scenario's own, in the same proportions. */
  readonly databases?: number;
  /**
   * Start-up options of the service, besides those of the scenario. Microsoft Learn, "Database Engine Service startup
   * options".
   */
  readonly startup?: Pick<ServerDescription, 'traceFlags' | 'checkpointMbPerSecond'>;
  readonly history?: Pick<ServerDescription, 'indirectWrites'>;
  /** Where in the world it is. */
  readonly place?: Partial<Pick<ServerDescription, 'utcOffsetMinutes' | 'language'>>;
}

export type MakeScenario = (random: Random, options: ScenarioOptions) => Scenario;
