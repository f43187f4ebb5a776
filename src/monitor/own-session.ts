import type { Facts } from '../core/advice/facts';
import { type EventSessionState, readPredicateIds } from '../core/capture/event-session';
import { isOwnSessionFile, writeDatabasesChange, writeMissingEvents } from '../core/script/session';
import type { OwnSessionText } from '../core/script/text';
import { ConnectionError } from '../hosts/host';
import { ownSessionTemplates } from '../texts';
import { describeSpace, findSpaceObstacle } from './event-file-space';
import { readSpaceNow } from './event-volume-reading';
import { describeError } from './failure';
import type { ServerQuery } from './server-query';
import { readSessionState, runSessionText, type SessionTexts, writeSessionTexts } from './session-control';
import type { MonitorSurroundings } from './surroundings';
import { findMissingPermission, findSessionFolder, hasNoFiles } from './tracking-permission';
import { describeBrokenOff, describeForeignSession } from './tracking-sentences';

/** ALTER EVENT SESSION ... STATE = STOP on a session that is not running. */
const alreadyStopped = 25704;

/** The one event session of ours on a server: what creates, starts, stops and drops it, on the user's click only. */
export class OwnSession {
  constructor(
    private readonly query: ServerQuery,
    private readonly surroundings: MonitorSurroundings,
  ) {}

  /** The texts as they would run now. */
  writeTexts(facts: Facts | null, databaseIds: readonly number[] | null, nowUtcMs = facts?.server.nowUtcMs ?? 0): SessionTexts {
    const state = facts?.state;
    return writeSessionTexts({
      databaseIds,
      hasBufferPoolScanComplete: state?.kind === 'observed' && state.value.hasBufferPoolScanComplete,
      majorVersion: Number(facts?.server.productVersion.split('.')[0] ?? 0),
      nowUtcMs,
      folder: facts === null ? '' : findSessionFolder(facts),
      isInMemory: facts !== null && hasNoFiles(facts.server),
    });
  }

  /** Creates and starts it, in place of one that was stopped. @param before as it was seen last @returns what its files take and what is free, as one sentence; null @throws ConnectionError, Error with one sentence */
  async start(facts: Facts, databaseIds: readonly number[] | null, before: EventSessionState): Promise<string | null> {
    const texts = this.writeTexts(facts, databaseIds, before.nowUtcMs);
    const anew = before.isDefined ? (this.findForeign(before, facts) ?? findMissingPermission(facts.server, 'start anew')) : null;
    if (anew !== null) throw new Error(anew);
    const now = await readSpaceNow(this.query, facts);
    const obstacle = findSpaceObstacle(now);
    if (obstacle !== null) throw new Error(obstacle);
    if (before.isDefined) await this.run(texts.drop, 'Start tracking: drop the stopped session; its files stay');
    await this.run(texts.create, 'Start tracking: create');
    await this.run(texts.start, 'Start tracking: start');
    return describeSpace(now);
  }

  /** @returns false where it was stopped already @throws Error with one sentence, ConnectionError */
  async stop(facts: Facts | null): Promise<boolean> {
    const missing = facts === null ? null : findMissingPermission(facts.server, 'stop');
    if (missing !== null) throw new Error(missing);
    try {
      await this.run(this.writeTexts(facts, null).stop, 'Stop tracking');
      return true;
    } catch (error) {
      if (error instanceof ConnectionError && error.number === alreadyStopped) return false;
      throw error;
    }
  }

  /**
   * Prepares a change of the databases that it records while it runs. @param before as it was seen last @returns what sends the change, mends what it left broken off,
   * and gives its note; it throws Error with one sentence, ConnectionError @throws Error with one sentence, where nothing is to be sent
   */
  prepareChange(facts: Facts, databaseIds: readonly number[] | null, before: EventSessionState): () => Promise<string | null> {
    const obstacle = findMissingPermission(facts.server, 'change databases') ?? this.findForeign(before, facts);
    if (obstacle !== null) throw new Error(obstacle);
    const { state } = facts;
    const hasBufferPoolScanComplete = state.kind === 'observed' && state.value.hasBufferPoolScanComplete;
    const change = { databaseIds, earlierIds: readPredicateIds(before.predicate), hasBufferPoolScanComplete };
    const text = writeDatabasesChange(change, ownSessionTemplates.changeDatabases);
    return async () => {
      try {
        return await this.run(text, 'Change the databases to track');
      } catch (error) {
        await this.mendChange(facts, error);
        throw error;
      }
    };
  }

  /** After a change that failed, maybe between dropping an event and adding it again: adds it as the other one is. @throws Error with one sentence */
  private async mendChange(facts: Facts, failure: unknown): Promise<void> {
    const after = await readSessionState(this.query).catch(() => null);
    if (after?.lacks === undefined || !isOwn(after, facts)) return;
    const databaseIds = readPredicateIds(after.predicate ?? after.endPredicate);
    try {
      await this.run(writeMissingEvents(databaseIds, ownSessionTemplates.addMissingEvents), 'Add the event that a failed change left out');
    } catch (error) {
      throw new Error(describeBrokenOff(after.lacks, describeError(failure), describeError(error)));
    }
  }

  /** @throws ConnectionError */
  async drop(facts: Facts | null): Promise<void> {
    await this.run(this.writeTexts(facts, null).drop, 'Remove tracking');
  }

  /** Why a session of our name is left as it is: it is somebody else's; null where it is ours. */
  private findForeign(session: EventSessionState, facts: Facts): string | null {
    return isOwn(session, facts) ? null : describeForeignSession(this.surroundings.access.label);
  }

  /** @returns its note */
  private async run(text: OwnSessionText, title: string): Promise<string | null> {
    const { access, log } = this.surroundings;
    const note = await runSessionText(this.query, text, (sent) => log.sql(`${access.label}: ${title}`, sent));
    if (note !== null) log.warn(`${access.label}: ${title}: ${note}`);
    return note;
  }
}

/** Of a session of our name: whether it records where ours do. @param facts null: not known, and then whether it can write files neither */
export function isOwn({ configuredFile, hasRing }: EventSessionState, facts: Facts | null): boolean {
  const isInMemory = facts === null ? configuredFile === null : hasNoFiles(facts.server);
  return isInMemory ? configuredFile === null && hasRing : isOwnSessionFile(configuredFile ?? '');
}
