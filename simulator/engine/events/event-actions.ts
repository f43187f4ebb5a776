import type { Task } from '../checkpoints/checkpoint-task';
import type { FieldType } from './event-catalogue';

/** The client whose statement runs on the task of an event. */
interface TaskClient {
  readonly login: string;
  readonly hostName: string;
  readonly programName: string;
  /** The text of the batch or call that is running. */
  readonly sqlText: string;
}

/** A task of a client; those of the engine itself have none. */
export interface ClientTask extends Task {
  readonly client: TaskClient;
}

/** What an action needs to know beyond its event. */
export interface XmlContext {
  /** What the server's clock showed at a moment. */
  readonly shownUs: (atUs: number) => number;
  readonly serverName: string;
  databaseName(id: number): string;
}

export type ActionValue = number | string | boolean;

/**
 * An action or a global predicate source. Both are about the task of the event, never about the checkpoint.
 * docs/facts.md, SQL Server 3.
 */
export interface CatalogueAction {
  readonly package: string;
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
  /** A value that is the same for every event of a task. */
  readonly ofTask?: (task: Task, context: XmlContext) => ActionValue;
  /** A value of each single event: it is kept with the event. */
  readonly ofEvent?: (event: { readonly number: number }) => ActionValue;
  /** Whether it is a global predicate source too. */
  readonly isSource: boolean;
}

/** The highest session id of the engine's own tasks. */
const LAST_SYSTEM_SESSION = 50;

const clientOf = (task: Task): TaskClient | undefined =>
  'client' in task ? (task as ClientTask).client : undefined;

type OfTask = NonNullable<CatalogueAction['ofTask']>;

const server = (name: string, type: FieldType, description: string, ofTask: OfTask): CatalogueAction => ({
  package: 'sqlserver',
  name,
  type,
  description,
  ofTask,
  isSource: true,
});

/**
 * An action about the client: empty for background tasks, which have none. The model's choice: no published event shows
 * it.
 */
const ofClient = (name: string, description: string, read: (client: TaskClient) => string): CatalogueAction =>
  server(name, 'unicode_string', description, (task) => {
    const client = clientOf(task);
    return client === undefined ? '' : read(client);
  });

export const ACTIONS: readonly CatalogueAction[] = [
  server('session_id', 'uint16', 'Collect session ID', (task) => task.sessionId),
  server('database_id', 'uint16', 'Collect database ID', (task) => task.contextDatabaseId),
  server('database_name', 'unicode_string', 'Collect current database name', (task, context) =>
    context.databaseName(task.contextDatabaseId),
  ),
  server(
    'server_instance_name',
    'unicode_string',
    'Collect the name of the Server instance',
    (_task, context) => context.serverName,
  ),
  server(
    'is_system',
    'boolean',
    'Collect whether current session is system',
    (task) => task.sessionId <= LAST_SYSTEM_SESSION,
  ),
  server('request_id', 'uint32', 'Collect current request ID', () => 0),
  ofClient('client_app_name', 'Collect client application name', (client) => client.programName),
  ofClient('client_hostname', 'Collect client hostname', (client) => client.hostName),
  ofClient('username', 'Collect username', (client) => client.login),
  ofClient(
    'server_principal_name',
    'Collects the name of the Server Principal in whose context the event is being fired',
    (client) => client.login,
  ),
  ofClient('nt_username', 'Collect NT username', () => ''),
  ofClient('sql_text', 'Collect SQL text', (client) => client.sqlText),
  {
    package: 'package0',
    name: 'event_sequence',
    type: 'uint64',
    description: 'Collect event sequence number',
    ofEvent: ({ number }) => number,
    isSource: false,
  },
];

/** `package.name` or the bare name, without brackets, in lower case. */
function splitName(written: string): readonly [packageName: string | undefined, name: string] {
  const parts = written.replace(/[[\]]/g, '').toLowerCase().split('.');
  return [parts.length > 1 ? parts[parts.length - 2] : undefined, parts[parts.length - 1] ?? ''];
}

/** The package and the name of an action as written. */
export function nameAction(written: string): { readonly package: string; readonly name: string } {
  const [packageName, name] = splitName(written);
  return { package: packageName ?? findAction(written)?.package ?? 'sqlserver', name };
}

/** An action as written, `package.name` or the bare name. */
export function findAction(written: string): CatalogueAction | undefined {
  const [packageName, name] = splitName(written);
  return ACTIONS.find(
    (action) => action.name === name && (packageName === undefined || action.package === packageName),
  );
}

/**
 * Two actions that Azure SQL Database refuses by name (25744), as users reported. Which others it lacks is not
 * published.
 */
export const NOT_IN_AZURE_SQL_DATABASE: readonly string[] = ['server_principal_name', 'nt_username'];
