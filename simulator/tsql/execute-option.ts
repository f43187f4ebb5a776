/** SET options: those that change rows or flow are kept or refused, the rest is accepted. */
import { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';
import { int } from './types';

/** ON (or OFF) would change results in ways that are not modelled. */
const refusedOn = new Set([
  'IMPLICIT_TRANSACTIONS',
  'FMTONLY',
  'SHOWPLAN_ALL',
  'SHOWPLAN_TEXT',
  'SHOWPLAN_XML',
  'NUMERIC_ROUNDABORT',
  'ARITHIGNORE',
  'ANSI_NULL_DFLT_OFF',
]);
const refusedOff = new Set(['ANSI_NULLS', 'ANSI_WARNINGS', 'CONCAT_NULL_YIELDS_NULL', 'ANSI_PADDING']);

export async function executeOption(
  session: SessionState,
  statement: Extract<Statement, { readonly kind: 'setOption' }>,
  frame: Frame,
): Promise<void> {
  const { option, value, line } = statement;
  if (value === 'ON' || value === 'OFF') return option.split(',').forEach((each) => switchOption(session, each, value === 'ON', line));
  switch (option) {
    case 'ROWCOUNT':
      session.options.rowCount = Number((await evaluate(session, frame, asExpression(value, line), int)).value ?? 0);
      return;
    case 'DATEFORMAT':
      if (value !== 'MDY') throw notModelled(`SET DATEFORMAT ${typeof value === 'string' ? value : ''}`, line);
      return;
    case 'LANGUAGE':
      if (typeof value !== 'string' || !/^(US_ENGLISH|ENGLISH)$/.test(value)) throw notModelled('SET LANGUAGE other than us_english', line);
      return;
    case 'DATEFIRST':
      if ((await evaluate(session, frame, asExpression(value, line), int)).value !== 7)
        throw notModelled('SET DATEFIRST other than 7', line);
      return;
    case 'CONTEXT_INFO':
      throw notModelled('SET CONTEXT_INFO', line);
  }
}

function asExpression(value: Extract<Statement, { readonly kind: 'setOption' }>['value'], line: number): Exclude<typeof value, string> {
  if (typeof value === 'string') throw new SqlError(102, `Incorrect syntax near '${value}'.`, 15, 1, line);
  return value;
}

function switchOption(session: SessionState, option: string, on: boolean, line: number): void {
  const { options } = session;
  if (option === 'NOCOUNT') options.noCount = on;
  else if (option === 'XACT_ABORT') options.xactAbort = on;
  else if (option === 'NOEXEC') options.noExec = on;
  else if (on ? refusedOn.has(option) : refusedOff.has(option)) throw notModelled(`SET ${option} ${on ? 'ON' : 'OFF'}`, line);
}
