import type { DefinedSession } from '../events/event-sessions';
import type { RunningSession } from '../events/event-session';
import type { World } from '../world/world';
import { DATABASE_SCOPE, SERVER_SCOPE, type Scope } from './event-sessions';
import { STATE, view, type Asked, type CatalogObject } from './object';
import {
  bigint,
  datetime,
  field,
  int,
  need,
  nvarchar,
  nvarcharMax,
  only,
  varbinary,
  type Field,
  unmodelled,
} from './relation';

interface Running {
  readonly world: World;
  readonly defined: DefinedSession;
  readonly running: RunningSession;
}

type ListRunning = (world: World, asked: Asked) => readonly Running[];

function listRunning(scope: Scope): ListRunning {
  return (world, asked) =>
    scope
      .list(world, asked)
      .flatMap((defined) =>
        defined.running === undefined ? [] : [{ world, defined, running: defined.running }],
      );
}

/** A different address for each run, as varbinary(8). */
function addressOf({ defined, running }: Running): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, defined.id);
  view.setUint32(4, Math.floor(running.startedUs / 1000) % 0xffff_ffff);
  return bytes;
}

/**
 * Microsoft Learn, "sys.dm_xe_sessions" and "sys.dm_xe_database_sessions". create_time is assumed to be local time: not
 * documented.
 */
const SESSIONS: readonly Field<Running>[] = [
  need('address', varbinary(8), addressOf),
  need('name', nvarchar(256), (r) => r.defined.definition.name),
  need('total_buffer_size', bigint, (r) => BigInt(r.running.options.bufferBytes * r.running.options.buffers)),
  need('dropped_event_count', int, (r) => r.running.droppedEvents),
  need('dropped_buffer_count', int, () => 0),
  need('create_time', datetime, (r) => r.world.clock.localMoment(r.running.startedUs)),
  ...unmodelled(`pending_buffers total_regular_buffers regular_buffer_size total_large_buffers large_buffer_size buffer_policy_flags
    buffer_policy_desc flags flag_desc blocked_event_fire_time largest_event_dropped_size session_source 2017
    buffer_processed_count buffer_full_count total_bytes_generated 2019 total_target_memory`),
];

interface Target {
  readonly of: Running;
  readonly name: string;
  readonly data: () => string;
}

/**
 * Reading the targets makes the server first write what is buffered. Microsoft Learn, "sys.dm_xe_session_targets",
 * remarks.
 */
const listTargets = (list: ListRunning) => (world: World, asked: Asked) => {
  const running = list(world, asked);
  running.forEach((each) => each.running.flush(asked.nowUs));
  return running.flatMap((of): Target[] => [
    ...of.running.files.map((file) => ({
      of,
      name: 'event_file',
      data: () =>
        `<EventFileTarget truncated="0"><Buffers logged="${file.buffersLogged}" dropped="0"/><File name="${escapeAttribute(file.path)}"/></EventFileTarget>`,
    })),
    ...of.running.rings.map((ring) => ({
      of,
      name: 'ring_buffer',
      data: () => ring.makeTargetData(world.xml),
    })),
  ]);
};

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

/** Microsoft Learn, "sys.dm_xe_session_targets". */
const TARGETS: readonly Field<Target>[] = [
  need('event_session_address', varbinary(8), (t) => addressOf(t.of)),
  need('target_name', nvarchar(256), (t) => t.name),
  field('target_data', nvarcharMax, (t) => t.data()),
  ...unmodelled('target_package_guid execution_count execution_duration_ms 2017 bytes_written'),
  ...only(['azure-sql-database'], ...unmodelled('failed_buffer_count')),
];

function makeViews(scope: Scope): readonly CatalogObject[] {
  const prefix = scope.name === 'server' ? 'sys.dm_xe_session' : 'sys.dm_xe_database_session';
  const options = { ...STATE, presence: scope.presence };
  const list = listRunning(scope);
  return [
    view(`${prefix}s`, SESSIONS, list, options),
    view(`${prefix}_targets`, TARGETS, listTargets(list), options),
  ];
}

export const RUNNING_SESSION_OBJECTS: readonly CatalogObject[] = [
  ...makeViews(SERVER_SCOPE),
  ...makeViews(DATABASE_SCOPE),
];
