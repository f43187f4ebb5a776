/** Writes what a dashboard shows to files. core makes the content in steps; the user chooses where to save it. */
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import {
  countCheckpoints as countRows,
  type ExportedCapture,
  type ExportScope,
  listCheckpoints,
  listStatistics,
} from '../../core/export/capture-tables';
import { writeCsv } from '../../core/export/csv';
import type { Side } from '../../core/comparison/sides';
import { type ExportFormat, type ExportRequest, nameExport } from '../../core/export/export-request';
import {
  type BytePieces,
  createTypedTable,
  type ExportTable,
  isTyped,
  ROWS_A_PIECE,
  type TextPieces,
  type TypedTable,
  writeUtc,
} from '../../core/export/export-table';
import { type ExportHead, writeJson } from '../../core/export/json';
import { createPageTable } from '../../core/export/page-table';
import type * as Parquet from '../../core/export/parquet';
import { countOf, formatCount, countCheckpoints } from '../../core/format';
import type { EvidencePage, EvidencePages } from '../../core/pages/evidence-page';
import type { Steps } from '../../core/steps';
import { runInSlices } from '../../monitor/queries/slices';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import type { Conversation } from '../kit/conversation';
import type { FileSaver, Writing } from '../kit/file-saver';
import { createDatabaseViews, createServerView } from './view';
import { t } from '../../core/language';

/** What is known now of the server of a dashboard. */
export interface ExportSource {
  readonly snapshot: ServerSnapshot;
  readonly capture: CaptureRecord | null;
  readonly pages: EvidencePages | null;
  readonly offsets: readonly OffsetPeriod[];
}

export interface ExportWorld {
  /** Lets others use the thread for a moment. */
  readonly pause: () => Promise<void>;
  /** Milliseconds since any fixed moment. */
  readonly elapsedMs: () => number;
  readonly files: FileSaver;
  readonly conversation: Pick<Conversation, 'chooseOne'>;
  readonly nowUtcMs: () => number;
  /** Loads the Parquet writer, which happens only if the user asks for Parquet. */
  readonly loadParquet: () => Promise<Pick<typeof Parquet, 'writeParquet'>>;
}

/** The largest picture, in bytes. Our page makes no larger one. */
const MOST_PICTURE_BYTES = 100_000_000;
/**
 * The most checkpoints in one file. A file is made whole before it is saved. A row takes about 100 bytes, so more rows
 * would endanger the extension host, which other extensions share. In Parquet a row takes about 20 bytes, but the list
 * of row groups at the end is written in one go.
 */
export const MOST_CHECKPOINTS: Readonly<Record<ExportFormat, number>> = {
  csv: 2_000_000,
  json: 1_000_000,
  parquet: 4_000_000,
};
const FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV',
  json: 'JSON',
  parquet: t('Parquet'),
};

const PAGE_NAMES: Readonly<Record<keyof EvidencePages, string>> = {
  beforeAfter: t('before and after'),
  writeWork: 'I-O',
  errorLog: t('error log'),
};

/** @throws Dismissed, Error with one sentence if there is nothing to write */
export async function exportFile(
  asked: ExportRequest,
  source: ExportSource,
  world: ExportWorld,
): Promise<void> {
  const { format } = asked;
  if (asked.what === 'page' && format === 'parquet')
    throw new Error(
      t('The dashboard asked for an export that is not known: {0} as {1}.', asked.what, format),
    );
  const side = findSide(asked, source);
  const request =
    side === null ? asked : { ...asked, window: { beginUtcMs: side.beginUtcMs, endUtcMs: side.endUtcMs } };
  const generatedUtcMs = world.nowUtcMs();
  const { what, sentences, list } = await prepare(request, source, world);
  const name = nameExport(nameContent(what, request), source.snapshot.label, generatedUtcMs, format);
  await world.files.save(
    { name, kind: format, title: t('Export {0} as {1}', what, FORMAT_NAMES[format]) },
    async (writing) => {
      const tables = await runInSlices(list(), writing.isCancelled, world);
      if (tables === null) return null;
      const rows = tables.reduce((sum, each) => sum + each.rows, 0);
      const head = { ...describeHead(request, source, generatedUtcMs), sentences };
      const pieces = await writeTables(format, head, tables, world);
      return runInSlices(gather(pieces, rows / ROWS_A_PIECE, writing), writing.isCancelled, world);
    },
  );
}

