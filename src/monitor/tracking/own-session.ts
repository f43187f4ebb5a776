import type { Facts } from '../../core/advice/facts';
import { type SessionSnapshot, readPredicateIds } from '../../core/session/event-session';
import { type SessionOwner, writeDatabasesChange, writeMissingEvents } from '../../core/script/session';
import type { OwnSessionText } from '../../core/script/text';
import { ConnectionError } from '../../hosts/host';
import { ownSessionTemplates } from '../../texts';
import { describeSpace, findSpaceObstacle } from './event-file-space';
import { readSpaceNow } from '../facts/event-volume-reading';
import { describeError } from '../queries/failure';
import type { ServerQuery } from '../queries/server-query';
import { readSessionState, runSessionText, type SessionTexts, writeSessionTexts } from './session-looks';
import { findOwner, isAgreed, type SessionElsewhere, StartedElsewhere } from './session-owner';
import type { MonitorSurroundings } from '../queries/surroundings';
import { findMissingPermission, findSessionFolder, hasNoFiles } from '../facts/tracking-permission';
import { describeBrokenOff, describeForeignSession, describeStartedMeanwhile } from './tracking-sentences';

/** ALTER EVENT SESSION ... STATE = STOP on a session that is not running. */
const ALREADY_STOPPED = 25704;

interface StartedTracking {
  readonly session: SessionSnapshot;
  /** What its files take and what is free, as one sentence; null: not known. */
  readonly space: string | null;
}

/**
 * The one event session of ours on a server: what creates, starts, stops and drops it, on the user's click only. One that another installation started is looked
 * at again right before each change: it has to be the one that the user agreed to.
 */
export class OwnSession {
  constructor(
    private readonly query: ServerQuery,
    private readonly surroundings: MonitorSurroundings,
  ) {}

  /** The texts as they would run now. */
  writeTexts(facts: Facts | null, databaseIds: readonly number[] | null): SessionTexts {
    const state = facts?.state;
    return writeSessionTexts({
      databaseIds,
      hasBufferPoolScanComplete: state?.kind === 'observed' && state.value.hasBufferPoolScanComplete,
      majorVersion: Number(facts?.server.productVersion.split('.')[0] ?? 0),
      folder: facts === null ? '' : findSessionFolder(facts),
      isInMemory: facts !== null && hasNoFiles(facts.server),
    });
  }

  /** Whether one that is stopped may be made again, before anything is begun. @throws StartedElsewhere, Error with one sentence */
  checkPlace(facts: Facts, before: SessionSnapshot, agreed: SessionElsewhere | null): void {
    if (!before.isDefined) return;
    this.checkOwner(before, agreed);
    const missing = findMissingPermission(facts.server, 'start again');
    if (missing !== null) throw new Error(missing);
  }

  /** Creates and starts it, in place of one that was stopped. @throws ConnectionError, StartedElsewhere, Error with one sentence */
  async start(facts: Facts, databaseIds: readonly number[] | null, agreed: SessionElsewhere | null): Promise<StartedTracking> {
    const texts = this.writeTexts(facts, databaseIds);
    const space = await readSpaceNow(this.query, facts);
    const obstacle = findSpaceObstacle(space);
    if (obstacle !== null) throw new Error(obstacle);
    const before = await readSessionState(this.query);
    if (before.isRunning) throw new Error(describeStartedMeanwhile(this.surroundings.access.label));
    this.checkPlace(facts, before, agreed);
    if (before.isDefined) await this.run(texts.drop, 'Start tracking: drop the stopped session; its files stay');
    await this.run(texts.create, 'Start tracking: create');
    await this.run(texts.start, 'Start tracking: start');
    const session = await readSessionState(this.query);
    await this.keepStarted(session);
    return { session, space: describeSpace(space) };
  }

  /** Remembers that this installation started it, which nothing on the server tells. */
  private async keepStarted({ serverName, definitionId, startedLocalMs }: SessionSnapshot): Promise<void> {
    if (serverName === null || definitionId === null || startedLocalMs === null) return;
    await this.surroundings.installation.keepStarted(serverName, { definitionId, startedLocalMs });
  }

  /** @returns false where it was stopped already @throws StartedElsewhere, Error with one sentence, ConnectionError */
  async stop(facts: Facts | null, agreed: SessionElsewhere | null): Promise<boolean> {
    const missing = facts === null ? null : findMissingPermission(facts.server, 'stop');
    if (missing !== null) throw new Error(missing);
    const before = await readSessionState(this.query);
    if (before.isRunning) this.checkOwner(before, agreed);
    try {
      await this.run(this.writeTexts(facts, null).stop, 'Stop tracking');
      return true;
    } catch (error) {
      if (error instanceof ConnectionError && error.number === ALREADY_STOPPED) return false;
      throw error;
    }
  }

  /**
   * Prepares a change of the databases that it records while it runs. @param before as it was seen last @returns what sends the change, mends what it left broken off,
   * and gives its note; it throws Error with one sentence, ConnectionError @throws StartedElsewhere, Error with one sentence, where nothing is to be sent
   */
  prepareChange(
    facts: Facts,
    databaseIds: readonly number[] | null,
    before: SessionSnapshot,
    agreed: SessionElsewhere | null,
  ): () => Promise<string | null> {
    const missing = findMissingPermission(facts.server, 'change databases');
    if (missing !== null) throw new Error(missing);
    this.checkOwner(before, agreed);
    const { state } = facts;
    const hasBufferPoolScanComplete = state.kind === 'observed' && state.value.hasBufferPoolScanComplete;
    const change = { databaseIds, earlierIds: readPredicateIds(before.predicate), hasBufferPoolScanComplete };
    const text = writeDatabasesChange(change, ownSessionTemplates.changeDatabases);
    return async () => {
      // Between two looks somebody else may have made another of it.
      this.checkOwner(await readSessionState(this.query), agreed);
      try {
        return await this.run(text, 'Change the databases to track');
      } catch (error) {
        await this.mendChange(agreed, error);
        throw error;
      }
    };
  }

  /** After a change that failed, maybe between dropping an event and adding it again: adds it as the other one is. @throws Error with one sentence */
  private async mendChange(agreed: SessionElsewhere | null, failure: unknown): Promise<void> {
    const after = await readSessionState(this.query).catch(() => null);
    if (after?.lacks === undefined || !this.mayChange(after, agreed)) return;
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

  /** Of a session of our name. */
  findOwner(session: SessionSnapshot): SessionOwner {
    return findOwner(session, this.surroundings.installation);
  }

  /** A stranger's is never changed, another installation's only where the user agreed to that. @throws StartedElsewhere, Error with one sentence */
  checkOwner(session: SessionSnapshot, agreed: SessionElsewhere | null): void {
    const { label } = this.surroundings.access;
    if (this.findOwner(session) === 'a stranger') throw new Error(describeForeignSession(label));
    if (!this.mayChange(session, agreed)) throw new StartedElsewhere(label, session);
  }

  private mayChange(session: SessionSnapshot, agreed: SessionElsewhere | null): boolean {
    const owner = this.findOwner(session);
    return owner === 'this installation' || (owner === 'another installation' && isAgreed(session, agreed));
  }

  /** @returns its note */
  private async run(text: OwnSessionText, title: string): Promise<string | null> {
    const { access, log } = this.surroundings;
    const note = await runSessionText(this.query, text, (sent) => log.sql(`${access.label}: ${title}`, sent));
    if (note !== null) log.warn(`${access.label}: ${title}: ${note}`);
    return note;
  }
}
