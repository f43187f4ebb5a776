import type { PolicyInForce } from '../../core/advice/policy';
import type { ServerFacts } from '../../core/advice/server-facts';
import type { ServerCaptures } from '../../captures/server-captures';
import type { ServerAccess } from '../../hosts/host';
import type { AnswerRecorder } from './recorded-answers';
import type { LoginBreaker } from './login-breaker';
import type { Timing } from './slices';

/** Milliseconds between two samples. A sample of the instance is one row, a sample of the databases one row each. */
export interface SamplingIntervals {
  readonly instanceMs: number;
  readonly databasesMs: number;
}

/** A session that this installation made. */
export interface StartedSession {
  /** 32 hexadecimal digits, in its definition on the server. */
  readonly mark: string;
  /** By the server's wall clock; null: that it was started has not been seen. */
  readonly startedLocalMs: number | null;
  /** The number that the server gave its definition: a copy, mark and all, has another. Absent or null: not known. */
  readonly definitionId?: number | null;
}

/** This installation of the extension, and which sessions are its own. */
export interface Installation {
  /** A mark that was never given before, and that only this installation knows. */
  readonly newMark: () => string;
  /** The session that it made with that mark, on whatever server. */
  readonly findStarted: (mark: string) => StartedSession | null;
  readonly keepStarted: (session: StartedSession) => Promise<void>;
}

export interface MonitorSurroundings extends Timing {
  readonly access: ServerAccess;
  /** The one breaker of the window: it decides for all servers about logging in again. */
  readonly breaker: LoginBreaker;
  readonly newCaptureId: () => string;
  readonly installation: Installation;
  /** For people. It never gets a secret. */
  readonly log: {
    readonly sql: (title: string, text: string) => void;
    readonly warn: (message: string) => void;
  };
  /** Captures of this server that outlive the editor. Without `setAside` there is no disk to try one again from. */
  readonly captures: Pick<ServerCaptures, 'keep' | 'recover'> & Partial<Pick<ServerCaptures, 'setAside'>>;
  /** Milliseconds between two reads of the event files while tracking. */
  readonly pollIntervalMs: number;
  /** Milliseconds between two reads of the facts while connected. */
  readonly refreshIntervalMs: number;
  /** How often write work is sampled while tracking; null: never. */
  readonly sampling: SamplingIntervals | null;
  /**
   * SHA-256 of a text as UTF-8, in hexadecimal digits, for change records; absent: the records say that it was not
   * computed.
   */
  readonly hash?: (text: string) => string;
  /** Up to this share of the time, 0 to 1, the checkpoint task counts as free; absent: the default. */
  readonly busyBound?: () => number;
  /** One of `SESSION_DAYS`; absent: the default. */
  readonly sessionDays?: () => number | undefined;
  /** The server is a saved capture: its answers are recorded, and nothing can be run. */
  readonly isRecord?: true;
  /**
   * Asked before anything of a server is taken up, and after it has restarted: whether another monitor of the window
   * has the same server. Then this one is disposed. Absent: there is no other.
   */
  readonly isElsewhere?: (server: ServerFacts) => boolean;
  /** Takes what the server answers, for a capture that is being saved; absent: nothing is saved. */
  readonly recorder?: AnswerRecorder;
  /** The policy of the open folders; absent: there is none. */
  readonly policy?: {
    readonly current: PolicyInForce;
    onDidChange(listener: () => void): { dispose(): void };
  };
}
