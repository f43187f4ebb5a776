/** What the lake has of a server: how to go on with it and, where no state says it, what must not be written twice. */
import { DAY_MS, HOUR_MS, isUtcMs } from '../../../src/core/time';
import { addRow, countRows, createRows, type LakeRows, visitDataFiles } from '../../../src/lake/data-files';
import type { AddedFile } from '../../../src/lake/delta-actions';
import type { KnownState, Lake } from '../../../src/lake/lake';
import type { ReadRow } from '../../../src/lake/parquet-file';
import type { TableName } from '../../../src/lake/tables';
import { keyOf } from './harvest';
import { decodeState, type CollectState } from './server-state';
import { type KnownFacts, readHead } from './state-head';

interface SavedState extends CollectState {
  /** By the clock of the collector; 0: never. */
  readonly savedUtcMs: number;
}

const NEVER: SavedState = { ...readHead(Buffer.from('{}')).head, capture: null, savedUtcMs: 0 };

/** How to go on with a name of the list: capture and log by the server behind it, facts and attempts by name alone. */
export class ServerHistory {
  /** As the last run left it, whichever server was behind the name. */
  readonly newest: SavedState;

  /** @param states the newest first @param warn is told in one sentence what of them cannot be read */
  constructor(
    private readonly states: readonly KnownState[],
    private readonly warn: (problem: string) => void,
  ) {
    this.newest = states[0] === undefined ? NEVER : this.decode(states[0]);
  }

  /** @param serverName null: it is not known which server it is. Then the last one. */
  of(serverName: string | null): SavedState {
    if (serverName === null) return this.newest;
    for (const [at, known] of this.states.entries()) {
      if (known.serverName !== null && known.serverName !== serverName) continue;
      const { capture, log, beginsUtcMs, savedUtcMs } = at === 0 ? this.newest : this.decode(known);
      if ((known.serverName ?? capture?.serverName ?? log?.serverName) === serverName)
        return { ...this.newest, capture, log, beginsUtcMs, savedUtcMs };
    }
    return { ...this.newest, capture: null, log: null, beginsUtcMs: null, savedUtcMs: 0 };
  }

  /** Under which server the state is kept while none answers. */
  get lastServer(): string | null {
    return this.states[0]?.serverName ?? null;
  }

  private decode({ state, savedUtcMs }: KnownState): SavedState {
    const decoded = decodeState(state);
    for (const problem of decoded.problems) this.warn(problem);
    return { ...decoded.state, savedUtcMs };
  }
}

/** What the lake has of one server, whatever its names in the lists. */
interface Past {
  /** Until when it was observed under each; null: never. */
  readonly names: Map<string, number | null>;
  readonly captures: Set<string>;
  /** The latest of them. */
  toUtcMs: number | null;
}

/** Columns that a row is known by, and how long before its time its file may begin: a first log reading is of a day. */
const SAME = {
  checkpoints: { columns: ['begin_utc', 'duration_ms', 'database_id'], time: 'begin_utc', backMs: 0 },
  log_messages: { columns: ['logged_local', 'kind', 'text'], time: 'read_utc', backMs: 2 * DAY_MS },
} as const;

/** Reads a table of the lake when it is first needed in a run: for a server that the run has no state of. */
export class LakeHistory {
  /** Of runs that began after that. */
  private readonly pasts = new Map<number, Promise<ReadonlyMap<string, Past>>>();
  private facts: Promise<ReadonlyMap<string, KnownFacts>> | null = null;

  constructor(private readonly lake: Lake) {}

  /** @returns null: no run reached it, of those that began later than that */
  async find(serverName: string | null, afterUtcMs = 0): Promise<Past | null> {
    const pasts = this.pasts.get(afterUtcMs) ?? this.readPasts(afterUtcMs);
    this.pasts.set(afterUtcMs, pasts);
    return (await pasts).get(serverName ?? '') ?? null;
  }

  /** Those rows that the lake does not have. */
  async leaveOut(table: keyof typeof SAME, rows: LakeRows, { names, captures }: Past): Promise<LakeRows> {
    const { columns, time, backMs } = SAME[table];
    const fromUtcMs =
      (rows[time] ?? []).reduce<number>((least, at) => Math.min(least, at as number), Infinity) - backMs;
    const nameRow = (row: ReadRow): string => JSON.stringify(columns.map((name) => row[name] ?? null));
    const known = new Map<string, number>();
    const count = (row: ReadRow): void => {
      if (!names.has(row.server as string)) return;
      if (table === 'checkpoints' && !captures.has(row.capture_id as string)) return;
      known.set(nameRow(row), (known.get(nameRow(row)) ?? 0) + 1);
    };
    const isWanted = ({ partitionValues }: AddedFile): boolean =>
      Date.parse(partitionValues.date ?? '') + DAY_MS > fromUtcMs;
    await this.visit(table, [...columns, 'server', 'capture_id'], count, isWanted);
    const left = createRows(table);
    for (let at = 0; at < countRows(rows); at++) {
      const row = Object.fromEntries(
        Object.entries(rows).map(([name, values]) => [name, values[at] ?? null]),
      );
      const times = known.get(nameRow(row)) ?? 0;
      known.set(nameRow(row), times - 1);
      if (times <= 0) addRow(left, row);
    }
    return left;
  }