/** CSV and Parquet hold one table. */
async function writeTables(
  format: ExportFormat,
  head: ExportHead,
  tables: readonly ExportTable[],
  world: ExportWorld,
): Promise<TextPieces | BytePieces> {
  if (format === 'json') return writeJson(head, tables);
  const [table] = tables;
  if (format === 'csv' && table !== undefined) return writeCsv(table);
  if (table === undefined || !isTyped(table))
    throw new Error(t('There is nothing to export as {0}.', FORMAT_NAMES[format]));
  const { writeParquet } = await world.loadParquet();
  return writeParquet(head, table);
}

/**
 * @param name what the picture shows, as the webview says.
 * @throws Error with one sentence if it is not a picture of ours
 */
export async function savePicture(
  {
    format,
    name,
    bytes,
  }: { readonly format: 'png' | 'svg'; readonly name: string; readonly bytes: ArrayBuffer },
  label: string,
  { files, nowUtcMs }: Pick<ExportWorld, 'files' | 'nowUtcMs'>,
): Promise<void> {
  if (bytes.byteLength === 0 || bytes.byteLength > MOST_PICTURE_BYTES)
    throw new Error(t('The picture could not be made.'));
  const title = t('Save the picture as {0}', format.toUpperCase());
  await files.save({ name: nameExport(name, label, nowUtcMs(), format), kind: format, title }, () =>
    Promise.resolve(new Uint8Array(bytes)),
  );
}

/** Names the content with its time, because figures do not say which time they are of. */
function nameContent(what: string, { what: thing, window }: ExportRequest): string {
  if (thing !== 'statistics' || window === null) return what;
  const [begin, end] = [window.beginUtcMs, window.endUtcMs].map((utcMs) =>
    writeUtc(utcMs)
      .replace(/[:]|\.\d+/g, '')
      .replace('T', ' '),
  );
  return t('{0} from {1} to {2}', what, begin ?? '', end ?? '');
}

interface Prepared {
  /** A few words for the name of the file. */
  readonly what: string;
  readonly sentences: readonly string[];
  /** CSV and Parquet write only the first one. */
  readonly list: () => Steps<readonly ExportTable[]>;
}

/** Runs before the user chooses a place, so that the user learns at once if there is nothing to export. */
async function prepare(request: ExportRequest, source: ExportSource, world: ExportWorld): Promise<Prepared> {
  if (request.what === 'page') return preparePage(request, source, world);
  const { capture, snapshot } = source;
  if (capture?.observation == null)
    throw new Error(
      t('There is nothing to export: no checkpoint of {0} has been recorded yet.', snapshot.label),
    );
  const exported = describeCapture(source, capture);
  const side = findSide(request, source);
  const scope = { window: side ?? request.window, databases: findIndexes(request, source, capture) };
  const { what, format } = request;
  if (what === 'checkpoints') await refuseTooMany(exported, scope, format, world);
  const watched = { ...exported, ...(side && { observation: side.observation }) };
  const list = (): Steps<readonly ExportTable[]> => listTable(what, watched, scope, () => capture.generation);
  return { what, sentences: [], list };
}

/** The side of the changes that figures are asked of, as verdicts have it; null: none, or nothing was changed. */
function findSide({ side }: ExportRequest, { snapshot }: ExportSource): Side | null {
  const { sides = null } = createServerView(snapshot)?.sides == null ? {} : (snapshot.result ?? {});
  return side === null || sides === null ? null : side === 'since' ? sides.since : sides.before;
}

/** @throws Error with one sentence if the file would be too large */
async function refuseTooMany(
  capture: ExportedCapture,
  scope: ExportScope,
  format: ExportFormat,
  world: ExportWorld,
): Promise<void> {
  const most = MOST_CHECKPOINTS[format];
  if (capture.columns.rows <= most) return;
  const count = (await runInSlices(countRows(capture, scope), () => false, world)) ?? 0;
  if (count > most)
    throw new Error(
      t(
        '{0} are too many for one file: choose a shorter time, with at most {1} for {2}.',
        countCheckpoints(count),
        formatCount(most),
        FORMAT_NAMES[format],
      ),
    );
}

