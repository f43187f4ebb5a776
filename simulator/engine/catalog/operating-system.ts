import { QUIET_LATENCY_MS } from '../physics';
import type { World } from '../world';
import { STATE, view, CONSTANT, type CatalogObject } from './object';
import { bigint, datetime, field, formatMoment, int, need, nvarchar, type Field } from './relation';

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
/** Milliseconds between the machine's start and the instance's. */
const MACHINE_LEAD_MS = 95_000;

/** Microsoft Learn, "sys.dm_os_sys_info". */
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
  big('sqlserver_start_time_ms_ticks', () => MACHINE_LEAD_MS),
  need('sqlserver_start_time', datetime, (s) => formatMoment(s.world.startUs - server(s).upMs * 1000, server(s).utcOffsetMinutes)),
  whole('affinity_type', () => 2),
  text('affinity_type_desc', 'AUTO'),
  big('process_kernel_time_ms', (s) => s.upMs * 0.4),
  big('process_user_time_ms', (s) => s.upMs * 6.1),
  whole('time_source', () => 0),
  text('time_source_desc', 'QUERY_PERFORMANCE_COUNTER'),
  whole('virtual_machine_type', () => 1),
  text('virtual_machine_type_desc', 'HYPERVISOR'),
  whole('softnuma_configuration', () => 1),
  text('softnuma_configuration_desc', 'ON'),
  need('process_physical_affinity', nvarchar(3072), () => '{{0,ffffffff}}'),
  whole('sql_memory_model', () => 2),
  text('sql_memory_model_desc', 'LOCK_PAGES'),
  whole('socket_count', () => 2),
  whole('cores_per_socket', (s) => server(s).cpuCount / 2),
  whole('numa_node_count', () => 4),
  whole('container_type', () => 0),
  text('container_type_desc', 'NONE'),
];

/** Microsoft Learn, "sys.dm_os_host_info". */
const HOST_INFO: readonly Field<null>[] = [
  need('host_platform', nvarchar(256), () => 'Windows'),
  need('host_distribution', nvarchar(256), () => 'Windows Server 2016 Datacenter'),
  need('host_release', nvarchar(256), () => '6.3'),
  need('host_service_pack_level', nvarchar(256), () => ''),
  field('host_sku', int, () => 8),
  need('os_language_version', int, () => 1033),
];

interface Wait {
  readonly type: string;
  readonly tasks: number;
  readonly waitMs: number;
  readonly mostMs: number;
  readonly signalMs: number;
}

function listWaits(world: World, nowUs: number): readonly Wait[] {
  const elapsedMs = (nowUs - world.startUs) / 1000;
  const upMs = elapsedMs + world.scenario.server.upMs;
  const all = [...world.works.values()].map((work) => work.at(nowUs));
  const transactions = all.reduce((sum, work) => sum + work.transactions, 0);
  const logWaitMs = all.reduce((sum, work) => sum + work.logStallMs, 0);
  const background = (type: string, periodMs: number): Wait => ({
    type,
    tasks: Math.floor(upMs / periodMs),
    waitMs: Math.floor(upMs),
    mostMs: Math.floor(periodMs * 1.2),
    signalMs: 0,
  });
  const steady = (type: string, tasksPerMs: number, msPerTask: number): Wait => ({
    type,
    tasks: Math.floor(upMs * tasksPerMs),
    waitMs: Math.floor(upMs * tasksPerMs * msPerTask),
    mostMs: Math.ceil(msPerTask * 400),
    signalMs: Math.floor(upMs * tasksPerMs * msPerTask * 0.05),
  });
  return [
    // What was waited for before the model began is the quiet rate alone.
    {
      type: 'WRITELOG',
      tasks: transactions + Math.floor(world.scenario.server.upMs),
      waitMs: logWaitMs + Math.floor(world.scenario.server.upMs * QUIET_LATENCY_MS),
      mostMs: 1_873,
      signalMs: Math.floor(transactions * 0.02),
    },
    steady('PAGEIOLATCH_SH', 0.4, 2.1),
    steady('PAGEIOLATCH_EX', 0.05, 2.4),
    steady('SOS_SCHEDULER_YIELD', 2.5, 0.1),
    steady('ASYNC_NETWORK_IO', 0.6, 1.3),
    steady('CXPACKET', 0.2, 4.2),
    steady('LCK_M_X', 0.004, 35),
    steady('BACKUPIO', 0.03, 5),
    background('CHECKPOINT_QUEUE', 900),
    background('DIRTY_PAGE_POLL', 100),
    background('LAZYWRITER_SLEEP', 1000),
    background('SLEEP_BPOOL_FLUSH', 5),
    background('XE_DISPATCHER_WAIT', 5000),
    background('XE_TIMER_EVENT', 5000),
  ];
}

const count = (name: string, value: (wait: Wait) => number): Field<Wait> => need(name, bigint, (wait) => BigInt(value(wait)));

/** Microsoft Learn, "sys.dm_os_wait_stats". Only WRITELOG follows the model's physics; the others grow steadily. */
const WAITS: readonly Field<Wait>[] = [
  need('wait_type', nvarchar(60), (wait) => wait.type),
  count('waiting_tasks_count', (wait) => wait.tasks),
  count('wait_time_ms', (wait) => wait.waitMs),
  count('max_wait_time_ms', (wait) => wait.mostMs),
  count('signal_wait_time_ms', (wait) => wait.signalMs),
];

export const OPERATING_SYSTEM_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.dm_os_sys_info',
    SYS_INFO,
    (world, { nowUs }) => [{ world, nowUs, upMs: (nowUs - world.startUs) / 1000 + world.scenario.server.upMs }],
    STATE,
  ),
  // SELECT on it is granted to public. Microsoft Learn, "sys.dm_os_host_info".
  view('sys.dm_os_host_info', HOST_INFO, () => [null], CONSTANT),
  view('sys.dm_os_wait_stats', WAITS, (world, { nowUs }) => listWaits(world, nowUs), STATE),
];
