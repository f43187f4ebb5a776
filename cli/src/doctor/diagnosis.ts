/** What was seen of a server in one look -> an answer to each question, up to one to be solved before all others. */
import type { ServerFacts } from '../../../src/core/advice/facts';
import { formatDuration } from '../../../src/core/format';
import { SESSION_NAME, writeSessionGrant } from '../../../src/core/script/session';
import type { OwnServer } from '../../../src/hosts/host';
import {
  findMissingPermission,
  findTrackingObstacle,
  lacksView,
  nameViewPermission,
} from '../../../src/monitor/facts/tracking-permission';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { QueryCost } from '../servers/query-cost';
import { type DoctorAnswer, ok, note, problem } from './answer';

interface Seen {
  readonly server: OwnServer;
  readonly snapshot: Pick<
    ServerSnapshot,
    'connection' | 'failure' | 'standing' | 'facts' | 'tracking' | 'adoptedSession' | 'trackedDatabaseIds'
  >;
  readonly cost: QueryCost;
  /** By the clock of this computer: the server read its own clock in between. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** SQL Server 2012. */
const OLDEST_VERSION = 11;
/** Clocks that differ by more put events of two servers into another order than they had. */
const CLOCK_BOUND_MS = 2_000;

export function diagnose(seen: Seen): readonly DoctorAnswer[] {
  const { facts, connection } = seen.snapshot;
  if (connection !== 'connected' || facts === null) return explainAbsence(seen);
  const { queries, serverMs } = seen.cost;
  return [
    ok('It answers.'),
    describeEncryption(seen.server),
    ok(`The login ${facts.server.loginName} works.`),
    describePermissions(facts.server),
    describeVersion(facts.server),
    describeSession(seen),
    ...describeLoss(seen),
    ok(`This took ${queries} queries, which the server answered in ${Math.round(serverMs)} ms.`),
    describeClock(facts.server.nowUtcMs, seen),
  ];
}

function explainAbsence({ server, snapshot: { failure, standing }, cost }: Seen): readonly DoctorAnswer[] {
  const sentence = failure ?? 'It did not answer in time. Try again, or check whether it is overloaded.';
  const advice =
    'Give it a certificate that this computer trusts, or --trust-server-certificate to accept any.';
  const advised = server.authentication === 'entra' ? sentence : `${sentence} ${advice}`;
  if (standing?.kind === 'certificate') return [ok('It answers.'), problem(advised)];
  if (cost.refusal !== null) return [ok('It answers.'), describeEncryption(server), problem(sentence)];
  return [problem(sentence)];
}

function describeEncryption({ trustServerCertificate }: OwnServer): DoctorAnswer {
  if (!trustServerCertificate)
    return ok('The connection is encrypted, and this computer trusts the certificate.');
  return note(
    'The connection is encrypted, but any certificate is accepted. Give the server one that this computer trusts, and leave out trust-server-certificate.',
  );
}

function describePermissions(server: ServerFacts): DoctorAnswer {
  const obstacle = findTrackingObstacle(server);
  if (obstacle === null) {
    const missing = findMissingPermission(server, 'remove running');
    return missing === null
      ? ok('The login may collect, and start, stop and remove the event session.')
      : note(missing);
  }
  if (obstacle.grant === null) return problem(obstacle.sentence);
  if (!lacksView(server.permissions))
    return note(
      `The login may collect, but not start the event session. To allow that, an administrator runs: ${obstacle.grant}`,
    );
  const grant = writeSessionGrant([nameViewPermission(server)], server.loginName);
  return problem(
    `The login lacks the permission to read what is recorded. An administrator runs: ${grant} To start the event session too: ${obstacle.grant}`,
  );
}

function describeVersion({ productVersion, productLevel, edition }: ServerFacts): DoctorAnswer {
  const sentence = `It is SQL Server ${productVersion} (${productLevel}), ${edition}.`;
  if (Number(productVersion.split('.')[0]) >= OLDEST_VERSION) return ok(sentence);
  return problem(`${sentence} Checkpoints are recorded from SQL Server 2012 on.`);
}

function describeSession({ server, snapshot }: Seen): DoctorAnswer {
  const { tracking, adoptedSession, trackedDatabaseIds } = snapshot;
  if (tracking.state === 'tracking') {
    if (adoptedSession !== null)
      return note(tracking.message ?? `Reading the event session ${adoptedSession}.`);
    const what = trackedDatabaseIds === null ? 'all' : `${trackedDatabaseIds.length} chosen`;
    return ok(`The event session ${SESSION_NAME} is running and records ${what} databases.`);
  }
  const start = `Start it: checkpoint-health start --server ${server.server}`;
  return problem(`The event session ${SESSION_NAME} is not running, or the login may not see it. ${start}`);
}

function describeLoss({ snapshot: { tracking } }: Seen): readonly DoctorAnswer[] {
  if (tracking.state !== 'tracking') return [];
  const { lostEvents, lostBuffers } = tracking;
  if (lostEvents === null || lostBuffers === null) return [note('Lost events of the session: not visible.')];
  if (lostEvents + lostBuffers === 0) return [ok('The session has lost no events since it was started.')];
  const lost = `the session has lost ${lostEvents} events and ${lostBuffers} buffers of events`;
  return [problem(`Since it was started, ${lost}. Record fewer databases with start --database.`)];
}

function describeClock(serverMs: number, { fromMs, toMs }: Seen): DoctorAnswer {
  const aheadMs = serverMs < fromMs ? serverMs - fromMs : Math.max(0, serverMs - toMs);
  if (Math.abs(aheadMs) <= CLOCK_BOUND_MS) return ok('Its clock agrees with this computer.');
  const off = `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this computer`;
  const advice = 'Synchronise both with one time source: the lake compares times of several servers.';
  return problem(`Its clock is ${off}. ${advice}`);
}
