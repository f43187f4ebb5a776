/**
 * Tools for language models: what is known of the servers, why, and what a switch would do. They answer from memory and
 * from kept captures. They get no monitor and no way to a connection, only `StoredServers`.
 */
import * as vscode from 'vscode';
import type { ListedCapture } from '../../captures/capture-folder';
import type { Choice } from '../../core/advice/plan';
import type { CaptureRecord } from '../../core/capture/capture-record';
import { t } from '../../core/language';
import { escapeText } from '../../core/markdown';
import { createNameFinder, describeUnknown, listNames, type StoredCapture } from '../../core/answers/answer';
import {
  explainDatabase,
  explainInstance,
  listStored,
  type StoredServer,
} from '../../core/answers/server-answer';
import { describePlan } from '../../core/answers/plan-answer';
import { createReviewDraft, readReviewDraft } from '../../core/review/review-draft';
import { describeReview } from '../../core/review/review-page';
import { describeError } from '../../monitor/queries/failure';
import type { ReviewedSwitch, ServerSnapshot } from '../../monitor/server-monitor';
import { type Log, redact } from '../kit/log';
import type { OpenServers } from '../servers/open-servers';
import type { ListedServer } from '../servers/server-list';
import { connectionNames, describeAbsence, tellUnverified } from '../kit/server-words';
import { proposeReview } from './script-command';

/** What is stored of the servers in the list. Nothing here asks a server. */
export interface StoredServers {
  snapshots(): readonly ServerSnapshot[];
  capture(serverId: string): CaptureRecord | null;
  /** Plans from what was read last. @throws Error with one sentence */
  replan(serverId: string, choice: Choice): Promise<ReviewedSwitch>;
  /** The newest capture on disk; null: none. */
  findKept(serverId: string): Promise<ListedCapture | null>;
}

/** Without a monitor: what the tools can reach asks no server. */
export function readStored(
  servers: OpenServers,
  findKept: (server: ListedServer) => Promise<ListedCapture | null>,
): StoredServers {
  return {
    snapshots: () => servers.snapshots(),
    capture: (serverId) => servers.capture(serverId),
    replan: (serverId, choice) => servers.replan(serverId, choice),
    findKept: async (serverId) => {
      const server = servers.list.find(serverId);
      return server === undefined ? null : findKept(server);
    },
  };
}

/** What we use of an interface that came with VS Code 1.95. Older editors and Azure Data Studio lack it. */
interface LanguageModelApi {
  readonly lm?: { registerTool?(name: string, tool: LanguageModelTool): vscode.Disposable };
  readonly LanguageModelToolResult?: new (content: readonly object[]) => object;
  readonly LanguageModelTextPart?: new (value: string) => object;
}

interface LanguageModelTool {
  prepareInvocation(): object;
  invoke(options: { readonly input: unknown }, token: Token): Promise<object>;
}

type Answer = (input: Input, token: Token) => Promise<string>;
type Token = { readonly isCancellationRequested: boolean };

/**
 * Longest name that is taken. A name of SQL Server has 128 characters at most, which can grow when hidden ones are
 * written out.
 */
const MOST_IN_NAME = 2_000;
const MOST_DATABASES = 500;

/** Registers the tools of the manifest. Does nothing in an editor that has none. */
export function registerAgentTools(servers: StoredServers, log: Log): vscode.Disposable {
  const { lm, LanguageModelToolResult, LanguageModelTextPart } = vscode as LanguageModelApi;
  if (
    lm?.registerTool === undefined ||
    LanguageModelToolResult === undefined ||
    LanguageModelTextPart === undefined
  )
    return nothing;
  const create = (name: string, answer: Answer): LanguageModelTool => ({
    prepareInvocation: () => ({
      invocationMessage: t('Reading what Checkpoint Health has stored'),
      confirmationMessages: {
        title: t('Give stored evidence to the language model?'),
        message: t(
          'The answer names servers and databases, with figures and findings. No server is queried, and nothing is run.',
        ),
      },
    }),
    invoke: async ({ input }, token) => {
      log.info(`A language model used ${name}.`);
      try {
        return new LanguageModelToolResult([
          new LanguageModelTextPart(await answer(readInput(input), token)),
        ]);
      } catch (error) {
        throw new Error(redact(describeError(error)));
      }
    },
  });
  try {
    const tools = Object.entries(createAnswers(servers)).map(([name, answer]) =>
      lm.registerTool?.(name, create(name, answer)),
    );
    return { dispose: () => tools.forEach((tool) => tool?.dispose()) };
  } catch (error) {
    // A few versions of VS Code offer this only to extensions under development.
    log.warn(`The tools for language models are not available: ${describeError(error)}`);
    return nothing;
  }
}

const nothing: vscode.Disposable = { dispose: () => undefined };

/** By the names of the manifest. */
function createAnswers(servers: StoredServers): Readonly<Record<string, Answer>> {
  return {
    checkpointHealth_list: (_, token) => list(servers, token),
    checkpointHealth_explain: ({ server, database }) => explain(server, database, servers),
    checkpointHealth_plan: (input) => plan(input, servers),
  };
}

/** @throws Error if it was cancelled */
async function list(servers: StoredServers, token: Token): Promise<string> {
  const snapshots = servers.snapshots();
  const stored: StoredServer[] = [];
  for (const snapshot of snapshots) {
    if (token.isCancellationRequested) throw new Error(t('Cancelled.'));
    const one = await findStored(snapshot, servers);
    if (one.facts !== null || one.capture !== null) stored.push(one);
  }
  return listStored(stored, snapshots.length - stored.length);
}

