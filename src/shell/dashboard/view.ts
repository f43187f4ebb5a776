/** What the dashboard shows of a server: from a snapshot and its capture to the values of the protocol. */
import { type Facts, recoveryIntervalMs } from '../../core/advice/facts';
import type { Verdict } from '../../core/advice/verdict';
import type { CapturedDatabase } from '../../core/capture/checkpoint-columns';
import { formatUtcOffset } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import type { DatabaseView, ServerView, TrackingView } from '../../protocol';
import { countAutomatic, describeMemory, nameProduct } from '../server-words';

/** The engine's default recovery interval, for as long as nothing was read. */
const defaultRecoveryIntervalMs = 60_000;

/** null: nothing is known yet, and nothing failed. */
export function createServerView(snapshot: ServerSnapshot): ServerView | null {
  const { facts } = snapshot;
  if (facts === null) {
    if (snapshot.failure === null) return null;
    const description = 'not reached';
    return {
      name: snapshot.label,
      description,
      automatic: 0,
      databases: 0,
      utcOffsetMinutes: 0,
      recoveryIntervalMs: defaultRecoveryIntervalMs,
    };
  }
  return {
    name: snapshot.label,
    description: describe(snapshot, facts),
    ...countAutomatic(facts),
    utcOffsetMinutes: facts.server.utcOffsetMinutes,
    recoveryIntervalMs: recoveryIntervalMs(facts.server),
  };
}

function describe(snapshot: ServerSnapshot, facts: Facts): string {
  const parts = [nameProduct(facts.server)];
  if (facts.state.kind === 'observed') parts.push(`${describeMemory(facts.state.value)} memory`);
  parts.push(formatUtcOffset(facts.server.utcOffsetMinutes));
  if (snapshot.connection === 'failed') parts.push('not reached now, as last seen');
  return parts.join(' · ');
}

/** Where the server was never reached, that is what there is to say about tracking. */
export function createTrackingView({ facts, failure, tracking }: ServerSnapshot): TrackingView {
  return facts === null && failure !== null ? { ...tracking, state: 'failed', message: failure } : tracking;
}

/**
 * The databases of a capture in the order of its `database` column, then those that were tracked and had no checkpoint.
 * @param captured null: there is no capture
 */
export function createDatabaseViews(snapshot: ServerSnapshot, captured: readonly CapturedDatabase[] | null): readonly DatabaseView[] {
  const byId = new Map((snapshot.facts?.databases ?? []).map((database) => [database.databaseId, database]));
  const describeOne = (databaseId: number, capturedName: string | null): DatabaseView => {
    const facts = byId.get(databaseId);
    const verdict = snapshot.verdicts.get(databaseId);
    const name = facts?.name ?? capturedName ?? `database_id ${databaseId}`;
    return { databaseId, name, targetSeconds: facts?.targetSeconds ?? null, ...describeVerdict(verdict, snapshot.facts !== null) };
  };
  if (captured === null) return [];
  const present = new Set(captured.map((database) => database.databaseId));
  const quiet = listTracked(snapshot).filter((databaseId) => !present.has(databaseId) && byId.has(databaseId));
  return [
    ...captured.map((database) => describeOne(database.databaseId, database.name)),
    ...quiet.map((databaseId) => describeOne(databaseId, null)),
  ];
}

/** Databases of which a checkpoint would have been seen. */
function listTracked(snapshot: ServerSnapshot): readonly number[] {
  if (snapshot.trackedDatabaseIds !== null) return snapshot.trackedDatabaseIds;
  return (snapshot.facts?.databases ?? [])
    .filter((database) => database.state === 'ONLINE' && !database.isSnapshot)
    .map((database) => database.databaseId);
}

function describeVerdict(verdict: Verdict | undefined, isReached: boolean): Pick<DatabaseView, 'verdict' | 'reason' | 'confidence'> {
  if (verdict === undefined) {
    const reason = isReached ? 'This database is not in the catalog now.' : 'The server was not reached, so its settings are not known.';
    return { verdict: 'Cannot tell here', reason, confidence: 'low' };
  }
  return { verdict: verdict.verdict, reason: verdict.reason, confidence: verdict.confidence };
}
