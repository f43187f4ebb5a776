import { findAction } from '../events/event-actions';
import type { DefinedSession } from '../events/event-sessions';
import type { RunningSession } from '../events/event-session';
import type { World } from '../world/world';
import { DATABASE_SCOPE, SERVER_SCOPE, packageGuid, type Scope } from './event-sessions';
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
  since,
  uniqueidentifier,
  varbinary,
  type Field,
} from './relation';

interface Running {
  readonly world: World;
  readonly defined: DefinedSession;
  readonly running: RunningSession;
}

type ListRunning = (world: World, asked: Asked) => readonly Running[];

function listRunning(scope: Scope): ListRunning {
  return (world, asked) =>
    scope.list(world, asked).flatMap((defined) => (defined.running === undefined ? [] : [{ world, defined, running: defined.running }]));
}

/** A different address for each run, as varbinary(8). */
function addressOf({ defined, running }: Running): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, defined.id);
  view.setUint32(4, Math.floor(running.startedUs / 1000) % 0xffff_ffff);
  return bytes;
}

function sourceOf({ world, defined }: Running): string {
  return defined.databaseId === undefined ? 'server' : (world.databases.byId(defined.databaseId)?.name ?? '');
}

/** Microsoft Learn, "sys.dm_xe_sessions" and "sys.dm_xe_database_sessions". create_time is assumed to be local time: not documented. */
const SESSIONS: readonly Field<Running>[] = [
  need('address', varbinary(8), addressOf),
  need('name', nvarchar(256), (r) => r.defined.definition.name),
  need('pending_buffers', int, (r) => r.running.waitingBuffers),
  need('total_regular_buffers', int, (r) => r.running.options.buffers),
  need('regular_buffer_size', bigint, (r) => BigInt(r.running.options.bufferBytes)),
  need('total_large_buffers', int, () => 0),
  need('large_buffer_size', bigint, () => 0n),
  need('total_buffer_size', bigint, (r) => BigInt(r.running.options.bufferBytes * r.running.options.buffers)),
  need('buffer_policy_flags', int, () => 0),
  // The words of servers, not of the documentation ("Drop event").
  need('buffer_policy_desc', nvarchar(256), () => 'drop_event'),
  need('flags', int, () => 1),
  need('flag_desc', nvarchar(256), () => 'flush_on_close'),
  need('dropped_event_count', int, (r) => r.running.droppedEvents),
  need('dropped_buffer_count', int, () => 0),
  need('blocked_event_fire_time', int, () => 0),
  need('create_time', datetime, (r) => r.world.clock.localMoment(r.running.startedUs)),
  need('largest_event_dropped_size', int, (r) => r.running.largestDroppedBytes),
  need('session_source', nvarchar(256), sourceOf),
  ...since(
    2017,
    need<Running>('buffer_processed_count', bigint, (r) => BigInt(r.running.buffersProcessed)),
    need<Running>('buffer_full_count', bigint, (r) => BigInt(r.running.buffersFilled)),
    need<Running>('total_bytes_generated', bigint, (r) => BigInt(r.running.files.length > 0 ? r.running.bytesGenerated : 0)),
  ),
  ...since(
    2019,
    need<Running>('total_target_memory', bigint, (r) => BigInt(r.running.rings.reduce((sum, ring) => sum + ring.memoryUsed, 0))),
  ),
];

interface Target {
  readonly of: Running;
  readonly name: string;
  readonly data: () => string;
  readonly bytesWritten: number;
  readonly executions: number;
}

