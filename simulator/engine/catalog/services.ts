import type { World } from '../world/world';
import { BOX, INSTANCES } from '../../scenarios/platform';
import { formatMoment } from '../time/clock';
import { need, field, int, nvarchar, since, sqlVariant, until, type Field } from './relation';
import { physicalNames } from '../databases/database-files';
import { view, type CatalogObject } from './object';

interface Service {
  readonly world: World;
  readonly name: string;
  readonly file: string;
  readonly account: string;
}

const SERVICE_MS = 95_000;

function listServices(world: World): readonly Service[] {
  const { server } = world.scenario;
  const binn = server.platform === 'linux' ? '/opt/mssql/bin/' : server.logDirectory.replace(/Log$/i, 'Binn\\');
  const account = (name: string): string => (server.platform === 'linux' ? 'mssql' : `NT Service\\${name}`);
  const suffix = server.platform === 'linux' ? '' : '.exe';
  return [
    { world, name: 'SQL Server (MSSQLSERVER)', file: `${binn}sqlservr${suffix}`, account: account('MSSQLSERVER') },
    { world, name: 'SQL Server Agent (MSSQLSERVER)', file: `${binn}SQLAGENT${suffix.toUpperCase()}`, account: account('SQLSERVERAGENT') },
  ];
}

/** datetimeoffset(7) in local time, as the service manager has it. */
function startedAt({ world }: Service): string {
  const { server } = world.scenario;
  const minutes = server.utcOffsetMinutes;
  const sign = minutes < 0 ? '-' : '+';
  const zone = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${formatMoment(world.startUs - server.upMs * 1000 - SERVICE_MS, minutes)}0000${sign}${zone}`;
}

const fileInitialization = field<Service>('instant_file_initialization_enabled', nvarchar(1), ({ name }) =>
  name.includes('Agent') ? 'N' : 'Y',
);

/** Microsoft Learn, "sys.dm_server_services"; instant_file_initialization_enabled came with 2012 SP4 and 2016 SP1, not with 2014. */
const SERVICES: readonly Field<Service>[] = [
  need('servicename', nvarchar(256), (s) => s.name),
  field('startup_type', int, () => 2),
  need('startup_type_desc', nvarchar(256), () => 'Automatic'),
  field('status', int, () => 4),
  need('status_desc', nvarchar(256), () => 'Running'),
  field('process_id', int, (s) => (s.name.includes('Agent') ? 4996 : 4312)),
  field('last_startup_time', { name: 'datetimeoffset', scale: 7 }, startedAt),
  need('service_account', nvarchar(256), (s) => s.account),
  need('filename', nvarchar(256), (s) => s.file),
  need('is_clustered', nvarchar(1), () => 'N'),
  field('cluster_nodename', nvarchar(256), () => null),
  ...until(2012, fileInitialization),
  ...since(2016, fileInitialization),
];

interface RegistryValue {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** The files of master. */
function listFiles({ databases }: World): readonly string[] {
  const master = databases.byId(1);
  return master === undefined ? [] : physicalNames(master);
}

/** A few of the values that every installation has. */
function listRegistry(world: World): readonly RegistryValue[] {
  const { server } = world.scenario;
  const instance = `HKLM\\Software\\Microsoft\\Microsoft SQL Server\\MSSQL${server.build.version[0]}.MSSQLSERVER\\MSSQLServer`;
  const [major, minor, build] = server.build.version;
  const { traceFlags = [], checkpointMbPerSecond } = server;
  const options = [
    ...traceFlags.map((flag) => `-T${flag}`),
    ...(checkpointMbPerSecond === undefined ? [] : [`-k${checkpointMbPerSecond}`]),
  ];
  const [data = '', log = ''] = listFiles(world);
  const args = [`-d${data}`, `-e${server.logDirectory}\\ERRORLOG`, `-l${log}`, ...options];
  return [
    { key: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\MSSQLSERVER', name: 'ObjectName', value: 'NT Service\\MSSQLSERVER' },
    { key: `${instance}\\CurrentVersion`, name: 'CurrentVersion', value: `${major}.${minor}.${build}.0` },
    ...args.map((value, i) => ({ key: `${instance}\\Parameters`, name: `SQLArg${i}`, value })),
  ];
}

/** Microsoft Learn, "sys.dm_server_registry". */
const REGISTRY: readonly Field<RegistryValue>[] = [
  field('registry_key', nvarchar(256), (r) => r.key),
  field('value_name', nvarchar(256), (r) => r.name),
  field('value_data', sqlVariant, (r) => ({ type: nvarchar(512), value: r.value })),
];

/** Both take VIEW SERVER SECURITY STATE since 2022. */
export const SERVICE_OBJECTS: readonly CatalogObject[] = [
  view('sys.dm_server_services', SERVICES, listServices, { needs: 'VIEW SERVER SECURITY STATE', presence: { on: BOX } }),
  view('sys.dm_server_registry', REGISTRY, (world) => (world.scenario.server.platform === 'linux' ? [] : listRegistry(world)), {
    needs: 'VIEW SERVER SECURITY STATE',
    presence: { on: INSTANCES },
  }),
];
