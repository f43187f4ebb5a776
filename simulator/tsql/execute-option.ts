/** SET options: those that change rows or flow are kept or refused, all others accepted. */
import { notModelled } from './errors';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { int } from './types';
import { sqlError } from '../tds/messages';
import { wordSet } from './word-set';

/** ON (or OFF) would change results in ways that are not modelled. */
const refusedOn = wordSet(`FMTONLY SHOWPLAN_ALL SHOWPLAN_TEXT SHOWPLAN_XML NUMERIC_ROUNDABORT ARITHIGNORE
  ANSI_NULL_DFLT_OFF`);
const refusedOff = new Set(['ANSI_NULLS', 'ANSI_WARNINGS', 'CONCAT_NULL_YIELDS_NULL', 'ANSI_PADDING']);

/** Kept only for @@OPTIONS. */
const shownOnly: Readonly<Record<string, 'cursorCloseOnCommit' | 'ansiNullDefault' | 'arithmeticAbort'>> = {
  CURSOR_CLOSE_ON_COMMIT: 'cursorCloseOnCommit',
  ANSI_NULL_DFLT_ON: 'ansiNullDefault',
  ARITHABORT: 'arithmeticAbort',
};

export async function executeOption(
  session: SessionState,
  statement: Extract<Statement, { readonly kind: 'setOption' }>,
  frame: Frame,
): Promise<void> {
  const { option, value, line } = statement;
  if (value === 'ON' || value === 'OFF')
    return option.split(',').forEach((each) => switchOption(session, each, value === 'ON', line));
  switch (option) {
    case 'ROWCOUNT':
      session.options.rowCount = await checkedRowCount(session, frame, value, line);
      return;
    case 'LOCK_TIMEOUT':
      session.options.lockTimeout = Math.max(-1, await numberOf(session, frame, value, line));
      return;
    case 'DEADLOCK_PRIORITY':
      // It changes nothing: there are no deadlocks here.
      if (typeof value !== 'string' || !/^(LOW|NORMAL|HIGH)$/.test(value))
        throw notModelled('SET DEADLOCK_PRIORITY of a number', line);
      return;
    case 'DATEFORMAT':
      if (typeof value === 'string' && !/^(MDY|DMY|YMD|YDM|MYD|DYM)$/.test(value))
        throw sqlError(2741, [value.toLowerCase()], line);
      if (value !== 'MDY')
        throw notModelled(`SET DATEFORMAT ${typeof value === 'string' ? value : ''}`, line);
      return;
    case 'LANGUAGE':
      if (typeof value !== 'string' || !/^(US_ENGLISH|ENGLISH)$/.test(value))
        throw notModelled('SET LANGUAGE other than us_english', line);
      return;
    case 'DATEFIRST':
      return checkFirstDay(await numberOf(session, frame, value, line), line);
    case 'CONTEXT_INFO':
      throw notModelled('SET CONTEXT_INFO', line);
  }
}

async function numberOf(
  session: SessionState,
  frame: Frame,
  value: OptionValue,
  line: number,
): Promise<number> {
  return Number((await evaluate(session, frame, asExpression(value, line), int)).value ?? 0);
}

/** @throws SqlError 507. */
async function checkedRowCount(
  session: SessionState,
  frame: Frame,
  value: OptionValue,
  line: number,
): Promise<number> {
  const count = (await evaluate(session, frame, asExpression(value, line), int)).value;
  if (count !== null && Number(count) >= 0) return Number(count);
  throw sqlError(507, [], line);
}

/** @throws SqlError 2742. */
function checkFirstDay(day: number, line: number): void {
  if (day < 1 || day > 7) throw sqlError(2742, [day], line);
  if (day !== 7) throw notModelled('SET DATEFIRST other than 7', line);
}

type OptionValue = Extract<Statement, { readonly kind: 'setOption' }>['value'];

function asExpression(value: OptionValue, line: number): Exclude<typeof value, string> {
  if (typeof value === 'string') throw sqlError(102, [value], line);
  return value;
}

function switchOption(session: SessionState, option: string, on: boolean, line: number): void {
  const { options } = session;
  const shown = shownOnly[option];
  if (shown !== undefined) options[shown] = on;
  if (option === 'NOCOUNT') options.noCount = on;
  else if (option === 'XACT_ABORT') options.xactAbort = on;
  else if (option === 'NOEXEC') options.noExec = on;
  else if (option === 'IMPLICIT_TRANSACTIONS') options.implicitTransactions = on;
  else if (on ? refusedOn.has(option) : refusedOff.has(option))
    throw notModelled(`SET ${option} ${on ? 'ON' : 'OFF'}`, line);
}
