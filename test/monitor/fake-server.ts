import {
  type Cell,
  type Connection,
  ConnectionError,
  type Opening,
  type ResultSet,
  type ServerAccess,
} from '../../src/hosts/host';
export { FakeTimers, installationOf, surroundingsOf, through } from './fake-surroundings';

export interface FakeEvent {
  readonly kind: 'begin' | 'end';
  readonly databaseId: number;
  readonly at: string;
  readonly sequence: number;
  /** The buffer that holds it. */
  readonly offset: number;
  /** The file of that buffer; the newest file if none is named. */
  readonly file?: string;
}

const guid = '770C3538-EC3F-4A27-86A9-31A2FC777DBC';
const emptyRing =
  '<RingBufferTarget truncated="0" totalEventsProcessed="0" eventCount="0" droppedCount="0"></RingBufferTarget>';
const ROUGH_PERMISSIONS = { can_view_server_state: '1', can_alter_event_session: '1' };
const FINE_PERMISSIONS = [
  'create_event_session',
  'enable_event_session',
  'disable_event_session',
  'add_session_event',
  'drop_session_event',
  'drop_event_session',
];

/**
 * A server that answers each text of ours by the name in its header. What it knows can be changed between two
 * questions.
 */
export class FakeServer implements ServerAccess {
  readonly id = 'fake';
  readonly label = 'PROD-SQL07';
  readonly account = { key: 'dba', shown: 'login dba' };
  nowUtc = '2026-03-02T08:00:00';
  isHadrEnabled = '0';
  engineEdition = '3';
  /** As an administrator has them before SQL Server 2022, which has finer ones. */
  permissions: Record<string, Cell> = {
    ...Object.fromEntries(
      ['view_performance_state', ...FINE_PERMISSIONS].map((name) => [`can_${name}`, null]),
    ),
    ...ROUGH_PERMISSIONS,
  };
  databases: { id: number; name: string; target: Cell; created?: string }[] = [
    { id: 5, name: 'Sales', target: '0' },
    { id: 6, name: 'Stock', target: '0' },
    { id: 7, name: 'Mail', target: '60' },
  ];
  name = 'PROD-SQL07';
  isDefined = false;
  isRunning = false;
  file: string | null = null;
  startedLocal = '2026-03-02T09:00:00';
  serverStartedLocal = '2026-02-18T04:00:00';
  definitionId = 65_537;
  droppedEvents = 0;
  droppedBuffers = 0;
  predicate: string | null = null;
  mark: string | null = null;
  refusesMark = false;
  hasRing = false;
  hasEnd = '1';
  maxRolloverFiles: Cell = '4';
  /** Free space on the volume of the error log; null: not visible. */
  freeMb: string | null = null;
  errorLogVolume = 'D:\\';
  events: FakeEvent[] = [];
  fileName = 'CheckpointHealth_0_1.xel';
  /** The file that the session says it writes; null: it does not say. */
  currentFile: string | null = null;
  /** Files that are there, and hold nothing. */
  emptyFiles: readonly string[] = [];
  eventColumns: readonly string[] = ['event_name', 'event_data', 'file_name', 'file_offset'];
  /** Thrown instead of the answer to the text of that name; '*': to any text. */
  failures = new Map<string, Error>();
  /** Runs right after the next answer to the text of that name. */
  readonly after = new Map<string, () => void>();
  /** Informational messages that come with the events. */
  notices: readonly number[] = [];
  /** Texts sent, each of one read or of several. */
  queries = 0;
  /** Every read asked for, by name. */
  readonly asked: string[] = [];
  readonly texts: string[] = [];
  /** Never answers; a query ends only by its signal. */
  isSilent = false;
  opened = 0;
  closed = 0;

  async open(opening: Opening): Promise<Connection> {
    const failure = this.failures.get('open');
    if (failure !== undefined) throw failure;
    await opening.turn();
    this.opened++;
    return {
      capabilities: { session: true, parameters: false, errors: true },
      query: (text, { signal, onNotice }) => {
        if (text.includes('checkpoint-events')) this.notices.forEach((number) => onNotice?.(number));
        return this.isSilent ? waitForAbort(signal) : this.answerAll(text);
      },
      close: () => {
        this.closed++;
        return Promise.resolve();
      },
    };
  }

  /** If one read of a text is refused, none of its reads is answered. */
  private async answerAll(text: string): Promise<readonly ResultSet[]> {
    this.queries++;
    const names = /^\/\* Checkpoint Health: (.+) \*\/$/m.exec(text)?.[1]?.split(', ') ?? ['?'];
    if (names.length > 1) for (const name of names) this.refuse(name);
    this.texts.push(text);
    return names.map((name) => this.answerOnce(name, text));
  }

