import type { Facts } from '../../core/advice/facts';
import { defineRow, integer, nullable, readRows, text } from '../../core/rows';
import {
  nameSessionFile,
  NOT_AS_SEEN,
  type SessionOwner,
  type SessionPlan,
  SHOWN_MARK,
  writeDatabasesChange,
  writeGuard,
  writeMissingEvents,
  writeSessionCreate,
} from '../../core/script/session';
import { fillTemplate } from '../../core/script/template';
import type { OwnSessionTemplate, OwnSessionText } from '../../core/script/text';
import { readPredicateIds, type SessionSnapshot } from '../../core/session/event-session';
import { ConnectionError } from '../../hosts/host';
import { ownSessionTemplates } from '../../texts';
import { readSpaceNow } from '../facts/more-facts-reading';
import { findMissingPermission, findSessionFolder, hasNoFiles } from '../facts/tracking-permission';
import { describeError, explainRefusal } from '../queries/failure';
import type { ServerQuery } from '../queries/server-query';
import type { MonitorSurroundings } from '../queries/surroundings';
import { describeSpace, findSpaceObstacle, nameLeftFiles } from './event-files';
import type { FollowedSession } from './followed-session';
import { onFollowing } from './following';
import { lookAtSession } from './session-looks';
import { findOwner, isAgreed, type SessionElsewhere, StartedElsewhere } from './session-owner';
import { isInMemory, onReading } from './reading';
import type { SessionReader } from './session-reader';
import {
  describeBrokenOff,
  describeChangedMeanwhile,
  describeForeignSession,
  describeStartedMeanwhile,
} from './tracking-sentences';
import { t } from '../../core/language';

const outcomeRow = defineRow({ error_number: nullable(integer()), error_message: nullable(text()) });

/** The server does not know the event of the mark, the field in its predicate, or how to compare it. */
const MARK_REFUSED: ReadonlySet<number> = new Set([25623, 25706, 25713]);

/** ALTER EVENT SESSION ... STATE = STOP on a session that is not running. */
const ALREADY_STOPPED = 25704;

/**
 * Our own event session on a server: creates, starts, stops and drops it, on the user's click only. It is looked at
 * right before each change, and the change asks in its own batch whether it still is the one that was seen.
 */
export class OwnSession {
  constructor(
    private readonly query: ServerQuery,
    private readonly surroundings: MonitorSurroundings,
  ) {}

  /** The texts as they would run now, in their order. */
  listTexts(
    facts: Facts | null,
    databaseIds: readonly number[] | null,
  ): readonly { readonly title: string; readonly text: OwnSessionText }[] {
    const { start, stop, drop } = ownSessionTemplates;
    return [
      {
        title: 'Start tracking: create the event session',
        text: this.writeCreate(facts, databaseIds, SHOWN_MARK),
      },
      { title: 'Start tracking: start it', text: fillTemplate(start, {}) },
      { title: 'Stop tracking', text: fillTemplate(stop, {}) },
      { title: 'Remove tracking', text: fillTemplate(drop, {}) },
    ];
  }

  private writeCreate(
    facts: Facts | null,
    databaseIds: readonly number[] | null,
    mark: string | null,
  ): OwnSessionText {
    const isInMemory = facts !== null && hasNoFiles(facts.server);
    const plan: SessionPlan = {
      databaseIds,
      hasBufferPoolScanComplete: hasScanEvent(facts),
      majorVersion: Number(facts?.server.productVersion.split('.')[0] ?? 0),
      days: this.surroundings.sessionDays?.(),
      fileName: isInMemory ? null : nameSessionFile(facts === null ? '' : findSessionFolder(facts)),
      mark,
    };
    return writeSessionCreate(plan, isInMemory ? ownSessionTemplates.createRing : ownSessionTemplates.create);
  }

  /**
   * Checks, before anything begins, that a stopped session may be made again.
   * @throws StartedElsewhere, Error with one sentence
   */
  checkPlace(facts: Facts, before: SessionSnapshot, agreed: SessionElsewhere | null): void {
    if (!before.isDefined) return;
    this.checkOwner(before, agreed);
    const missing = findMissingPermission(facts.server, 'start again');
    if (missing !== null) throw new Error(missing);
  }

