import type { FileCursor } from '../../core/events/event';
import { readEventPage, type SourceLoss } from '../../core/events/event-page';
import type { SessionSnapshot } from '../../core/session/event-session';
import { mayHaveRolledOver, type SourcePosition } from '../../core/capture/following';
import { findCurrentFile } from '../../core/session/session-snapshots';
import { writeEventsRead, writeFilePattern } from '../../core/script/session';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import type { AskedPage, EventSource, PageRead, SourceRows } from './event-source';
import type { ServerQuery } from '../queries/server-query';
import { t } from '../../core/language';

/**
 * Rows of one page: bounded, because every read costs the server (docs/facts.md, SQL Server 4), and no more than it gives in the time that a click
 * may wait.
 */
const LEAST_PAGE_ROWS = 500;
const USUAL_PAGE_ROWS = 4_000;
const MOST_PAGE_ROWS = 64_000;
const PAGE_MS = 250;

/** The cursor's file is gone: 25722 to 2022, 25717 in 2025. No file: 25718 (docs/facts.md, SQL Server 4). */
const rolledOver = [25717, 25722];
const NO_FILE = 25718;

/** An informational message. Not every host hands it on (docs/facts.md, SQL Server 4). */
const SKIPPED_BLOCK = 25720;
const damagedFile: SourceLoss = { kind: 'damaged file', reason: t('The server skipped a damaged part of an event file.') };

const lostFiles: SourceLoss = { kind: 'files rolled over', reason: t('The event files rolled over before they were read.') };

interface EventFiles {
  /** The file name that the session was created with. */
  readonly configuredFile: string;
  readonly hasTimestampUtc: boolean;
  /** Number of files that are kept; null: the server's default. */
  readonly maxRolloverFiles: number | null;
  /** The server that is asked. Another one that answers in its place, for instance behind a listener, gives no rows. */
  readonly serverName: string | null;
  /**
   * The file in which the run begins, where reading begins too; null if nobody knows: then files of earlier runs, which have the same name, are read
   * as well.
   */
  readonly beginsWith: string | null;
  /** Reading begins with a later file than the one in which the run begins. */
  readonly isNewestOnly: boolean;
  /** Files that something was read from before. */
  readonly names: readonly string[];
}

/** The event files of a session, read incrementally from the last buffer taken. */
export class FileSource implements EventSource {
  readonly outlivesSession = true;
  private cursor: FileCursor | null;
  private readonly names: Set<string>;
  /** Rows of the next page, and the smallest page that holds a whole buffer. */
  private pageRows = USUAL_PAGE_ROWS;
  private leastRows = LEAST_PAGE_ROWS;
  /** null once the run has gone on in another file. */
  private firstFile: string | null;
  /** What was lost before the next rows, and where reading was then. */
  private loss: { readonly what: SourceLoss; readonly behind: FileCursor | null } | null = null;

  constructor(
    private readonly query: ServerQuery,
    private readonly eventFiles: EventFiles,
    from: FileCursor | null = null,
  ) {
    this.cursor = from;
    this.firstFile = eventFiles.beginsWith;
    this.names = new Set(eventFiles.names);
  }

  /** Until a loss is told, the place before it: whoever goes on from there meets the loss again. */
  get position(): SourcePosition {
    return { file: this.loss === null ? this.cursor : this.loss.behind, ring: null };
  }

  get files(): readonly string[] {
    return [...this.names];
  }

  get isWhole(): boolean {
    if (this.eventFiles.isNewestOnly) return false;
    return this.firstFile !== null || !mayHaveRolledOver(this.names.size, this.eventFiles.maxRolloverFiles);
  }

  /** If nothing was read of the first file and the session now writes another, nobody knows which files lie between. */
  notice(snapshot: SessionSnapshot): void {
    if (this.cursor === null && findCurrentFile(snapshot) !== this.firstFile) this.firstFile = null;
  }

  /** After a cursor the later files come by themselves; a single file can only be named by its path. */
  private get filePattern(): string {
    return (this.cursor === null ? this.firstFile : null) ?? writeFilePattern(this.eventFiles.configuredFile);
  }

  askAhead(): AskedPage {
    const { filePattern, pageRows: rows, cursor } = this;
    const { serverName, hasTimestampUtc } = this.eventFiles;
    const isPlaced = cursor !== null || this.firstFile !== null;
    const text = writeEventsRead({ filePattern, hasTimestampUtc, serverName, cursor, rows }, readTemplates.checkpointEvents);
    const onNotice = (number: number): void => {
      if (number === SKIPPED_BLOCK) page.lossWithin = damagedFile;
    };
    const answer = this.query.run(text, onNotice).catch((error: unknown) => describeEnd(error, isPlaced));
    // If nobody takes the answer, its failure does not matter.
    answer.catch(() => undefined);
    const page: AskedPage = { filePattern, rows, fromMs: this.query.elapsedMs(), answer, lossWithin: null };
    return page;
  }

  async readPage(
    take: (step: SourceRows) => void,
    confirmServer: () => Promise<unknown>,
    ahead: AskedPage | null = null,
  ): Promise<PageRead> {
    for (let next = ahead; ; next = null) {
      const asked = next?.filePattern === this.filePattern ? next : this.askAhead();
      const set = await asked.answer;
      if (set === 'no file yet') return 'nothing there';
      if (set === 'rolled over') {
        await confirmServer();
        this.loss ??= { what: lostFiles, behind: this.cursor };
        this.cursor = this.firstFile = null;
        continue;
      }
      const found = readEventPage(set, asked.rows, this.cursor);
      // Without the column there are no rows, and that must not look like a server without checkpoints.
      const unreadable = found.problems.find((problem) => problem.kind !== 'unknown column');
      if (unreadable !== undefined) throw new ConnectionError('queryFailed', unreadable.message);
      this.cursor = found.cursor;
      for (const row of found.rows) if (row.fileName !== null) this.names.add(row.fileName);
      if (found.rows.length > 0 || asked.lossWithin !== null || (this.loss !== null && !found.more)) {
        take({ rows: found.rows, lossBefore: this.loss?.what ?? null, lossWithin: asked.lossWithin, lossBehind: null });
        this.loss = null;
      }
      if (found.tooSmall) this.growPage(asked.rows);
      else if (found.more) this.fitPage(asked.rows, this.query.elapsedMs() - asked.fromMs);
      if (!found.tooSmall) return found.more ? 'more' : 'end';
    }
  }

  /** As many rows as the server gives in time, judged by the page before. In steps of 500, so that few texts differ. */
  private fitPage(rows: number, tookMs: number): void {
    const fitting = Math.floor((rows * PAGE_MS) / Math.max(1, tookMs) / LEAST_PAGE_ROWS) * LEAST_PAGE_ROWS;
    this.pageRows = Math.max(this.leastRows, Math.min(USUAL_PAGE_ROWS, fitting));
  }

  private growPage(rows: number): void {
    if (rows >= MOST_PAGE_ROWS)
      throw new ConnectionError('queryFailed', t('One buffer of the event files holds more than {0} events.', MOST_PAGE_ROWS));
    this.pageRows = this.leastRows = rows * 2;
  }
}

/** @param isPlaced whether a file was named from which something was read, or is to be read */
function describeEnd(error: unknown, isPlaced: boolean): 'rolled over' | 'no file yet' {
  if (error instanceof ConnectionError && error.number !== null) {
    if (isPlaced && rolledOver.includes(error.number)) return 'rolled over';
    if (error.number === NO_FILE) return isPlaced ? 'rolled over' : 'no file yet';
  }
  throw error;
}
