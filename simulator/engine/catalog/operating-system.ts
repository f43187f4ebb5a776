import type { World } from '../world/world';
import type { WriteWork } from '../databases/write-work';
import { STATE, view, type CatalogObject } from './object';
import { bigint, datetime, need, nvarchar, type Field, unmodelled } from './relation';

interface System {
  readonly world: World;
  readonly nowUs: number;
  readonly upMs: number;
}

const big = (name: string, value: (system: System) => number): Field<System> =>
  need(name, bigint, (system) => BigInt(Math.floor(value(system))));
const server = (system: System) => system.world.scenario.server;
/** Milliseconds between the machine's start and the instance's first. */
const MACHINE_LEAD_MS = 95_000;

/** Microsoft Learn, "sys.dm_os_sys_info", with its "Applies to": sql_memory_model came with 2016 SP1, sockets with SP2. */
const SYS_INFO: readonly Field<System>[] = [
  big('ms_ticks', (s) => s.upMs + MACHINE_LEAD_MS),
  big('physical_memory_kb', (s) => server(s).physicalMemoryMb * 1024),
  big('committed_target_kb', (s) => server(s).maxServerMemoryMb * 1024),
  big(
    'sqlserver_start_time_ms_ticks',
    (s) => s.upMs + MACHINE_LEAD_MS - (s.nowUs - s.world.uptime.startedUs) / 1000,
  ),
  need('sqlserver_start_time', datetime, (s) => s.world.clock.localMoment(s.world.uptime.startedUs)),
  ...unmodelled(`cpu_ticks cpu_count hyperthread_ratio virtual_memory_kb committed_kb visible_target_kb stack_size_in_bytes os_quantum
    os_error_mode os_priority_class max_workers_count scheduler_count scheduler_total_count deadlock_monitor_serial_number
    affinity_type affinity_type_desc process_kernel_time_ms process_user_time_ms time_source time_source_desc
    virtual_machine_type virtual_machine_type_desc 2016 sql_memory_model sql_memory_model_desc softnuma_configuration softnuma_configuration_desc socket_count
    cores_per_socket numa_node_count 2017 process_physical_affinity 2019 container_type container_type_desc`),
];

interface Wait {
  readonly type: string;
  readonly tasks: number;
  readonly waitMs: number;
  readonly mostMs: number;
}

function makeWait(type: string, tasks: number, totalMs: number, mostMs: number): Wait {
  const waitMs = Math.floor(totalMs);
  return { type, tasks: Math.floor(tasks), waitMs, mostMs: Math.min(waitMs, Math.ceil(mostMs)) };
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
  const transactions = sum((work) => work.transactions);
  const logStallMs = sum((work) => work.logStallMs);
  const reads = sum((work) => work.reads);
  const readStallMs = sum((work) => work.readStallMs);
  const { busyUs, begun } = world.checkpointer.automaticWork(nowUs);
  const waitingMs = waitsForWork(world, nowUs);
  const background = (type: string, periodMs: number): Wait =>
    makeWait(type, upMs / periodMs, upMs, periodMs * 1.2);
  /** Waits whose number and length follow the work. */
  const steady = (type: string, perTransaction: number, msEach: number): Wait =>
    makeWait(type, transactions * perTransaction, transactions * perTransaction * msEach, msEach * 400);
  const longestLogMs = works.reduce(
    (most, work) => Math.max(most, work.longestLogStallMs),
    LONGEST_LOG_WAIT_MS,
  );
  return [
    makeWait('WRITELOG', transactions, logStallMs, longestLogMs),
    makeWait('PAGEIOLATCH_SH', reads, readStallMs, LONGEST_READ_MS),
    steady('PAGEIOLATCH_EX', 0.02, 2.4),
    steady('SOS_SCHEDULER_YIELD', 1.2, 0.1),
    steady('ASYNC_NETWORK_IO', 0.3, 1.3),
    steady('CXPACKET', 0.1, 4.2),
    steady('LCK_M_X', 0.002, 35),
    steady('BACKUPIO', 0.01, 5),
    // The checkpoint task waits here while it has nothing to do. The wait that is going on is not among them yet.
    makeWait(
      'CHECKPOINT_QUEUE',
      begun + upMs / LONGEST_QUEUE_WAIT_MS,
      upMs - busyUs / 1000 - waitingMs,
      LONGEST_QUEUE_WAIT_MS,
    ),
    background('DIRTY_PAGE_POLL', 100),
    // Only parallel redo on a secondary replica waits for it. The view lists every type, even without a wait.
    ...(server.release >= 2016 ? [makeWait('DIRTY_PAGE_TABLE_LOCK', 0, 0, 0)] : []),
    background('LAZYWRITER_SLEEP', 1000),
    steady('SLEEP_BPOOL_FLUSH', 0.001, 5),
    background('XE_DISPATCHER_WAIT', 5000),
    background('XE_TIMER_EVENT', 5000),
  ];
}

const count = (name: string, value: (wait: Wait) => number): Field<Wait> =>
  need(name, bigint, (wait) => BigInt(value(wait)));

/**
 * Microsoft Learn, "sys.dm_os_wait_stats". WRITELOG, PAGEIOLATCH_SH and CHECKPOINT_QUEUE follow physics.ts; the others
 * grow with transactions or time.
 */
const WAITS: readonly Field<Wait>[] = [
  need('wait_type', nvarchar(60), (wait) => wait.type),
  count('waiting_tasks_count', (wait) => wait.tasks),
  count('wait_time_ms', (wait) => wait.waitMs),
  count('max_wait_time_ms', (wait) => wait.mostMs),
  ...unmodelled('signal_wait_time_ms'),
];

interface Spinlock {
  readonly name: string;
  readonly collisions: number;
}
const COLLISIONS_PER_BACKOFF = 40;

/**
 * Databases with indirect checkpoints lock their lists of dirty pages: 1 in 10,000 pages meets another thread there.
 * The model's choice.
 */
function listSpinlocks({ databases, works }: World, nowUs: number): readonly Spinlock[] {
  const pages = databases.all.reduce(
    (sum, { id }) => sum + (works.get(id)?.at(nowUs).backgroundPages ?? 0),
    0,
  );
  return [{ name: 'DP_LIST', collisions: Math.floor(pages / 10_000) }];
}

const spinCount = (name: string, value: (lock: Spinlock) => number): Field<Spinlock> =>
  need(name, bigint, (lock) => BigInt(Math.floor(value(lock))));

/** Microsoft Learn, "sys.dm_os_spinlock_stats": one spinlock of its hundreds. */
const SPINLOCKS: readonly Field<Spinlock>[] = [
  need('name', nvarchar(256), ({ name }) => name),
  spinCount('backoffs', ({ collisions }) => collisions / COLLISIONS_PER_BACKOFF),
  ...unmodelled('collisions spins spins_per_collision sleep_time'),
];

export const OPERATING_SYSTEM_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.dm_os_sys_info',
    SYS_INFO,
    (world, { nowUs }) => [
      { world, nowUs, upMs: (nowUs - world.startUs) / 1000 + world.scenario.server.upMs },
    ],
    STATE,
  ),
  view('sys.dm_os_spinlock_stats', SPINLOCKS, (world, { nowUs }) => listSpinlocks(world, nowUs), STATE),
  view('sys.dm_os_wait_stats', WAITS, (world, { nowUs }) => listWaits(world, nowUs), STATE),
  view(
    'sys.dm_os_waiting_tasks',
    WAITING,
    (world, { nowUs }) => [waitsForWork(world, nowUs)].filter((waitingMs) => waitingMs > 0),
    STATE,
  ),
];
