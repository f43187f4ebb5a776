import type { PolicyInForce } from '../../core/advice/policy';
import type { KeptRecord } from '../../core/capture/capture-record';
import type { ServerAccess } from '../../hosts/host';
import type { BreakerWorld, LoginBreaker } from './login-breaker';

/** Milliseconds between two samples: the instance's is one row, the databases' one row each. */
export interface SamplingIntervals {
  readonly instanceMs: number;
  readonly databasesMs: number;
}

/** A session of ours, as the server's catalog tells it from others. */
export interface StartedSession {
  readonly definitionId: number;
  readonly startedLocalMs: number;
}

/** This installation of the extension, and which sessions are its own. */
export interface Installation {
  /** Eight hexadecimal digits, made once: the files of sessions that an earlier version started bear them. */
  readonly id: string;
  /** The last session that it started on that server. */
  readonly findStarted: (serverName: string) => StartedSession | null;
  readonly keepStarted: (serverName: string, session: StartedSession) => Promise<void>;
}

/** What a monitor is given of the world. */
export interface MonitorSurroundings extends Pick<BreakerWorld, 'schedule' | 'elapsedMs'> {
  readonly access: ServerAccess;
  /** The one of the window: it decides for all servers about logging in again. */
  readonly breaker: LoginBreaker;
  readonly newCaptureId: () => string;
  readonly installation: Installation;
  /** For people; must not be given secrets, and is not. */
  readonly log: { readonly sql: (title: string, text: string) => void; readonly warn: (message: string) => void };
  /** Captures of this server that outlive the editor. */
  readonly captures: {
    /** @throws Error with one sentence */
    readonly keep: (record: KeptRecord) => Promise<void>;
    /** The last one kept of that server, of any where null is given; null where there is none. What can not be read was reported. @throws Error with one sentence */
    readonly recover: (serverName: string | null) => Promise<KeptRecord | null>;
  };
  /** Milliseconds between two reads of the event files while tracking. */
  readonly pollIntervalMs: number;
  /** Milliseconds between two reads of the facts while connected. */
  readonly refreshIntervalMs: number;
  /** How often write work is sampled while checkpoints are followed; null: never. */
  readonly sampling: SamplingIntervals | null;
  /** SHA-256 of a text as UTF-8, in hexadecimal digits, for change records; absent: they say that it was not computed. */
  readonly hash?: (text: string) => string;
  /** Up to which share of the time the checkpoint task counts as free, 0 to 1; absent: the default. */
  readonly busyBound?: () => number;
  /** The policy of the open folders; absent: there is none. */
  readonly policy?: { readonly current: PolicyInForce; onDidChange(listener: () => void): { dispose(): void } };
}