/** Reading the targets makes the server first write what is buffered. Microsoft Learn, "sys.dm_xe_session_targets", remarks. */
const listTargets = (list: ListRunning) => (world: World, asked: Asked) => {
  const running = list(world, asked);
  running.forEach((each) => each.running.flush(asked.nowUs));
  return running.flatMap((of): Target[] => [
    ...of.running.files.map((file) => ({
      of,
      name: 'event_file',
      data: () =>
        `<EventFileTarget truncated="0"><Buffers logged="${file.buffersLogged}" dropped="0"/><File name="${escapeAttribute(file.path)}"/></EventFileTarget>`,
      bytesWritten: file.bytesWritten,
      executions: file.buffersLogged,
    })),
    ...of.running.rings.map((ring) => ({
      of,
      name: 'ring_buffer',
      data: () => ring.makeTargetData(world.xml),
      bytesWritten: 0,
      executions: ring.writes,
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
  need('target_package_guid', uniqueidentifier, () => packageGuid('package0')),
  need('execution_count', bigint, (t) => BigInt(t.executions)),
  need('execution_duration_ms', bigint, (t) => BigInt(t.executions)),
  field('target_data', nvarcharMax, (t) => t.data()),
  ...since(
    2017,
    need<Target>('bytes_written', bigint, (t) => BigInt(t.bytesWritten)),
  ),
  ...only(
    ['azure-sql-database'],
    need<Target>('failed_buffer_count', bigint, () => 0n),
  ),
];

interface Event {
  readonly of: Running;
  readonly name: string;
  readonly package: string;
  readonly predicate: string | null;
}

const listEvents = (of: Running): readonly Event[] =>
  of.defined.definition.events.map(({ name, package: owner, predicateText }) => ({
    of,
    name: name.toLowerCase(),
    package: owner.toLowerCase(),
    predicate: predicateText ?? null,
  }));

/** Microsoft Learn, "sys.dm_xe_session_events". */
const EVENTS: readonly Field<Event>[] = [
  need('event_session_address', varbinary(8), (e) => addressOf(e.of)),
  need('event_name', nvarchar(256), (e) => e.name),
  need('event_package_guid', uniqueidentifier, (e) => packageGuid(e.package)),
  field('event_predicate', nvarchar(3072), (e) => e.predicate),
];

interface Action {
  readonly of: Running;
  readonly event: { readonly package: string; readonly name: string };
  readonly action: { readonly package: string; readonly name: string };
}

const listActions = (of: Running): readonly Action[] =>
  of.defined.definition.events.flatMap((event) =>
    event.actions.flatMap((written) => {
      const action = findAction(written);
      return action === undefined ? [] : [{ of, event, action }];
    }),
  );

/** Microsoft Learn, "sys.dm_xe_session_event_actions". */
const ACTIONS: readonly Field<Action>[] = [
  need('event_session_address', varbinary(8), (a) => addressOf(a.of)),
  need('action_name', nvarchar(256), (a) => a.action.name),
  need('action_package_guid', uniqueidentifier, (a) => packageGuid(a.action.package)),
  need('event_name', nvarchar(256), (a) => a.event.name),
  need('event_package_guid', uniqueidentifier, (a) => packageGuid(a.event.package)),
];

interface Option {
  readonly of: Running;
  readonly target: string;
  readonly name: string;
  readonly id: number;
  readonly value: string;
}

const listOptions = (of: Running): readonly Option[] =>
  of.defined.definition.targets.flatMap((target) =>
    Object.entries(target.options).map(([name, value], id) => ({
      of,
      target: target.name.toLowerCase(),
      name: name.toLowerCase(),
      id,
      value: String(value),
    })),
  );

/** Microsoft Learn, "sys.dm_xe_session_object_columns": the options of targets, as written. */
const OPTIONS: readonly Field<Option>[] = [
  need('event_session_address', varbinary(8), (o) => addressOf(o.of)),
  need('column_name', nvarchar(256), (o) => o.name),
  need('column_id', int, (o) => o.id),
  field('column_value', nvarchar(3072), (o) => o.value),
  need('object_type', nvarchar(60), () => 'target'),
  need('object_name', nvarchar(256), (o) => o.target),
  need('object_package_guid', uniqueidentifier, () => packageGuid('package0')),
];

function makeViews(scope: Scope): readonly CatalogObject[] {
  const prefix = scope.name === 'server' ? 'sys.dm_xe_session' : 'sys.dm_xe_database_session';
  const options = { ...STATE, presence: scope.presence };
  const list = listRunning(scope);
  const ofEach =
    <T>(read: (running: Running) => readonly T[]) =>
    (world: World, asked: Asked): readonly T[] =>
      list(world, asked).flatMap(read);
  return [
    view(`${prefix}s`, SESSIONS, list, options),
    view(`${prefix}_targets`, TARGETS, listTargets(list), options),
    view(`${prefix}_events`, EVENTS, ofEach(listEvents), options),
    view(`${prefix}_event_actions`, ACTIONS, ofEach(listActions), options),
    view(`${prefix}_object_columns`, OPTIONS, ofEach(listOptions), options),
  ];
}

export const RUNNING_SESSION_OBJECTS: readonly CatalogObject[] = [...makeViews(SERVER_SCOPE), ...makeViews(DATABASE_SCOPE)];