async function explain(
  server: string | null,
  database: string | null,
  servers: StoredServers,
): Promise<string> {
  const stored = await findStored(findServer(server, servers), servers);
  if (database === null) return explainInstance(stored);
  const [databaseId = -1] = findDatabases(stored, [database]);
  return explainDatabase(stored, databaseId);
}

async function plan({ server, databases, targetSeconds }: Input, servers: StoredServers): Promise<string> {
  const snapshot = findServer(server, servers);
  const stored = await findStored(snapshot, servers);
  const databaseIds = findDatabases(stored, databases);
  const { facts } = snapshot;
  if (facts === null) throw new Error(describeUnread(stored));
  const proposal = proposeReview({ databaseIds, group: null }, snapshot, facts);
  const begin = createReviewDraft(proposal.databaseIds, proposal.namedIds, proposal.isCanaryRun);
  const asked = targetSeconds === null ? {} : { targetSeconds: String(targetSeconds) };
  const draft = { ...begin, texts: { ...begin.texts, ...asked } };
  const { choice, errors } = readReviewDraft(draft);
  if (choice === null) throw new Error(Object.values(errors).join(' '));
  const review = await servers.replan(snapshot.id, choice);
  return describePlan(
    stored,
    describeReview({ revision: draft.revision, namedIds: new Set(draft.namedIds), ...review }),
  );
}

function describeUnread({ label }: StoredServer): string {
  return t(
    'The settings of {0} were not read in this window. The user has to open it in the Checkpoint Health pane first.',
    label,
  );
}

/** @throws Error that lists the known servers */
function findServer(asked: string | null, servers: StoredServers): ServerSnapshot {
  const snapshots = servers.snapshots();
  const labels = snapshots.map(({ label }) => label);
  if (asked === null) throw new Error(t('Name a server. Known are: {0}.', escapeText(listNames(labels))));
  const at = createNameFinder(labels)(asked);
  const found = at === null ? undefined : snapshots[at];
  if (found === undefined) throw new Error(describeUnknown(asked, labels));
  return found;
}

/** Ids of these databases. @throws Error that lists the known databases */
function findDatabases(stored: StoredServer, asked: readonly string[]): readonly number[] {
  if (asked.length === 0) return [];
  if (stored.facts === null) throw new Error(describeUnread(stored));
  const { databases } = stored.facts;
  const names = databases.map(({ name }) => name);
  const find = createNameFinder(names);
  return asked.map((name) => {
    const at = find(name);
    const found = at === null ? undefined : databases[at];
    if (found === undefined) throw new Error(describeUnknown(name, names));
    return found.databaseId;
  });
}

interface Input {
  /** Absent or wrong only where a tool does not ask for it. */
  readonly server: string | null;
  readonly database: string | null;
  readonly databases: readonly string[];
  readonly targetSeconds: number | null;
}

/** @throws Error that says what is wrong */
function readInput(input: unknown): Input {
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input)))
    throw new Error(t('The input is an object with named values.'));
  const {
    server,
    database,
    databases,
    targetSeconds = null,
  } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (targetSeconds !== null && typeof targetSeconds !== 'number')
    throw new Error(t('targetSeconds is a number.'));
  return {
    server: readName(server, 'server'),
    database: readName(database, 'database'),
    databases: readNames(databases),
    targetSeconds,
  };
}

function readNames(value: unknown): readonly string[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw new Error(t('databases is a list of names.'));
  if (value.length > MOST_DATABASES)
    throw new Error(
      t(
        'Name at most {0} databases, or none. Without names, the plan is for the databases that the evidence says to switch.',
        MOST_DATABASES,
      ),
    );
  return value.map((name) => readName(name, 'databases') ?? '');
}

function readName(value: unknown, field: string): string | null {
  if (value == null) return null;
  if (typeof value !== 'string') throw new Error(t('{0} takes names as text.', field));
  if (value.length > MOST_IN_NAME) throw new Error(t('A name in {0} is too long.', field));
  return value;
}

/** The capture on disk counts only if none is in memory. */
async function findStored(snapshot: ServerSnapshot, servers: StoredServers): Promise<StoredServer> {
  const record = servers.capture(snapshot.id);
  const kept = record === null ? await servers.findKept(snapshot.id) : null;
  const capture = record === null ? kept && describeKept(kept) : describeCapture(snapshot, record);
  return { ...snapshot, absence: findAbsence(snapshot), capture };
}

function findAbsence(snapshot: ServerSnapshot): string | null {
  const { connection, tracking } = snapshot;
  if (tracking.unverified !== null) return tellUnverified(tracking.unverified);
  return describeAbsence(snapshot) ?? (connection === 'connected' ? null : connectionNames[connection]);
}

function describeCapture({ facts, tracking }: ServerSnapshot, record: CaptureRecord): StoredCapture {
  const { rowsRead, checkpoints } = record.ledger();
  const { lostEvents, lostBuffers, unverified, record: file } = tracking;
  const utcOffsetMinutes = (facts?.server ?? unverified ?? file)?.utcOffsetMinutes ?? null;
  return {
    id: record.id,
    observation: record.observation,
    rowsRead,
    checkpoints,
    lostEvents,
    lostBuffers,
    utcOffsetMinutes,
  };
}

function describeKept(kept: ListedCapture): StoredCapture {
  return { ...kept, checkpoints: kept.rows, lostEvents: null, lostBuffers: null };
}