  private refuse(name: string): void {
    const failure = this.failures.get(name) ?? this.failures.get('*');
    if (failure !== undefined) throw failure;
    // This login may not see what is sampled, nor the error log and the backups.
    if (hidden.has(name))
      throw new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300);
  }

  private answerOnce(name: string, text: string): ResultSet {
    this.asked.push(name);
    this.refuse(name);
    const result = this.answer(name, text);
    const happens = this.after.get(name);
    this.after.delete(name);
    happens?.();
    return result;
  }

  private answer(name: string, text: string): ResultSet {
    switch (name) {
      case 'server-facts':
        return this.serverFacts();
      case 'database-facts':
        return this.databaseFacts();
      case 'server-clock':
        return table([{ server_name: this.name, now_utc: this.nowUtc, utc_offset_minutes: '60' }]);
      case 'event-session':
        return this.eventSession();
      case 'event-volume': {
        const volume = { volume_name: this.errorLogVolume, free_mb: this.freeMb };
        return { columns: Object.keys(volume), rows: this.freeMb === null ? [] : [Object.values(volume)] };
      }
      case 'checkpoint-events':
        return this.readEvents(text);
      default:
        return fixedAnswers[name] ?? this.changeSession(name, text);
    }
  }

  private serverFacts(): ResultSet {
    const facts = {
      server_name: this.name,
      product_version: '15.0.4322.2',
      product_level: 'RTM',
      edition: 'Enterprise Edition',
      engine_edition: this.engineEdition,
      is_clustered: '0',
      is_hadr_enabled: this.isHadrEnabled,
      path_separator: '\\',
      login_name: 'dba',
      now_utc: this.nowUtc,
      utc_offset_minutes: '60',
      started_local: this.serverStartedLocal,
      model_target_seconds: '0',
    };
    return table([{ ...facts, ...this.permissions }]);
  }

  private databaseFacts(): ResultSet {
    return table(
      this.databases.map(({ id, name, target, created }) => ({
        database_id: String(id),
        database_name: name,
        target_seconds: target,
        created_local: created ?? '2019-03-01T10:00:00',
        state_name: 'ONLINE',
        is_read_only: '0',
        is_in_standby: '0',
        source_database_id: null,
        recovery_model: 'FULL',
        log_reuse_wait: 'NOTHING',
        updateability: 'READ_WRITE',
        in_availability_group: '0',
      })),
    );
  }

  private eventSession(): ResultSet {
    const whileRunning = (value: string): Cell => (this.isRunning ? value : null);
    const targetData = `<EventFileTarget truncated="0"><File name="${this.currentFile}"/></EventFileTarget>`;
    return table([
      {
        server_name: this.name,
        server_started_local: this.serverStartedLocal,
        targets_sum: String(
          this.databases.reduce((sum, { id, target }) => sum + id * (Number(target) + 1), 0),
        ),
        now_utc: this.nowUtc,
        utc_offset_minutes: '60',
        is_defined: bit(this.isDefined),
        is_running: bit(this.isRunning),
        started_local: whileRunning(this.startedLocal),
        first_started_local: this.serverStartedLocal,
        dropped_events: whileRunning(String(this.droppedEvents)),
        dropped_buffers: whileRunning(String(this.droppedBuffers)),
        buffer_bytes: whileRunning('4194304'),
        definition_id: this.isDefined ? String(this.definitionId) : null,
        tracks_causality: '1',
        dispatch_latency_ms: '5000',
        has_begin: '1',
        has_end: this.hasEnd,
        has_caller: '1',
        begin_predicate: this.predicate,
        end_predicate: this.predicate,
        mark_predicate: this.mark === null ? null : `[user_info]=N'CheckpointHealth-${this.mark}'`,
        configured_file: this.file,
        max_rollover_files: this.maxRolloverFiles,
        max_file_size_mb: '50',
        has_ring: bit(this.hasRing),
        target_data: this.currentFile === null ? null : targetData,
      },
    ]);
  }

  /** As the server does it: in file order, after the buffer that the cursor names. */
  private readEvents(text: string): ResultSet {
    const path = /fn_xe_file_target_read_file\s+\(\s+N'([^']*)'/.exec(text)?.[1] ?? '';
    const files = [
      ...new Set([
        ...this.emptyFiles,
        ...this.events.map((event) => event.file ?? this.fileName),
        this.fileName,
      ]),
    ];
    const placeOf = (event: FakeEvent): number => files.indexOf(event.file ?? this.fileName);
    if (!path.includes('*') && !files.includes(path))
      throw new ConnectionError('queryFailed', 'The log file name is invalid.', 25718);
    const limit = Number(/TOP \((\d+)\)\s+event_name/.exec(text)?.[1]);
    const cursor =
      /^DECLARE @initial_file nvarchar\(260\) = N'([^']*)', @initial_offset bigint = (-?\d+);$/m.exec(text);
    if (cursor !== null && !files.includes(cursor[1] ?? ''))
      throw new ConnectionError('queryFailed', 'The offset is invalid.', 25722);
    const [from, after] = cursor === null ? [0, -1] : [files.indexOf(cursor[1] ?? ''), Number(cursor[2])];
    const isAsked = (event: FakeEvent): boolean => path.includes('*') || files[placeOf(event)] === path;
    const isBehind = (event: FakeEvent): boolean =>
      placeOf(event) > from || (placeOf(event) === from && event.offset > after);
    const rows = this.events.filter((event) => isAsked(event) && isBehind(event)).slice(0, limit);
    return {
      columns: this.eventColumns,
      rows: rows.map((event) => [
        `checkpoint_${event.kind}`,
        writeXml(event),
        event.file ?? this.fileName,
        String(event.offset),
      ]),
    };
  }

  /** Whether it has the session that the text asks for before it changes it. */
  private isAsSeen(text: string): boolean {
    const { name, definitionId, mark, isRunning, startedLocal } = this;
    const id = /event_session_id = (\d+)/.exec(text)?.[1];
    const named = /SERVERPROPERTY\(N'ServerName'\)\) = N'([^']*)'/.exec(text)?.[1];
    const marked = /LIKE N'%CheckpointHealth-([0-9a-f]{32})%'/.exec(text)?.[1];
    const started = /create_time, 126\) = '([^']+)'/.exec(text)?.[1];
    const isSame = id === String(definitionId) && named === name && (marked ?? mark) === mark;
    return this.isDefined && isSame && (!isRunning || started === startedLocal);
  }

  private changeSession(name: string, text: string): ResultSet {
    if (text.includes('@error_number = -1') && !this.isAsSeen(text))
      return table([{ error_number: '-1', error_message: 'Not as seen.' }]);
    if (this.refusesMark && name.startsWith('session-create') && text.includes('user_event'))
      return table([
        { error_number: '25623', error_message: 'The event name, "sqlserver.user_event", is invalid.' },
      ]);
    if (name.startsWith('session-create') && this.isDefined)
      return table([{ error_number: '25631', error_message: 'It exists.' }]);
    if (name.startsWith('session-create'))
      this.mark = /N'CheckpointHealth-([0-9a-f]{32})'/.exec(text)?.[1] ?? null;
    if (name === 'session-create') {
      this.isDefined = true;
      this.hasRing = false;
      this.file = /filename = N'([^']*)'/.exec(text)?.[1] ?? null;
      this.predicate = /WHERE (\(\[database_id\].*\))/.exec(text)?.[1] ?? null;
    } else if (name === 'session-create-ring')
      Object.assign(this, { isDefined: true, file: null, hasRing: true, predicate: null });
    else if (name === 'session-change-databases') {
      this.predicate =
        /ADD EVENT sqlserver\.checkpoint_begin\s*\(\s*ACTION \([^)]*\)\s*WHERE (\(\[database_id\].*\))/.exec(
          text.split('END TRY')[0] ?? '',
        )?.[1] ?? null;
    } else if (name === 'session-add-missing-events') this.hasEnd = '1';
    else if (name === 'session-start') this.isRunning = true;
    else if (name === 'session-stop') this.isRunning = false;
    else if (name === 'session-drop') this.isDefined = this.isRunning = false;
    else throw new Error(`The fake server does not know ${name}`);
    return table([{ error_number: null, error_message: null }]);
  }
}

