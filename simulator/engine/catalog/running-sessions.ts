import { findAction, findEvent } from '../event-catalogue';
import type { DefinedSession } from '../event-sessions';
import type { RunningSession } from '../event-session';
import type { World } from '../world';
import { packageGuid } from './event-sessions';
import { STATE, view, type CatalogObject } from './object';
import {
  bigint,
  datetime,
  field,
  formatMoment,
  int,
  need,
  nvarchar,
  nvarcharMax,
  uniqueidentifier,
  varbinary,
  type Field,
} from './relation';

interface Running {
  readonly world: World;
  readonly defined: DefinedSession;
  readonly running: RunningSession;
}

function listRunning(world: World): readonly Running[] {
  return world.sessions.all.flatMap((defined) => (defined.running === undefined ? [] : [{ world, defined, running: defined.running }]));
}

/** An address of its own for each run, as varbinary(8). */
function addressOf({ defined, running }: Running): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, defined.id);
  view.setUint32(4, Math.floor(running.startedUs / 1000) % 0xffff_ffff);
  return bytes;
}

const BUFFERS = 3;
const bufferBytes = (r: Running): number => Math.floor(r.running.bufferBytes);

/** Microsoft Learn, "sys.dm_xe_sessions". create_time is taken to be the server's local time, as other datetime columns are: not documented. */
const SESSIONS: readonly Field<Running>[] = [
  need('address', varbinary(8), addressOf),
  need('name', nvarchar(256), (r) => r.defined.definition.name),
  need('pending_buffers', int, () => 0),
  need('total_regular_buffers', int, () => BUFFERS),
  need('regular_buffer_size', bigint, (r) => BigInt(bufferBytes(r))),
  need('total_large_buffers', int, () => 0),
  need('large_buffer_size', bigint, () => 0n),
  need('total_buffer_size', bigint, (r) => BigInt(bufferBytes(r) * BUFFERS)),
  need('buffer_policy_flags', int, () => 0),
  need('buffer_policy_desc', nvarchar(256), () => 'drop_event'),
  need('flags', int, () => 1),
  need('flag_desc', nvarchar(256), () => 'flush_on_close'),
  need('dropped_event_count', int, () => 0),
  need('dropped_buffer_count', int, () => 0),
  need('blocked_event_fire_time', int, () => 0),
  need('create_time', datetime, (r) => formatMoment(r.running.startedUs, r.world.scenario.server.utcOffsetMinutes)),
  need('largest_event_dropped_size', int, () => 0),
  need('session_source', nvarchar(256), () => 'server'),
  need('buffer_processed_count', bigint, (r) => BigInt(r.running.buffersProcessed)),
  need('buffer_full_count', bigint, (r) => BigInt(r.running.buffersFilled)),
  need('total_bytes_generated', bigint, (r) => BigInt(r.running.bytesGenerated)),
  need('total_target_memory', bigint, () => 0n),
];

interface Target {
  readonly of: Running;
  readonly name: string;
  readonly data: () => string;
  readonly bytesWritten: number;
  readonly executions: number;
}

function listTargets(world: World): readonly Target[] {
  return listRunning(world).flatMap((of) => [
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
}

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
  need('bytes_written', bigint, (t) => BigInt(t.bytesWritten)),
];

interface Event {
  readonly of: Running;
  readonly name: string;
  readonly package: string;
  readonly predicate: string | null;
}

function listEvents(world: World): readonly Event[] {
  return listRunning(world).flatMap((of) =>
    of.defined.definition.events.map((event) => {
      const known = findEvent(event.package, event.name);
      return { of, name: known?.name ?? event.name, package: known?.package ?? event.package, predicate: event.predicateText ?? null };
    }),
  );
}

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

function listActions(world: World): readonly Action[] {
  return listRunning(world).flatMap((of) =>
    of.defined.definition.events.flatMap((event) =>
      event.actions.flatMap((written) => {
        const action = findAction(written);
        return action === undefined ? [] : [{ of, event, action }];
      }),
    ),
  );
}

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

function listOptions(world: World): readonly Option[] {
  return listRunning(world).flatMap((of) =>
    of.defined.definition.targets.flatMap((target) =>
      Object.entries(target.options).map(([name, value], id) => ({
        of,
        target: target.name.toLowerCase(),
        name: name.toLowerCase(),
        id,
        value: String(value),
      })),
    ),
  );
}

/** Microsoft Learn, "sys.dm_xe_session_object_columns": the options of targets as they were written. */
const OPTIONS: readonly Field<Option>[] = [
  need('event_session_address', varbinary(8), (o) => addressOf(o.of)),
  need('column_name', nvarchar(256), (o) => o.name),
  need('column_id', int, (o) => o.id),
  field('column_value', nvarchar(3072), (o) => o.value),
  need('object_type', nvarchar(60), () => 'target'),
  need('object_name', nvarchar(256), (o) => o.target),
  need('object_package_guid', uniqueidentifier, () => packageGuid('package0')),
];

export const RUNNING_SESSION_OBJECTS: readonly CatalogObject[] = [
  view('sys.dm_xe_sessions', SESSIONS, listRunning, STATE),
  view('sys.dm_xe_session_targets', TARGETS, listTargets, STATE),
  view('sys.dm_xe_session_events', EVENTS, listEvents, STATE),
  view('sys.dm_xe_session_event_actions', ACTIONS, listActions, STATE),
  view('sys.dm_xe_session_object_columns', OPTIONS, listOptions, STATE),
];
