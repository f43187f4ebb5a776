import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import type { LoginAddress } from '../e2e/query-window';
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

/** What a login may do. */
export type LiveRight = 'VIEW SERVER STATE' | 'db_owner of one database' | 'dbcreator' | 'CREATE ANY EVENT SESSION';

/** A server with databases that work when they are told to. */
export interface LiveTarget {
  readonly kind: LiveSettings['kind'];
  readonly address: LoginAddress;
  readonly secondary: LoginAddress | undefined;
  readonly databases: LiveDatabases;
  /** A database of an availability group whose primary is here; null where there is no group. */
  readonly replicated: string | null;
  /** Lets the busy databases work for long enough that checkpoints must come. */
  work(): Promise<void>;
  /** As many more databases with automatic checkpoints as the target was opened for. */
  many(): Promise<readonly string[]>;
  /** Lets all of those write for a while. */
  workMany(): Promise<void>;
  /** A login that may do this and no more; undefined where there is none. */
  login(may: LiveRight): Promise<LoginAddress | undefined>;
  /** Takes away everything that the tests have made. */
  dispose(): Promise<void>;
}

/** @param manyCount how many databases `many` gives */
export function openTarget(settings: LiveSettings, manyCount = 0): Promise<LiveTarget> {
  return settings.kind === 'simulator'
    ? openSimulatorTarget(settings.release, manyCount)
    : openSqlServerTarget(settings.address, settings.secondary, manyCount);
}

/** Writes a report of what was seen to `artifacts/live`. Gives the file. */
export function writeReport({ kind }: LiveSettings, name: string, lines: readonly string[]): string {
  const folder = join(root, 'artifacts', 'live');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${kind.replace(' ', '-')}-${name}.md`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** What this server cannot answer is counted as skipped, with the reason in its name, and is neither right nor wrong. */
export function skip(context: Mocha.Context, why: string): never {
  if (context.test) context.test.title += ` (not observable: ${why})`;
  return context.skip();
}
