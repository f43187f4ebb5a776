/**
 * A capture that shows a vendor what the server does, and not what anything is called. It is put together from what is
 * known to be harmless: figures, times, ids, versions, settings. Names have stand-ins; all other texts are left out.
 */
import type { KeptForecast } from '../../core/advice/forecast';
import type { LimitLook } from '../../core/advice/limits';
import type { CapturedDatabase } from '../../core/capture/checkpoint-columns';
import type { KeptRecord, KeptSection } from '../../core/capture/capture-record';
import type { CaptureState } from '../../core/capture/capture-state';
import { keepWord } from '../../core/errorlog/renamed-line';
import { t } from '../../core/language';
import { escapeLine } from '../../core/markdown';
import { type Gap, GAP_NAMES } from '../../core/session/gap';
import type { Steps } from '../../core/steps';
import type { DatabaseChange } from '../../core/task/change-moment';
import { renameWriteWork } from '../../core/write-work/write-work-bytes';
import {
  CHANGES_SECTION,
  decodeChanges,
  decodeWatch,
  encodeChanges,
  encodeWatch,
  WATCH_SECTION,
  WORK_SECTION,
} from '../evidence/kept-changes';
import { ANSWERS_SECTION, decodeAnswers, encodeAnswers } from '../queries/recorded-answers';
import { renameAnswers } from './renamed-answers';
import { NAMED_KINDS, StandIns } from './stand-ins';

export interface VendorRecord {
  readonly record: KeptRecord;
  /** What the server is called in it. */
  readonly serverLabel: string;
  readonly standIns: StandIns;
}

/** The same figures under other names, in steps. The mapping is kept nowhere: it is in what this returns. */
export function* renameRecord(record: KeptRecord, label: string): Steps<VendorRecord> {
  const standIns = new StandIns();
  const serverLabel = standIns.of('SERVER', record.serverName ?? label);
  const rename = createRename(standIns);
  const { id, columns, ledger, trackedDatabaseIds, observation } = record;
  const sections: KeptSection[] = [];
  for (const section of record.sections) sections.push(...(yield* renameSection(section, standIns)));
  const renamed: KeptRecord = {
    id,
    columns,
    databases: record.databases.map(rename.database),
    observation: observation && { ...observation, gaps: observation.gaps.map(rename.gap) },
    ledger: { ...ledger, otherByName: new Map(rename.counts([...ledger.otherByName])) },
    serverName: record.serverName === null ? null : serverLabel,
    state: record.state && renameState(record.state, rename, standIns),
    // It names files, and tracking does not go on from this file.
    following: null,
    ...(trackedDatabaseIds === undefined ? {} : { trackedDatabaseIds }),
    sections,
  };
  return { record: renamed, serverLabel, standIns };
}

/** What stands for what, as Markdown. */
export function writeNames(standIns: StandIns): string {
  const rows = NAMED_KINDS.flatMap((kind) => standIns.list(kind)).map(
    ([name, standIn]) => `| ${standIn} | ${escapeLine(name)} |`,
  );
  return [`| ${t('Stand-in')} | ${t('Name')} |`, '|---|---|', ...rows, ''].join('\n');
}

type Rename = ReturnType<typeof createRename>;

function createRename(standIns: StandIns) {
  return {
    database: <T extends CapturedDatabase>(database: T): T => ({
      ...database,
      name: database.name === null ? null : standIns.of('DATABASE', database.name),
    }),
    // The reason of a failover names the other server, and an unknown one is a text of an earlier version.
    gap: (gap: Gap): Gap =>
      gap.kind === 'failover' || gap.kind === 'unknown' ? { ...gap, reason: GAP_NAMES[gap.kind] } : gap,
    counts: (named: readonly (readonly [string, number])[]) =>
      named.map(([name, count]) => [keepWord(name), count] as const),
  };
}

function renameState({ plain, ...columns }: CaptureState, rename: Rename, standIns: StandIns): CaptureState {
  const {
    id,
    generation,
    rowsRead,
    duplicates,
    malformedCount,
    horizonUtcMs,
    lastEventUtcMs,
    observed,
    unpairedReasons,
  } = plain;
  return {
    ...columns,
    plain: {
      id,
      generation,
      rowsRead,
      duplicates,
      malformedCount,
      horizonUtcMs,
      lastEventUtcMs,
      observed,
      unpairedReasons,
      // Each begins with the text of an event.
      malformed: [],
      otherByName: rename.counts(plain.otherByName),
      gaps: plain.gaps.map(rename.gap),
      openGaps: [],
      databases: plain.databases.map(rename.database),
      expectedDatabases: plain.expectedDatabases.map(rename.database),
      pendingSources: plain.pendingSources.map(({ fileName, fileOffset }) => ({
        fileName: fileName === null ? null : standIns.of('FILE', fileName),
        fileOffset,
      })),
    },
  };
}

/** @returns none for a section that is not known here */
function* renameSection({ name, bytes }: KeptSection, standIns: StandIns): Steps<readonly KeptSection[]> {
  const renameDatabase = (database: string): string => standIns.of('DATABASE', database);
  const renamed = (renamedBytes: Uint8Array | null): readonly KeptSection[] =>
    renamedBytes === null ? [] : [{ name, bytes: renamedBytes }];
  yield;
  switch (name) {
    case ANSWERS_SECTION: {
      const answers = yield* decodeAnswers(bytes);
      return renamed(answers && (yield* encodeAnswers(renameAnswers(answers, standIns))));
    }
    case WORK_SECTION:
      return renamed(renameWriteWork(bytes, renameDatabase));
    case CHANGES_SECTION:
      return renamed(encodeChanges(decodeChanges(bytes).changes.map(copyChange)));
    case WATCH_SECTION: {
      const { plans, looks } = decodeWatch(bytes);
      return renamed(
        encodeWatch(
          { plans: plans.map(copyForecast), looks: looks.map((look) => copyLook(look, renameDatabase)) },
          [],
        ),
      );
    }
    default:
      return [];
  }
}

// Field by field, so that nothing comes along that is not known here.

function copyChange({
  databaseId,
  atUtcMs,
  source,
  notBeforeUtcMs,
  fromSeconds,
  toSeconds,
}: DatabaseChange): DatabaseChange {
  return { databaseId, atUtcMs, source, notBeforeUtcMs, fromSeconds, toSeconds };
}

function copyForecast({ madeUtcMs, fromUtcMs, toUtcMs, now, bound, waves }: KeptForecast): KeptForecast {
  return {
    madeUtcMs,
    fromUtcMs,
    toUtcMs,
    now,
    bound,
    waves: waves.map(({ databaseIds, low, high }) => ({ databaseIds, low, high })),
  };
}

function copyLook(look: LimitLook, rename: (database: string) => string): LimitLook {
  const { atUtcMs, logUsedShare, logUsedBy, redoQueueKb, redoQueueBy, backoffs } = look;
  const logs = look.logs?.map(({ database, usedShare }) => ({ database: rename(database), usedShare }));
  const names = { logUsedBy: rename(logUsedBy), redoQueueBy: rename(redoQueueBy) };
  return { atUtcMs, logUsedShare, redoQueueKb, backoffs, ...names, ...(logs && { logs }) };
}
