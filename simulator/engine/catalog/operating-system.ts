import { findHostSystem, type HostSystem } from '../../scenarios/host-system';
import type { World } from '../world/world';
import type { WriteWork } from '../databases/write-work';
import { STATE, view, CONSTANT, type CatalogObject } from './object';
import { INSTANCES } from '../../scenarios/platform';
import { bigint, datetime, field, int, need, nvarchar, real, since, until, type Field } from './relation';

interface System {
  readonly world: World;
  readonly nowUs: number;
  readonly upMs: number;
}

const big = (name: string, value: (system: System) => number): Field<System> =>
  need(name, bigint, (system) => BigInt(Math.floor(value(system))));
const whole = (name: string, value: (system: System) => number): Field<System> => need(name, int, value);
const text = (name: string, value: string): Field<System> => need(name, nvarchar(60), () => value);
const server = (system: System) => system.world.scenario.server;
/** Milliseconds between the machine's start and the instance's first. */
const MACHINE_LEAD_MS = 95_000;

const MEMORY_MODEL = [whole('sql_memory_model', () => 2), text('sql_memory_model_desc', 'LOCK_PAGES')];

/** Microsoft Learn, "sys.dm_os_sys_info", with its "Applies to": sql_memory_model came with 2012 SP4 and 2016 SP1, not with 2014; sockets with 2016 SP2. */
const SYS_INFO: readonly Field<System>[] = [
  big('cpu_ticks', (s) => (s.upMs + MACHINE_LEAD_MS) * 2_600_000),
  big('ms_ticks', (s) => s.upMs + MACHINE_LEAD_MS),
  whole('cpu_count', (s) => server(s).cpuCount),
  whole('hyperthread_ratio', (s) => server(s).cpuCount / 2),
  big('physical_memory_kb', (s) => server(s).physicalMemoryMb * 1024),
  big('virtual_memory_kb', () => 137_438_953_344),
  big('committed_kb', (s) => server(s).maxServerMemoryMb * 1024),
  big('committed_target_kb', (s) => server(s).maxServerMemoryMb * 1024),
  big('visible_target_kb', (s) => server(s).maxServerMemoryMb * 1024),
  whole('stack_size_in_bytes', () => 2_093_056),
  big('os_quantum', () => 4),
  whole('os_error_mode', () => 5),
  whole('os_priority_class', () => 32),
  whole('max_workers_count', () => 960),
  whole('scheduler_count', (s) => server(s).cpuCount),
  whole('scheduler_total_count', (s) => server(s).cpuCount + 14),
  whole('deadlock_monitor_serial_number', (s) => Math.floor(s.upMs / 5000)),
  big('sqlserver_start_time_ms_ticks', (s) => s.upMs + MACHINE_LEAD_MS - (s.nowUs - s.world.uptime.startedUs) / 1000),
  need('sqlserver_start_time', datetime, (s) => s.world.clock.localMoment(s.world.uptime.startedUs)),
  whole('affinity_type', () => 2),
  text('affinity_type_desc', 'AUTO'),
  big('process_kernel_time_ms', (s) => s.upMs * 0.4),
  big('process_user_time_ms', (s) => s.upMs * 6.1),
  whole('time_source', () => 0),
  text('time_source_desc', 'QUERY_PERFORMANCE_COUNTER'),
  whole('virtual_machine_type', () => 1),
  text('virtual_machine_type_desc', 'HYPERVISOR'),
  ...since(
    2016,
    whole('softnuma_configuration', () => 1),
    text('softnuma_configuration_desc', 'ON'),
  ),
  ...since(
    2017,
    need('process_physical_affinity', nvarchar(3072), () => '{{0,ffffffff}}'),
  ),
  ...until(2012, ...MEMORY_MODEL),
  ...since(
    2016,
    ...MEMORY_MODEL,
    whole('socket_count', () => 2),
    whole('cores_per_socket', (s) => server(s).cpuCount / 2),
    whole('numa_node_count', () => 4),
  ),
  ...since(
    2019,
    whole('container_type', () => 0),
    text('container_type_desc', 'NONE'),
  ),
];

