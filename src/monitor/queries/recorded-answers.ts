/**
 * What a server answered when its capture was saved. A saved capture holds it as a section, so that its file opens with
 * everything that the server said, and no server is asked.
 */
import { leaveOutComments, nameText } from '../../core/script/prologue';
import type { Parameter, ParameterRead } from '../../core/script/text';
import { findFault } from '../../core/schema';
import type { Pause, Steps } from '../../core/steps';
import {
  type Cell,
  type Connection,
  ConnectionError,
  type ConnectionFailure,
  type ResultSet,
  type ServerAccess,
} from '../../hosts/host';
import schemas from './answers.schema.json';

/**
 * The section of a saved capture: a list in JSON, an answer a line; older files have all in one line. Like every name
 * of a section: lowercase letters, digits and hyphens.
 */
export const ANSWERS_SECTION = 'answers';

/** One read and what it gave: its rows, or why there are none. */
export interface RecordedAnswer {
  /** The file of sql/. */
  readonly name: string;
  /** The text without comments, and its values, where several reads of one file asked for different things. */
  readonly asked: { readonly text: string; readonly values: string } | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** `reason`: a ConnectionFailure; a later version may know others. */
  readonly failure: {
    readonly reason: string;
    readonly message: string;
    readonly number: number | null;
  } | null;
}

/** A recording has no event session: what it said is in the capture. */
const OF_SESSIONS: ReadonlySet<string> = new Set([
  'event-session',
  'checkpoint-events',
  'adoptable-sessions',
  'ring-buffer',
]);

/**
 * Takes the answers while a server is read for saving. A later answer to the same read takes the place of the earlier
 * one.
 */
export class AnswerRecorder {
  private readonly answers = new Map<string, RecordedAnswer>();

  note({ text, parameters }: ParameterRead, answer: ResultSet | ConnectionError): void {
    const name = nameText(text);
    if (name === null || OF_SESSIONS.has(name)) return;
    const asked = { text: leaveOutComments(text), values: writeValues(parameters) };
    const isFailure = answer instanceof ConnectionError;
    const { columns, rows } = isFailure ? { columns: [], rows: [] } : answer;
    const failure = isFailure
      ? { reason: answer.reason, message: answer.message, number: answer.number }
      : null;
    this.answers.set(JSON.stringify([name, asked]), {
      name,
      asked,
      columns,
      rows: hideLogin(columns, rows),
      failure,
    });
  }

  encode(): Steps<Uint8Array> {
    return encodeAnswers([...this.answers.values()]);
  }
}

/** The section of these answers. An answer takes a step. */
export function* encodeAnswers(all: readonly RecordedAnswer[]): Steps<Uint8Array> {
  const isAlone = ({ name }: RecordedAnswer): boolean => all.filter((one) => one.name === name).length === 1;
  const parts: Uint8Array[] = [];
  for (const one of all) {
    parts.push(
      Buffer.from(
        `${parts.length === 0 ? '[\n' : ',\n'}${JSON.stringify(isAlone(one) ? { ...one, asked: null } : one)}`,
        'utf8',
      ),
    );
    yield;
  }
  return Buffer.concat([...parts, Buffer.from(parts.length === 0 ? '[]' : '\n]')]);
}

/** A saved capture goes to other people. It names the server and its databases, and no login. */
function hideLogin(columns: readonly string[], rows: ResultSet['rows']): ResultSet['rows'] {
  const at = columns.indexOf('login_name');
  return at < 0 ? rows : rows.map((row) => row.map((cell, column) => (column === at ? NOT_SAVED : cell)));
}

const NOT_SAVED = 'not saved';
const NEW_LINE = 10;

/** A line takes a step. @returns null if the bytes are no answers: then nothing of them is used */
export function* decodeAnswers(bytes: Uint8Array): Steps<readonly RecordedAnswer[] | null> {
  const answers: RecordedAnswer[] = [];
  for (let from = 0, end = 0; from < bytes.length; from = end + 1) {
    const at = bytes.indexOf(NEW_LINE, from);
    end = at < 0 ? bytes.length : at;
    const read = readLine(Buffer.from(bytes.subarray(from, end)).toString('utf8'));
    if (read === null) return null;
    answers.push(...read);
    yield;
  }
  return answers;
}

function readLine(line: string): readonly RecordedAnswer[] | null {
  if (line === '[' || line === ']') return [];
  try {
    const read: unknown = JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line);
    const answers: readonly unknown[] = Array.isArray(read) ? read : [read];
    return answers.every(isAnswer) ? answers : null;
  } catch {
    return null;
  }
}

/**
 * A way to a server that is a recording: it answers what the server answered then, and refuses everything else. It
 * reaches nothing, and nothing that changes a server can be run on it.
 * @param read gives the answers once they are asked for
 * @param refusal one sentence, for what was not recorded
 * @param pause before each answer: a server's answer takes a while too, and meanwhile others have the thread
 */
export function replayAnswers(
  { id, label }: Pick<ServerAccess, 'id' | 'label'>,
  read: () => Promise<readonly RecordedAnswer[]>,
  refusal: string,
  pause: Pause,
): ServerAccess {
  const connect = (answers: readonly RecordedAnswer[]): Connection => ({
    capabilities: { session: true, parameters: true, errors: true },
    query: async (text, { parameters = [] }) => {
      await pause();
      const values = writeValues(parameters);
      return nameSent(text).map((name) => findAnswer(answers, { name, text, values }, refusal));
    },
    close: () => Promise.resolve(),
  });
  return {
    id,
    label,
    account: { key: `recording ${id}`, shown: '' },
    open: async () => connect(await read()),
  };
}

type Asked = Pick<RecordedAnswer, 'name'> & NonNullable<RecordedAnswer['asked']>;

/**
 * A read that was asked once has one answer, whatever its text is today. Of one that asks for what is new since then,
 * nothing is new.
 */
function findAnswer(
  answers: readonly RecordedAnswer[],
  { name, text, values }: Asked,
  refusal: string,
): ResultSet {
  const named = answers.filter((one) => one.name === name);
  const found =
    named.find(({ asked }) => asked === null || (text.includes(asked.text) && values === asked.values)) ??
    named[0];
  if (found === undefined) throw new ConnectionError('queryFailed', refusal);
  if (found.failure !== null)
    throw new ConnectionError(
      found.failure.reason as ConnectionFailure,
      found.failure.message,
      found.failure.number,
    );
  const isSame = found.asked === null || text.includes(found.asked.text);
  return { columns: found.columns, rows: isSame ? found.rows : [] };
}

/** As `addPrologue` writes them. */
function nameSent(text: string): readonly string[] {
  return /^\/\* Checkpoint Health: ([\w, -]+) \*\/\n/.exec(text)?.[1]?.split(', ') ?? [''];
}

function writeValues(parameters: readonly Parameter[]): string {
  return parameters.map(({ name, value }) => `${name}=${value ?? 'NULL'}`).join(', ');
}

const isAnswer = (value: unknown): value is RecordedAnswer =>
  findFault(schemas.RecordedAnswer, value) === null;
