import type { Readings } from '../../core/advice/fact-rows';
import { notObservable, type Observed, observed } from '../../core/observed';
import type { RowProblem } from '../../core/rows';
import { ConnectionError } from '../../hosts/host';

/** Gives what could be read and keeps what could not. */
export type Keep = <T>(readings: Readings<T>) => readonly T[];

export function keepIn(problems: RowProblem[]): Keep {
  return (readings) => {
    problems.push(...readings.problems);
    return readings.values;
  };
}

/** SQL Server's words for a function, column or object that this version or platform does not have. */
const absent: readonly number[] = [195, 207, 208, 4121];

/**
 * A refusal by the server is an answer: not observable, with its reason. A lost connection is not.
 * @param alsoAnswers what else is one @throws ConnectionError
 */
export async function observe<T>(
  read: () => Promise<T>,
  alsoAnswers: (error: ConnectionError) => boolean = () => false,
): Promise<Observed<T>> {
  try {
    return observed(await read());
  } catch (error) {
    if (!(error instanceof ConnectionError) || !(isAnswer(error) || alsoAnswers(error))) throw error;
    return notObservable(explainAnswer(error));
  }
}

/** Why there is nothing, as one sentence. */
export function explainAnswer(error: ConnectionError): string {
  return isAbsent(error) ? `This version or platform does not have it: ${error.message}` : error.message;
}

export function isAbsent({ number }: ConnectionError): boolean {
  return number !== null && absent.includes(number);
}

/** Whether the server said no, or what it said could not be read. */
export function isAnswer(error: ConnectionError): boolean {
  return error.reason === 'permissionDenied' || error.reason === 'queryFailed';
}

/** Of what is asked beyond the needed: no answer in time is an answer too. */
export function isLate({ reason }: ConnectionError): boolean {
  return reason === 'timedOut';
}

/** The one value of an answer. @throws ConnectionError where there is none */
export function takeOne<T>(values: readonly T[], otherwise: string): T {
  const value = values[0];
  if (value === undefined) throw new ConnectionError('queryFailed', otherwise);
  return value;
}