const hidden = new Set([
  ...['log-used', 'dirty-page-spinlock', 'instance-work', 'file-io', 'database-counters'],
  ...['message-templates', 'utc-offsets', 'error-log', 'error-log-files', 'backups'],
]);

/** Answers that nothing changes, to a login without rights over files and services. */
const fixedAnswers: Readonly<Record<string, ResultSet>> = {
  'server-state': table([
    {
      committed_target_mb: '262144',
      physical_memory_mb: '393216',
      has_buffer_pool_scan_complete: '1',
      has_timestamp_utc: '0',
    },
  ]),
  'server-settings': table([
    {
      setting_name: 'recovery interval (min)',
      configured: '0',
      in_use: '0',
      is_dynamic: '1',
      is_pending: '0',
    },
  ]),
  'ring-buffer': table([{ piece: '0', text_length: String(emptyRing.length), text_piece: emptyRing }]),
  'trace-flags': table([{ caught_number: null, caught_message: null, trace_flag: null }]),
  'startup-options': table([{ argument: '-dC:\\master.mdf' }]),
  'availability-roles': { columns: ['database_id', 'role_name', 'group_name', 'primary_replica'], rows: [] },
  'accelerated-recovery': { columns: ['database_id'], rows: [] },
  'database-files': { columns: ['database_id', 'file_type', 'files', 'size_mb'], rows: [] },
  'database-logs': { columns: ['database_id', 'vlf_count', 'since_checkpoint_mb'], rows: [] },
};

function waitForAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(new ConnectionError('cancelled', 'Cancelled.'))),
  );
}

function bit(value: boolean): string {
  return value ? '1' : '0';
}

function table(rows: readonly Record<string, Cell>[]): ResultSet {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) };
}

function writeXml(event: FakeEvent): string {
  const data = `<data name="database_id"><value>${event.databaseId}</value></data>`;
  const activity = `<action name="attach_activity_id" package="package0"><value>${guid}-${event.sequence}</value></action>`;
  return `<event name="checkpoint_${event.kind}" package="sqlserver" timestamp="${event.at}Z">${data}${activity}</event>`;
}