  /** A state with what the lake has. `isLate`: it was brought back, as the lake has later rows of its server. */
  async complete(state: SavedState, server: string, serverName: string | null) {
    const later = state.savedUtcMs === 0 ? null : await this.find(serverName, state.savedUtcMs);
    const toUtcMs = later?.names.get(server) ?? null;
    const isLate = (toUtcMs ?? -Infinity) > (state.capture?.observation?.endUtcMs ?? Infinity);
    // No server is without facts: they were lost, or this is the first run that sees some.
    const areMissing = isLate || Object.keys(state.facts).length === 0;
    const facts = areMissing ? ((await (this.facts ??= this.readAllFacts())).get(server) ?? {}) : state.facts;
    return { ...state, facts, beginsUtcMs: isLate ? toUtcMs : state.beginsUtcMs, isLate };
  }

  private async readPasts(afterUtcMs: number): Promise<ReadonlyMap<string, Past>> {
    const pasts = new Map<string, Past>();
    // What was observed later was so by a clock that was wrong.
    const latestUtcMs = Date.now() + DAY_MS;
    const take = ({ server, server_name, capture_id, started_utc, observed_to_utc: to }: ReadRow): void => {
      if (typeof server_name !== 'string' || !(Number(started_utc) > afterUtcMs)) return;
      const past: Past = pasts.get(server_name) ?? { names: new Map(), captures: new Set(), toUtcMs: null };
      pasts.set(server_name, past);
      if (capture_id != null) past.captures.add(capture_id as string);
      const join = (before: number | null): number | null =>
        isUtcMs(to) && to < latestUtcMs ? Math.max(before ?? 0, to) : before;
      past.names.set(server as string, join(past.names.get(server as string) ?? null));
      past.toUtcMs = join(past.toUtcMs);
    };
    // The clock of the collector that wrote a file may be another's.
    const fromUtcMs = afterUtcMs - HOUR_MS;
    const columns = ['server', 'server_name', 'capture_id', 'started_utc', 'observed_to_utc'];
    await this.visit('runs', columns, take, ({ modificationTime }) => modificationTime > fromUtcMs);
    return pasts;
  }

  /** The facts that were written last, by the name of their server. */
  private async readAllFacts(): Promise<ReadonlyMap<string, KnownFacts>> {
    const latest = new Map<string, Map<string, ReadRow>>();
    const columns = ['server', 'seen_utc', 'database_id', 'database_name', 'fact', 'value', 'not_observable'];
    await this.visit('facts', columns, (row) => {
      const own = latest.get(row.server as string) ?? new Map<string, ReadRow>();
      latest.set(row.server as string, own);
      const key = keyOf(row.database_id, row.database_name, row.fact);
      if (Number(own.get(key)?.seen_utc ?? -Infinity) <= Number(row.seen_utc)) own.set(key, { ...row });
    });
    const isGone = ({ fact, value }: ReadRow): boolean => fact === 'state' && value === 'GONE';
    const known = [...latest].map(([server, own]) => {
      const gone = new Set([...own.values()].filter(isGone).map(nameDatabase));
      const there = [...own].filter(([, row]) => !gone.has(nameDatabase(row)));
      const facts = there.map(([key, { value = null, not_observable: missing = null }]) => [
        key,
        { value, missing },
      ]);
      return [server, Object.fromEntries(facts) as KnownFacts] as const;
    });
    return new Map(known);
  }

  private async visit(
    table: TableName,
    columns: readonly string[],
    visit: (row: ReadRow) => void,
    isWanted: (file: AddedFile) => boolean = () => true,
  ): Promise<void> {
    const files = [...(await this.lake.table(table)).files.values()].filter(isWanted);
    await visitDataFiles(this.lake.folder, table, files, visit, { columns });
  }
}

const nameDatabase = ({ database_id, database_name }: ReadRow): string =>
  JSON.stringify([database_id ?? null, database_name ?? null]);
