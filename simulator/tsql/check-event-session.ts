/** Newer syntax of CREATE EVENT SESSION is a syntax error for an older server, anywhere in the batch. */
import type { Instance } from '../engine/interface/instance';
import { syntaxError } from './errors';

/** @throws SqlError 102 for MAX_DURATION before 2025. Microsoft Learn, "CREATE EVENT SESSION", MAX_DURATION. */
export function checkEventSessions(node: unknown, instance: Instance): void {
  if (instance.platform === 'azure-sql-database' || instance.release >= 2025) return;
  visit(node, 1);
}

function visit(node: unknown, line: number): void {
  if (typeof node !== 'object' || node === null) return;
  const { options, line: own } = node as { readonly options?: unknown; readonly line?: unknown };
  const here = typeof own === 'number' ? own : line;
  if (typeof options === 'object' && options !== null && 'MAX_DURATION' in options)
    throw syntaxError('MAX_DURATION', here, false);
  for (const value of Object.values(node)) visit(value, here);
}