  /**
   * Creates and starts it, and replaces one that is stopped.
   * @returns `space`: how much its files take and how much is free, as one sentence; null: not known
   * @throws ConnectionError, StartedElsewhere, Error with one sentence
   */
  async start(
    facts: Facts,
    databaseIds: readonly number[] | null,
    agreed: SessionElsewhere | null,
  ): Promise<{ readonly session: SessionSnapshot; readonly space: string | null }> {
    const { installation, access } = this.surroundings;
    const { serverName } = facts.server;
    const mark = installation.newMark();
    const space = await readSpaceNow(this.query, facts);
    const obstacle = findSpaceObstacle(space);
    if (obstacle !== null) throw new Error(obstacle);
    const before = await lookAtSession(this.query, serverName);
    if (before.isRunning) throw new Error(describeStartedMeanwhile(access.label));
    this.checkPlace(facts, before, agreed);
    if (before.isDefined)
      await this.runOn(
        before,
        agreed,
        'Start tracking: drop the stopped session; its files stay',
        ownSessionTemplates.drop,
      );
    // Before it is made: what is ours stays ours, wherever the rest breaks off.
    await installation.keepStarted({ mark, startedLocalMs: null });
    await this.create(facts, databaseIds, mark);
    const made = await lookAtSession(this.query, serverName);
    // If a server shows no mark, its sessions do not count as ours: it can be tracked, and each later change asks
    // first.
    if ((made.mark ?? mark) !== mark) throw new Error(describeChangedMeanwhile(access.label));
    await this.runOn(made, null, 'Start tracking: start', ownSessionTemplates.start);
    const session = await lookAtSession(this.query, serverName);
    const { startedLocalMs, definitionId } = session;
    if (session.mark === mark) await installation.keepStarted({ mark, startedLocalMs, definitionId });
    return { session, space: describeSpace(space) };
  }

  /** A server that refuses the mark is tracked without one: then each later change asks first. */
  private async create(facts: Facts, databaseIds: readonly number[] | null, mark: string): Promise<void> {
    try {
      await this.run(this.writeCreate(facts, databaseIds, mark), 'Start tracking: create');
    } catch (error) {
      if (!(error instanceof ConnectionError && MARK_REFUSED.has(error.number ?? 0))) throw error;
      await this.run(
        this.writeCreate(facts, databaseIds, null),
        'Start tracking: create, without the mark that this server refuses',
      );
    }
  }

  /**
   * Stops the session unless a stranger made it. Event files are read afterwards, when the server has written
   * everything to them. A ring buffer is gone then, so it is read before.
   * @throws StartedElsewhere, AnotherServer, Error with one sentence, ConnectionError
   */
  async stop(reader: SessionReader, facts: Facts | null, agreed: SessionElsewhere | null): Promise<void> {
    const seen = await reader.lookNow();
    if (isInMemory(reader.reading)) await reader.takeTurn();
    // If a stranger made it again meanwhile, it is theirs, and goes on.
    const isOurs =
      reader.reading.isRunning && reader.reading.plan.isOwn && this.findOwner(seen) !== 'a stranger';
    const isStopped = isOurs && (await this.sendStop(seen, facts, agreed));
    const after = isStopped ? await lookAtSession(this.query, seen.serverName).catch(() => seen) : seen;
    reader.tell(onReading.stop, after.nowUtcMs);
  }

  /** @returns false if it was stopped already @throws StartedElsewhere, Error with one sentence, ConnectionError */
  private async sendStop(
    { serverName }: SessionSnapshot,
    facts: Facts | null,
    agreed: SessionElsewhere | null,
  ): Promise<boolean> {
    const missing = facts === null ? null : findMissingPermission(facts.server, 'stop');
    if (missing !== null) throw new Error(missing);
    const before = await lookAtSession(this.query, serverName);
    if (before.isRunning) this.checkOwner(before, agreed);
    try {
      await this.runOn(before, agreed, 'Stop tracking', ownSessionTemplates.stop);
      return true;
    } catch (error) {
      if (error instanceof ConnectionError && error.number === ALREADY_STOPPED) return false;
      throw error;
    }
  }

  /**
   * Prepares a change of the databases that it records while it runs.
   * @param before the last look
   * @returns a function that sends the change, mends it if it broke off, and gives its note; it throws Error with one
   * sentence, ConnectionError
   * @throws StartedElsewhere, Error with one sentence, if nothing is to be sent
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
    const change = {
      databaseIds,
      earlierIds: readPredicateIds(before.predicate),
      hasBufferPoolScanComplete: hasScanEvent(facts),
    };
    return async () => {
      // Between two looks another user may have made it again.
      const seen = await lookAtSession(this.query, before.serverName);
      this.checkOwner(seen, agreed);
      const write = (guard: string): OwnSessionText =>
        writeDatabasesChange({ ...change, guard }, ownSessionTemplates.changeDatabases);
      try {
        return await this.runOn(seen, agreed, 'Change the databases to track', write);
      } catch (error) {
        await this.mendChange(seen, agreed, error);
        throw error;
      }
    };
  }

  /**
   * Mends a change that failed, maybe between dropping an event and adding it again: adds it with the databases of the
   * other event.
   * @throws Error with one sentence
   */
  private async mendChange(
    { serverName }: SessionSnapshot,
    agreed: SessionElsewhere | null,
    failure: unknown,
  ): Promise<void> {
    const after = await lookAtSession(this.query, serverName).catch(() => null);
    if (after?.lacks === undefined || !this.mayChange(after, agreed)) return;
    const databaseIds = readPredicateIds(after.predicate ?? after.endPredicate);
    try {
      const write = (guard: string): OwnSessionText =>
        writeMissingEvents(databaseIds, guard, ownSessionTemplates.addMissingEvents);
      await this.runOn(after, agreed, 'Add the event that a failed change left out', write);
    } catch (error) {
      throw new Error(describeBrokenOff(after.lacks, describeError(failure), describeError(error)));
    }
  }

