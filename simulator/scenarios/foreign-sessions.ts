import {
  fileTarget,
  ringTarget,
  type EventDefinition,
  type EventSessionDefinition,
  type Predicate,
} from './event-session';
import type { ForeignSession } from './scenario';

const MINUTE_MS = 60_000;

function watch(
  actions: readonly string[],
  more: Pick<EventDefinition, 'predicate' | 'predicateText'> = {},
): readonly EventDefinition[] {
  return ['checkpoint_begin', 'checkpoint_end'].map((name) => ({
    package: 'sqlserver',
    name,
    actions,
    ...more,
  }));
}

const define = (
  name: string,
  definition: Omit<EventSessionDefinition, 'name' | 'scope'>,
): EventSessionDefinition => ({ name, scope: 'server', ...definition });

/**
 * Made by hand: without causality (docs/facts.md, SQL Server 3), and with actions that say nothing about a background
 * task.
 */
const FORGOTTEN: EventSessionDefinition = define('DBA checkpoint watch', {
  events: watch([
    'sqlserver.session_id',
    'sqlserver.database_id',
    'sqlserver.sql_text',
    'sqlserver.client_hostname',
  ]),
  targets: [fileTarget({ filename: 'dba_checkpoint_watch.xel', max_file_size: 10 })],
  options: { MAX_DISPATCH_LATENCY: '10 SECONDS', TRACK_CAUSALITY: 'OFF', STARTUP_STATE: 'OFF' },
});

/** Only in memory: gone when it stops. */
const IN_MEMORY: EventSessionDefinition = define('checkpoint_ring', {
  events: watch(['package0.event_sequence']),
  targets: [ringTarget({ max_events_limit: 2000, max_memory: 1024 })],
  options: { MAX_DISPATCH_LATENCY: '3 SECONDS', TRACK_CAUSALITY: 'ON', STARTUP_STATE: 'ON' },
});

const userDatabases: Predicate = {
  kind: 'compare',
  source: 'sqlserver.database_id',
  operator: '>',
  value: 4,
};

/**
 * As the published session has it: `sqlserver.database_id` is the database of the task, not the checkpointed one
 * (docs/facts.md, SQL Server 3).
 */
const WRONG_PREDICATE: EventSessionDefinition = define('user_database_checkpoints', {
  events: watch([], { predicate: userDatabases, predicateText: '([sqlserver].[database_id]>(4))' }),
  targets: [fileTarget({ filename: 'user_database_checkpoints.xel' })],
  options: { TRACK_CAUSALITY: 'OFF', STARTUP_STATE: 'OFF' },
});

/**
 * Sessions that others left on a server: one stopped after three minutes, with its files still there; one that runs in
 * memory; one that captured little.
 */
export const LEFT_BEHIND: readonly ForeignSession[] = [
  { definition: FORGOTTEN, state: 'running', stopsAfterMs: 3 * MINUTE_MS },
  { definition: IN_MEMORY, state: 'running' },
  { definition: WRONG_PREDICATE, state: 'stopped' },
];
