import { notObservable, type Observed, observed } from '../../core/observed';
import { isLacking, type Readings, type RowProblem, type TextRows } from '../../core/rows';
import { nameText } from '../../core/script/prologue';
import { fillTemplate } from '../../core/script/template';
import type { ReadTemplate, ReadText } from '../../core/script/text';
import { ConnectionError, type ConnectionFailure } from '../../hosts/host';
import { joinSentences, t } from '../../core/language';

/**
 * The values of an answer, if all of it could be read: a part is never taken for the whole.
 * @throws ConnectionError if not, with the first problem
 */
export type AskAll = <T>(
  template: ReadTemplate,
  read: (set: TextRows) => Readings<T>,
  values?: Readonly<Record<string, string>>,
) => Promise<readonly T[]>;

/** @param problems all of them are noted there */
export function askIn(run: (text: ReadText) => Promise<TextRows>, problems: RowProblem[]): AskAll {
  return async (template, read, values = {}) => {
    const text = fillTemplate(template, values);
    const readings = read(await run(text));
    problems.push(...readings.problems);
    const lacking = readings.problems.find(isLacking);
    if (lacking !== undefined)
      throw new ConnectionError(
        'queryFailed',
        joinSentences(describeUnreadable(nameText(text) ?? ''), lacking.message),
      );
    return readings.values;
  };
}

/** Numbers of SQL Server's errors for a function, column or object that this version or platform does not have. */
const absent: readonly number[] = [195, 207, 208, 4121];

/**
 * If the server refuses, the answer is "not observable", with the reason. A lost connection is no answer.
 * @param alsoAnswers which other errors are answers @throws ConnectionError
 */
export async function observe<T>(
  read: () => Promise<T>,
  alsoAnswers: (error: ConnectionError) => boolean = () => false,
): Promise<Observed<T>> {
  try {
    return observed(await read());
  } catch (error) {
    if (!(error instanceof ConnectionError) || !(isAnswer(error) || alsoAnswers(error))) throw error;
    return notObservable(explainAnswer(error), !isRefusal(error));
  }
}

/** What was read; the other value if the server refused. For callers that also tell why. */
export function valueOr<T>(answer: Observed<T>, otherwise: T): T {
  return answer.kind === 'observed' ? answer.value : otherwise;
}

/**
 * What was read; the other value if this login may not see it or this server does not have it. What else fails may
 * pass, as a deadlock does: it says nothing, and is to be asked again.
 * @throws ConnectionError
 */
export async function readOr<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ConnectionError && isRefusal(error)) return otherwise;
    throw error;
  }
}

/** Why there is nothing, as one sentence. */
export function explainAnswer(error: ConnectionError): string {
  return isAbsent(error) ? t('This version or platform does not have it: {0}', error.message) : error.message;
}

function isAbsent({ number }: ConnectionError): boolean {
  return number !== null && absent.includes(number);
}

/** Whether this login may not see it, or this server does not have it. */
export function isRefusal(error: ConnectionError): boolean {
  return error.reason === 'permissionDenied' || isAbsent(error);
}

/** Whether the server said no, or what it said could not be read. */
export function isAnswer(error: ConnectionError): boolean {
  return error.reason === 'permissionDenied' || error.reason === 'queryFailed';
}

/** Whether no answer came in time. For questions that we can do without, that is an answer too. */
export function isLate({ reason }: ConnectionError): boolean {
  return reason === 'timedOut';
}

/** @param read the name of the text in sql/read */
export function describeUnreadable(read: string): string {
  return t('The answer to {0} could not be read.', read);
}

/**
 * The one value of an answer.
 * @throws ConnectionError if there is none
 * @param reason why an answer without any came, which it then says
 */
export function takeOne<T>(
  values: readonly T[],
  otherwise: string,
  reason: ConnectionFailure = 'queryFailed',
): T {
  const value = values[0];
  if (value === undefined) throw new ConnectionError(reason, otherwise);
  return value;
}