  /**
   * Stops our session if need be and drops it, after checking the permissions for all of that.
   * @param followed our session, if it is or was followed
   * @param stop stops it; null if it is not being tracked
   * @returns the event files that stay
   * @throws StartedElsewhere, Error with one sentence, ConnectionError
   */
  async remove(
    followed: FollowedSession | null,
    stop: (() => Promise<void>) | null,
    facts: Facts,
    agreed: SessionElsewhere | null,
  ): Promise<readonly string[]> {
    const missing = findMissingPermission(facts.server, stop === null ? 'remove' : 'remove running');
    if (missing !== null) throw new Error(missing);
    await this.findOurs(facts, agreed);
    await stop?.();
    const session = await this.findOurs(facts, agreed);
    await this.runOn(session, agreed, 'Remove tracking', ownSessionTemplates.drop);
    if (followed !== null && followed.now.isOn && followed.now.ending === null)
      await followed.tell(onFollowing.end);
    return nameLeftFiles(session);
  }

  /** The session of our name, if we may stop and drop it. */
  private async findOurs({ server }: Facts, agreed: SessionElsewhere | null): Promise<SessionSnapshot> {
    const session = await lookAtSession(this.query, server.serverName);
    if (!session.isDefined)
      throw new Error(t('{0} has no event session of Checkpoint Health.', this.surroundings.access.label));
    this.checkOwner(session, agreed);
    return session;
  }

  findOwner(session: SessionSnapshot): SessionOwner {
    return findOwner(session, this.surroundings.installation);
  }

  /**
   * A stranger's session is never changed, another installation's only if the user agreed.
   * @throws StartedElsewhere, Error with one sentence
   */
  checkOwner(session: SessionSnapshot, agreed: SessionElsewhere | null): void {
    const { label } = this.surroundings.access;
    if (this.findOwner(session) === 'a stranger') throw new Error(describeForeignSession(label));
    if (!this.mayChange(session, agreed)) throw new StartedElsewhere(label, session);
  }

  private mayChange(session: SessionSnapshot, agreed: SessionElsewhere | null): boolean {
    const owner = this.findOwner(session);
    return owner === 'this installation' || (owner === 'another installation' && isAgreed(session, agreed));
  }

  /**
   * Runs a text that does nothing unless the session is still the one seen.
   * @throws StartedElsewhere, Error with one sentence, ConnectionError
   */
  private async runOn(
    seen: SessionSnapshot,
    agreed: SessionElsewhere | null,
    title: string,
    text: OwnSessionTemplate | ((guard: string) => OwnSessionText),
  ): Promise<string | null> {
    const guard = writeGuard(seen);
    try {
      return await this.run(typeof text === 'string' ? fillTemplate(text, { guard }) : text(guard), title);
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.number !== NOT_AS_SEEN) throw error;
      const now = await lookAtSession(this.query, seen.serverName);
      if (now.isDefined) this.checkOwner(now, agreed);
      throw new Error(describeChangedMeanwhile(this.surroundings.access.label));
    }
  }

  /**
   * Runs one text. Each text reports its error as a row, because a host may hide it (docs/facts.md, Hosts 3).
   * @returns its note, as one sentence, if not all of it could be done; else null
   * @throws ConnectionError with SQL Server's number and message
   */
  private async run(sessionText: OwnSessionText, title: string): Promise<string | null> {
    const { access, log } = this.surroundings;
    log.sql(`${access.label}: ${title}`, sessionText);
    const { rows, problems } = readRows(outcomeRow, await this.query.change(sessionText));
    const outcome = rows[0];
    if (outcome === undefined)
      throw new ConnectionError(
        'queryFailed',
        problems[0]?.message ?? t('The server did not say whether the change was made.'),
      );
    const { errorNumber: number, errorMessage: message } = outcome;
    if (number !== null) throw explainRefusal({ number, message: message ?? '' }, 'SQL Server');
    if (message !== null) log.warn(`${access.label}: ${title}: ${message}`);
    return message;
  }
}

function hasScanEvent(facts: Facts | null): boolean {
  return facts?.state.kind === 'observed' && facts.state.value.hasBufferPoolScanComplete;
}