/** Microsoft Learn, "sys.dm_os_host_info"; the product also has host_architecture (seen in 2025). */
const HOST_INFO: readonly Field<HostSystem>[] = [
  need('host_platform', nvarchar(256), (host) => host.platform),
  need('host_distribution', nvarchar(256), (host) => host.distribution),
  need('host_release', nvarchar(256), (host) => host.release),
  need('host_service_pack_level', nvarchar(256), () => ''),
  field('host_sku', int, (host) => host.sku),
  need('os_language_version', int, () => 1033),
  ...since(
    2025,
    need('host_architecture', nvarchar(256), () => 'X64'),
  ),
];

interface Wait {
  readonly type: string;
  readonly tasks: number;
  readonly waitMs: number;
  readonly mostMs: number;
  readonly signalMs: number;
}

/** The longest that a log write has waited, except for storage that stood still. The model's choice. */
const LONGEST_LOG_WAIT_MS = 1_873;
/** The longest that a read waits. The model's choice. */
const LONGEST_READ_MS = 840;

/** The checkpoint task waits for work no longer than this at a time, then waits again. The model's choice. */
const LONGEST_QUEUE_WAIT_MS = 60_000;

/** For how long the checkpoint task has waited for work by now, in milliseconds; 0: it works. */
function waitsForWork({ checkpointer, startUs }: World, nowUs: number): number {
  const { idleUs } = checkpointer.automaticWork(nowUs);
  return Math.floor(Math.min(idleUs, nowUs - startUs) / 1000) % LONGEST_QUEUE_WAIT_MS;
}

/** Microsoft Learn, "sys.dm_os_waiting_tasks". Of all that wait only the checkpoint task is told. */
const WAITING: readonly Field<number>[] = [
  need('wait_type', nvarchar(60), () => 'CHECKPOINT_QUEUE'),
  need('wait_duration_ms', bigint, (waitingMs) => BigInt(waitingMs)),
];

function listWaits(world: World, nowUs: number): readonly Wait[] {
  const { server } = world.scenario;
  const upMs = (nowUs - world.startUs) / 1000 + server.upMs;
  const works = [...world.works.values()];
  const all = works.map((work) => work.at(nowUs));
  const sum = (of: (work: WriteWork) => number): number => all.reduce((total, work) => total + of(work), 0);
  const [transactions, reads] = [sum((work) => work.transactions), sum((work) => work.reads)];
  const { busyUs, begun } = world.checkpointer.automaticWork(nowUs);
  const waitingMs = waitsForWork(world, nowUs);
  const wait = (type: string, tasks: number, waitMs: number, mostMs: number, signalShare = 0): Wait => {
    const ms = Math.floor(waitMs);
    return { type, tasks: Math.floor(tasks), waitMs: ms, mostMs: Math.min(ms, Math.ceil(mostMs)), signalMs: Math.floor(ms * signalShare) };
  };
  const background = (type: string, periodMs: number): Wait => wait(type, upMs / periodMs, upMs, periodMs * 1.2);
  /** Waits whose number and length follow the work. */
  const steady = (type: string, perTransaction: number, msEach: number): Wait =>
    wait(type, transactions * perTransaction, transactions * perTransaction * msEach, msEach * 400, 0.05);
  const longestLogMs = works.reduce((most, work) => Math.max(most, work.longestLogStallMs), LONGEST_LOG_WAIT_MS);
  return [
    wait(
      'WRITELOG',
      transactions,
      sum((work) => work.logStallMs),
      longestLogMs,
      0.02,
    ),
    wait(
      'PAGEIOLATCH_SH',
      reads,
      sum((work) => work.readStallMs),
      LONGEST_READ_MS,
    ),
    steady('PAGEIOLATCH_EX', 0.02, 2.4),
    steady('SOS_SCHEDULER_YIELD', 1.2, 0.1),
    steady('ASYNC_NETWORK_IO', 0.3, 1.3),
    steady('CXPACKET', 0.1, 4.2),
    steady('LCK_M_X', 0.002, 35),
    steady('BACKUPIO', 0.01, 5),
    // The checkpoint task waits here while it has nothing to do. The wait that is going on is not among them yet.
    wait('CHECKPOINT_QUEUE', begun + upMs / LONGEST_QUEUE_WAIT_MS, upMs - busyUs / 1000 - waitingMs, LONGEST_QUEUE_WAIT_MS),
    background('DIRTY_PAGE_POLL', 100),
    // Only parallel redo on a secondary replica waits for it. The view lists every type, even without a wait.
    ...(server.release >= 2016 ? [wait('DIRTY_PAGE_TABLE_LOCK', 0, 0, 0)] : []),
    background('LAZYWRITER_SLEEP', 1000),
    background('SLEEP_BPOOL_FLUSH', 5),
    background('XE_DISPATCHER_WAIT', 5000),
    background('XE_TIMER_EVENT', 5000),
  ];
}

