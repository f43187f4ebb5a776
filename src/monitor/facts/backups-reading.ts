import { type BackupsReading, readBackupRows } from '../../core/task/backup-rows';
import type { Observed } from '../../core/observed';
import { takeSteps } from '../../core/steps';
import { writeInteger } from '../../core/script/quote';
import { fillTemplate } from '../../core/script/template';
import { toLocalMs, writeUtcTime } from '../../core/time';
import { readTemplates } from '../../texts';
import { observe } from '../queries/observed-read';
import type { SamplingWorld } from './write-work-sampling';

/**
 * Full and differential backups are read apart from log backups: 400 databases make 9,600 of those a day, which would
 * leave no room for the others.
 */
const MOST_ROWS = 50_000;
const typePatterns = { full: '[DI]', log: 'L' } as const;
/** No two time zones are further apart, so the question includes all backups that ended since, by any offset. */
const MOST_OFFSET_MS = 26 * 3_600_000;

interface BackupsWorld extends Pick<SamplingWorld, 'query' | 'pause'> {
  readonly sinceUtcMs: number;
  /** In force on the server now. */
  readonly utcOffsetMinutes: number;
}

export interface ServerBackups {
  /** Full and differential. */
  readonly full: BackupsReading;
  readonly log: BackupsReading;
}

/**
 * The backups that ended since; not observable, with the reason, if this login may not read them.
 * @throws ConnectionError
 */
export async function readBackups(world: BackupsWorld): Promise<Observed<ServerBackups>> {
  return observe(async () => ({ full: await readKind(world, 'full'), log: await readKind(world, 'log') }));
}

async function readKind(
  { query, pause, sinceUtcMs, utcOffsetMinutes }: BackupsWorld,
  kind: keyof ServerBackups,
): Promise<BackupsReading> {
  const text = fillTemplate(readTemplates.backups, {
    rows: writeInteger(MOST_ROWS),
    type_pattern: typePatterns[kind],
    since_local: writeUtcTime(toLocalMs(sinceUtcMs - MOST_OFFSET_MS, utcOffsetMinutes)),
  });
  return keepSince(await takeSteps(readBackupRows(await query.run(text)), pause), sinceUtcMs);
}

function keepSince(reading: BackupsReading, sinceUtcMs: number): BackupsReading {
  const databases = reading.databases.map(({ databaseName, runs }) => ({
    databaseName,
    runs: runs.filter(({ endUtcMs }) => endUtcMs >= sinceUtcMs),
  }));
  return { ...reading, databases: databases.filter(({ runs }) => runs.length > 0) };
}
