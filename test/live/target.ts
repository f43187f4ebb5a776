import type { LoginAddress } from '../e2e/run-script';
import type { LiveSettings } from './settings';
import { openSimulatorTarget } from './simulator-target';
import { openSqlServerTarget } from './sql-server-target';

/** The databases that the tests look at, by what they do. */
export interface LiveDatabases {
  readonly busyAutomatic: readonly [string, string];
  readonly busyIndirect: string;
  readonly idleAutomatic: string;
  /** null where there is none. */
  readonly readOnly: string | null;
}

/** A server with databases that work when they are told to. */
export interface LiveTarget {
  readonly kind: LiveSettings['kind'];
  readonly address: LoginAddress;
  readonly secondary: LoginAddress | undefined;
  readonly databases: LiveDatabases;
  /** Lets the busy databases work for long enough that checkpoints must come. */
  work(): Promise<void>;
  /** A login with CREATE ANY EVENT SESSION and nothing else; undefined where the version has no such permission. */
  creator(): Promise<LoginAddress | undefined>;
  /** Takes away everything that the tests have made. */
  dispose(): Promise<void>;
}

export function openTarget(settings: LiveSettings): Promise<LiveTarget> {
  return settings.kind === 'simulator' ? openSimulatorTarget(settings.release) : openSqlServerTarget(settings.address, settings.secondary);
}
