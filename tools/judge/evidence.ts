/** What the product would know of a site beside its checkpoints: backups, error log, log writes and log to redo. */
import type { Facts } from '../../src/core/advice/facts';
import type { CaptureRecord } from '../../src/core/capture/capture-record';
import { type ErrorLogTextReading, readErrorLogText } from '../../src/core/errorlog/error-log-text';
import { listFlushCacheMoments, listLoggedChanges } from '../../src/core/errorlog/logged-evidence';
import { createServerTime } from '../../src/core/errorlog/server-clock';
import type { BackupRun } from '../../src/core/task/backup-rows';
import { listChanges } from '../../src/core/comparison/changes';
import { WriteWorkLog } from '../../src/core/write-work/write-work-log';
import { FILE_FIGURES, INSTANCE_FIGURES } from '../../src/core/write-work/work-samples';
import { addToList } from '../../src/core/lists';
import { observed } from '../../src/core/observed';
import { finishSteps } from '../../src/core/steps';
import { toLocalMs } from '../../src/core/time';
import type { EvidenceSources } from '../../src/monitor/evidence/evidence-world';
import { joinDatabases } from '../../src/monitor/evidence/joined-database';
import { gatherKnown } from '../../src/monitor/evidence/known-of-databases';
import { computeWriteWork } from '../../src/monitor/evidence/write-work-evidence';
import type { JudgedOn } from '../../src/monitor/facts/server-judgement';
import type { Site } from './site';

const BYTES_A_WRITE = 4_096;

export function evidenceOfSite(
  site: Site,
  facts: Facts,
  capture: CaptureRecord | null,
): Pick<JudgedOn, 'known' | 'grounds' | 'logWrites'> {
  const backups = site.server.canReadBackups ? backupsOf(site) : null;
  const logged = site.server.canReadErrorLog ? readLog(site, facts) : null;
  const work = sampleWork(site, facts);
  const databases = joinDatabases(facts, {
    captured: capture?.databases ?? [],
    sampled: work.databases,
    changes: [],
    loggedChanges: logged && changesOf(logged),
    flushCache: logged && listFlushCacheMoments(logged.groups).byDatabaseId,
    backups,
  });
  const changes = databases.flatMap(({ databaseId, changes: own }) =>
    listChanges(own).map((change) => ({ ...change, databaseId })),
  );
  const samples = new Map<number, number[]>();
  for (const [databaseId = 0, , mb = 0] of site.logSinceCheckpointMb) addToList(samples, databaseId, mb);
  const redo = { samples, readUtcMs: null };
  const readings = { backups: backups && observed(backups) } as unknown as EvidenceSources['readings'];
  const asked = {
    facts,
    capture,
    trackedDatabaseIds: null,
    changes,
    forecast: null,
    result: null,
    since: null,
    instance: null,
    isHeld: false,
  };
  const sources = { ...asked, work, sampling: null, isSampling: false, readings, redo };
  const computed =
    site.logWaits === null
      ? { logLatencies: new Map<number, null>(), logWrites: 'not sampled' as const }
      : finishSteps(
          computeWriteWork(sources, databases, createServerTime([], facts.server.utcOffsetMinutes), null),
        );
  const { nowUtcMs } = facts.server;
  return {
    known: gatherKnown(databases, { ...computed, logged, redo, nowUtcMs }),
    grounds: { backups: backups && { byName: backups, readUtcMs: nowUtcMs }, changes, offsets: [] },
    logWrites: computed.logWrites,
  };
}

function backupsOf({ backups, databases }: Site): ReadonlyMap<string, readonly BackupRun[]> {
  const names = new Map(databases.map(({ id, name }) => [id, name]));
  const runs = new Map<string, BackupRun[]>();
  for (const { databaseId, type, startMs, endMs } of backups) {
    const name = names.get(databaseId);
    if (name === undefined) continue;
    // msdb stores whole seconds.
    const [beginUtcMs, endUtcMs] = [Math.floor(startMs / 1000) * 1000, Math.floor(endMs / 1000) * 1000];
    addToList(runs, name, { type, beginUtcMs, endUtcMs, bytes: 0 });
  }
  return runs;
}