function* listTable(
  what: 'checkpoints' | 'statistics',
  capture: ExportedCapture,
  scope: ExportScope,
  generation: () => number,
): Steps<readonly ExportTable[]> {
  const before = generation();
  const table = yield* what === 'checkpoints'
    ? listCheckpoints(capture, scope)
    : listStatistics(capture, scope);
  const values = (at: number): ReturnType<TypedTable['values']> => {
    // Rows that were given out are rarely corrected. If they were, the file would hold old and new rows and be wrong
    // about both.
    if (generation() !== before)
      throw new Error(
        t('The recorded checkpoints were corrected while the file was being written. Export them again.'),
      );
    return table.values(at);
  };
  return [createTypedTable({ ...table, values })];
}

async function preparePage(
  { pageId, tableId, format }: ExportRequest,
  source: ExportSource,
  world: ExportWorld,
): Promise<Prepared> {
  const page =
    pageId === null || !Object.keys(PAGE_NAMES).includes(pageId) ? undefined : source.pages?.[pageId];
  if (page === undefined || pageId === null)
    throw new Error(t('There is nothing to export: this page has not been computed yet.'));
  const chosen = page.tables.filter(({ id }) => tableId === null || id === tableId);
  const tables = format === 'json' ? chosen : [await chooseTable(chosen, world)];
  const [only] = tables;
  const what =
    tables.length === 1 && only !== undefined ? `${PAGE_NAMES[pageId]}, ${only.heading}` : PAGE_NAMES[pageId];
  return {
    what,
    sentences: [page.summary, ...page.notes],
    *list() {
      yield;
      return tables.map(createPageTable);
    },
  };
}

/** Lets the user choose, as CSV holds one table. @throws Dismissed, Error with one sentence if no table has a row */
async function chooseTable(
  tables: EvidencePage['tables'],
  { conversation }: ExportWorld,
): Promise<EvidencePage['tables'][number]> {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const [only] = filled;
  if (only === undefined) throw new Error(t('There is nothing to export: no table of this page has a row.'));
  if (filled.length === 1) return only;
  return conversation.chooseOne(
    t('Which table do you want to export as CSV?'),
    filled.map((table) => ({
      value: table,
      label: table.heading,
      description: countOf(table.rows.length, t('{0} row'), t('{0} rows')),
    })),
  );
}

function describeCapture({ snapshot, offsets }: ExportSource, capture: CaptureRecord): ExportedCapture {
  const views = createDatabaseViews(snapshot, capture.databases);
  return {
    columns: capture.columns,
    databases: views.map(({ databaseId, name, targetSeconds }, at) => ({
      databaseId: capture.databases[at]?.databaseId ?? databaseId,
      name,
      targetSeconds,
    })),
    observation: capture.observation ?? { beginUtcMs: 0, endUtcMs: 0, gaps: [] },
    offsets,
    utcOffsetMinutes: snapshot.facts?.server.utcOffsetMinutes ?? 0,
  };
}

/** Finds databases by the ids that the dashboard gives them. */
function findIndexes(
  { databaseIds }: ExportRequest,
  { snapshot }: ExportSource,
  capture: CaptureRecord,
): ReadonlySet<number> | null {
  if (databaseIds === null) return null;
  const wanted = new Set(databaseIds);
  const views = createDatabaseViews(snapshot, capture.databases);
  return new Set(views.flatMap(({ databaseId }, at) => (wanted.has(databaseId) ? [at] : [])));
}

function describeHead(
  request: ExportRequest,
  source: ExportSource,
  generatedUtcMs: number,
): Omit<ExportHead, 'sentences'> {
  const { snapshot, capture } = source;
  const view = createServerView(snapshot);
  return {
    generatedUtcMs,
    server: {
      name: snapshot.label,
      description: view?.description ?? t('not reached'),
      utcOffsetMinutes: view?.utcOffsetMinutes ?? 0,
    },
    captureId: capture?.id ?? null,
    window: request.what === 'page' ? null : request.window,
    tracking: snapshot.tracking,
  };
}

const NOTHING = new Uint8Array(0);

/**
 * Joins the pieces of a file. Drops each as soon as it is copied, so that nothing is held twice.
 * @param expected about how many they are
 */
function* gather(
  pieces: TextPieces | BytePieces,
  expected: number,
  { tell }: Pick<Writing, 'tell'>,
): Steps<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const piece of pieces) {
    parts.push(typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece);
    tell(Math.min(1, parts.length / (expected + 2)));
    yield;
  }
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    whole.set(part, at);
    at += part.length;
    parts[index] = NOTHING;
    tell(1);
    yield;
  }
  return whole;
}
