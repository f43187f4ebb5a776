import type { SessionSnapshot } from '../../../src/core/session/event-session';

/** This many hours after the moment of a snapshot. */
export const hour = (hours: number): number => Date.UTC(2026, 2, 2, 8) + hours * 3_600_000;

/** A session that runs for an hour, on a server that started two days ago, with what the test wants to be different. */
export function snapshotOf(changes: Partial<SessionSnapshot> = {}): SessionSnapshot {
  const server = {
    serverName: 'A',
    serverStartedLocalMs: hour(-48),
    nowUtcMs: hour(0),
    utcOffsetMinutes: 120,
  };
  const session = {
    isDefined: true,
    isRunning: true,
    definitionId: 1,
    startedLocalMs: hour(1),
    firstStartedLocalMs: hour(-48),
  };
  const dropped = { droppedEvents: 0, droppedBuffers: 0 };
  const options = {
    tracksCausality: true,
    dispatchLatencyMs: 5_000,
    hasBothEvents: true,
    predicate: null,
    endPredicate: null,
  };
  const target = { configuredFile: 'C.xel', maxRolloverFiles: 4, hasRing: false, targetData: null };
  return { ...server, ...session, ...dropped, ...options, ...target, ...changes };
}