function readLog(
  { errorLog, observedFromMs }: Site,
  { server: { nowUtcMs, utcOffsetMinutes } }: Facts,
): ErrorLogTextReading {
  const observations = [observedFromMs, nowUtcMs].map((utcMs) => ({
    localMs: toLocalMs(utcMs, utcOffsetMinutes),
    offsetMinutes: utcOffsetMinutes,
  }));
  return readErrorLogText(errorLog.join('\n'), { clock: observations });
}

function changesOf({
  changes,
}: ErrorLogTextReading): NonNullable<Parameters<typeof joinDatabases>[1]['loggedChanges']> {
  const byName = new Map<string, ReturnType<typeof listLoggedChanges>['changes'][number]['moment'][]>();
  for (const { databaseName, moment } of listLoggedChanges(changes).changes)
    addToList(byName, databaseName, moment);
  return byName;
}

/**
 * Counters that rise as the samples say, read at the end of each sample. Waits for the log of the whole server are
 * those of the sampled databases together.
 */
function sampleWork({ logWaits }: Site, { databases }: Facts): WriteWorkLog {
  const work = new WriteWorkLog();
  if (logWaits === null) return work;
  const { sampleMs, samples } = logWaits;
  const ids = new Set(samples.map(([databaseId]) => databaseId));
  const sampled = databases
    .filter(({ databaseId }) => ids.has(databaseId))
    .map((one) => ({ ...one, figures: new Float64Array(FILE_FIGURES.length) }));
  const byId = new Map(sampled.map((one) => [one.databaseId, one.figures]));
  const ordered = [...samples].sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0));
  const readAt = (nowUtcMs: number): void => {
    const moment = { serverName: null, nowUtcMs, ticksMs: nowUtcMs, startedTicksMs: 0 };
    const files = { dataFiles: 1, logFiles: 1, untypedFiles: 0 };
    const rows = sampled.map((one) => ({
      ...one,
      counterInstance: one.name,
      ...files,
      figures: one.figures.slice(),
    }));
    finishSteps(work.appendDatabases({ moment, databases: rows }, null, sampleMs * 1.5));
    const server = new Float64Array(INSTANCE_FIGURES.length).fill(NaN);
    server[INSTANCE_FIGURES.indexOf('writelogWaits')] = sumOf(sampled, 'logWrites');
    server[INSTANCE_FIGURES.indexOf('writelogWaitMs')] = sumOf(sampled, 'logWriteStallMs');
    const others = { flushSleepMs: null, allWaitMs: null, databasePages: null };
    work.appendInstance({ moment, figures: server, ...others }, sampleMs * 1.5);
  };
  let lastMs = -Infinity;
  for (let at = 0; at < ordered.length;) {
    const endMs = ordered[at]?.[1] ?? 0;
    if (lastMs !== endMs - sampleMs) readAt(endMs - sampleMs);
    for (; ordered[at]?.[1] === endMs; at++) {
      const [databaseId = 0, , writes = 0, stallMs = 0] = ordered[at] ?? [];
      const figures = byId.get(databaseId);
      if (figures === undefined) continue;
      raise(figures, 'logWrites', writes);
      raise(figures, 'logWrittenBytes', writes * BYTES_A_WRITE);
      raise(figures, 'logWriteStallMs', stallMs);
    }
    readAt(endMs);
    lastMs = endMs;
  }
  return work;
}

function raise(figures: Float64Array, name: (typeof FILE_FIGURES)[number], by: number): void {
  const at = FILE_FIGURES.indexOf(name);
  figures[at] = (figures[at] ?? 0) + by;
}

function sumOf(
  sampled: readonly { readonly figures: Float64Array }[],
  name: (typeof FILE_FIGURES)[number],
): number {
  const at = FILE_FIGURES.indexOf(name);
  return sampled.reduce((sum, { figures }) => sum + (figures[at] ?? 0), 0);
}
