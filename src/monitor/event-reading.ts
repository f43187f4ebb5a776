import { readEventPage } from '../core/capture/event-page';
import { mayHaveRolledOver, type SourceLoss, type SourcePosition } from '../core/capture/following';
import { type FileCursor, writeEventsRead, writeFilePattern } from '../core/script/session';
import { ConnectionError } from '../hosts/host';
import { readTemplates } from '../texts';
import type { EventSource, SourceRows } from './event-source';
import type { ServerQuery } from './server-query';

/** Rows asked for at once: bounded, because every read costs the server (docs/facts.md, SQL Server 4). */
const pageRows = 2_000;
const mostPageRows = 64_000;

/** The cursor's file is gone: 25722 to 2022, 25717 in 2025. No file: 25718 (docs/facts.md, SQL Server 4). */
const rolledOver = [25717, 25722];
const noFile = 25718;

/** An informational message, which not every host hands on (docs/facts.md, SQL Server 4). */
const skippedBlock = 25720;
const damagedFile: SourceLoss = { kind: 'damaged file', reason: 'The server skipped a damaged part of an event file.' };

const lostFiles: SourceLoss = { kind: 'files rolled over', reason: 'The event files rolled over before they were read.' };

export interface EventFiles {
  /** The file name that the session was created with. */
  readonly configuredFile: string;
  readonly hasTimestampUtc: boolean;
  /** How many files are kept; null: the server's own number. */
  readonly maxRolloverFiles: number | null;
  /** Another server that answers in its place, for instance behind a listener, gives no rows. */
  readonly serverName: string | null;
}

/** The event files of a session, read incrementally from the last buffer taken. */
export class FileSource implements EventSource {
  readonly outlivesSession = true;
  private cursor: FileCursor | null;
  private readonly names: Set<string>;
  private readonly filePattern: string;
  private loss: SourceLoss | null = null;

  constructor(
    private readonly query: ServerQuery,
    private readonly eventFiles: EventFiles,
    from: FileCursor | null = null,
    files: readonly string[] = [],
  ) {
    this.cursor = from;
    this.names = new Set(files);
    this.filePattern = writeFilePattern(eventFiles.configuredFile);
  }

  get position(): SourcePosition {
    return { file: this.cursor, ring: null };
  }

  get files(): readonly string[] {
    return [...this.names];
  }

  get isWhole(): boolean {
    return !mayHaveRolledOver(this.names.size, this.eventFiles.maxRolloverFiles);
  }

  notice(): void {
    // Only reading on shows whether there is something new.
  }

  async read(take: (step: SourceRows) => void, confirmServer: () => Promise<void>): Promise<boolean> {
    for (let rows = pageRows; ;) {
      const { serverName, hasTimestampUtc } = this.eventFiles;
      const page = { filePattern: this.filePattern, hasTimestampUtc, serverName, cursor: this.cursor, rows };
      let lossWithin: SourceLoss | null = null;
      const onNotice = (number: number): void => {
        if (number === skippedBlock) lossWithin = damagedFile;
      };
      const set = await this.query
        .run(writeEventsRead(page, readTemplates.checkpointEvents), onNotice)
        .catch((error: unknown) => describeEnd(error, this.cursor));
      if (set === 'no file yet') return false;
      if (set === 'rolled over') {
        await confirmServer();
        this.cursor = null;
        this.loss = lostFiles;
        continue;
      }
      const found = readEventPage(set, rows, this.cursor);
      // Without a column there are no rows, which must not be taken for a server without checkpoints.
      const unreadable = found.problems.find((problem) => problem.kind !== 'unknown column');
      if (unreadable !== undefined) throw new ConnectionError('queryFailed', unreadable.message);
      this.cursor = found.cursor;
      for (const row of found.rows) if (row.fileName !== null) this.names.add(row.fileName);
      if (found.rows.length > 0 || lossWithin !== null || (this.loss !== null && !found.more)) {
        take({ rows: found.rows, lossBefore: this.loss, lossWithin, lossBehind: null });
        this.loss = null;
      }
      if (!found.more) return true;
      if (found.tooSmall) rows = growPage(rows);
    }
  }
}

function growPage(rows: number): number {
  if (rows >= mostPageRows)
    throw new ConnectionError('queryFailed', `One buffer of the event files holds more than ${mostPageRows} events.`);
  return rows * 2;
}

function describeEnd(error: unknown, cursor: FileCursor | null): 'rolled over' | 'no file yet' {
  if (error instanceof ConnectionError && error.number !== null) {
    if (cursor !== null && rolledOver.includes(error.number)) return 'rolled over';
    if (error.number === noFile) return cursor === null ? 'no file yet' : 'rolled over';
  }
  throw error;
}