const count = (name: string, value: (wait: Wait) => number): Field<Wait> => need(name, bigint, (wait) => BigInt(value(wait)));

/** Microsoft Learn, "sys.dm_os_wait_stats". WRITELOG, PAGEIOLATCH_SH and CHECKPOINT_QUEUE follow physics.ts; the others grow with transactions or time. */
const WAITS: readonly Field<Wait>[] = [
  need('wait_type', nvarchar(60), (wait) => wait.type),
  count('waiting_tasks_count', (wait) => wait.tasks),
  count('wait_time_ms', (wait) => wait.waitMs),
  count('max_wait_time_ms', (wait) => wait.mostMs),
  count('signal_wait_time_ms', (wait) => wait.signalMs),
];

interface Spinlock {
  readonly name: string;
  readonly collisions: number;
}

/** Spins of one collision, and how rarely it backs off. The model's choice. */
const SPINS_PER_COLLISION = 250;
const COLLISIONS_PER_BACKOFF = 40;

/** Databases with indirect checkpoints lock their lists of dirty pages: 1 in 10,000 pages meets another thread there. The model's choice. */
function listSpinlocks({ databases, works }: World, nowUs: number): readonly Spinlock[] {
  const pages = databases.all.reduce((sum, { id }) => sum + (works.get(id)?.at(nowUs).backgroundPages ?? 0), 0);
  return [{ name: 'DP_LIST', collisions: Math.floor(pages / 10_000) }];
}

const spinCount = (name: string, value: (lock: Spinlock) => number): Field<Spinlock> =>
  need(name, bigint, (lock) => BigInt(Math.floor(value(lock))));

/** Microsoft Learn, "sys.dm_os_spinlock_stats": one spinlock of its hundreds. */
const SPINLOCKS: readonly Field<Spinlock>[] = [
  need('name', nvarchar(256), ({ name }) => name),
  spinCount('collisions', ({ collisions }) => collisions),
  spinCount('spins', ({ collisions }) => collisions * SPINS_PER_COLLISION),
  need('spins_per_collision', real, ({ collisions }) => (collisions === 0 ? 0 : SPINS_PER_COLLISION)),
  spinCount('sleep_time', () => 0),
  spinCount('backoffs', ({ collisions }) => collisions / COLLISIONS_PER_BACKOFF),
];

export const OPERATING_SYSTEM_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.dm_os_sys_info',
    SYS_INFO,
    (world, { nowUs }) => [{ world, nowUs, upMs: (nowUs - world.startUs) / 1000 + world.scenario.server.upMs }],
    STATE,
  ),
  // Until 2019 public may SELECT it. Microsoft Learn, "sys.dm_os_host_info".
  view('sys.dm_os_host_info', HOST_INFO, ({ scenario }) => [findHostSystem(scenario.server)], {
    ...CONSTANT,
    presence: { since: 2017, until: 2019, on: INSTANCES },
  }),
  view('sys.dm_os_host_info', HOST_INFO, ({ scenario }) => [findHostSystem(scenario.server)], {
    ...CONSTANT,
    ...STATE,
    presence: { since: 2022, on: INSTANCES },
  }),
  view('sys.dm_os_spinlock_stats', SPINLOCKS, (world, { nowUs }) => listSpinlocks(world, nowUs), STATE),
  view('sys.dm_os_wait_stats', WAITS, (world, { nowUs }) => listWaits(world, nowUs), STATE),
  view('sys.dm_os_waiting_tasks', WAITING, (world, { nowUs }) => [waitsForWork(world, nowUs)].filter((waitingMs) => waitingMs > 0), STATE),
];
