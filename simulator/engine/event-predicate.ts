import type { FiredEvent } from './event-row';
import type { Predicate } from './instance';

/**
 * Whether an event passes a WHERE clause. A bare name is a field of the event: `database_id` is then the checkpointed database. A name with a package is
 * global: `sqlserver.database_id` is the database context of the task, which for the two background tasks is master, not the checkpointed database
 * (that background tasks stand in master is what sys.dm_exec_requests shows; that this predicate sees the same is not published).
 */
export function passesPredicate(predicate: Predicate | undefined, fired: FiredEvent): boolean {
  if (predicate === undefined) return true;
  switch (predicate.kind) {
    case 'and':
      return passesPredicate(predicate.left, fired) && passesPredicate(predicate.right, fired);
    case 'or':
      return passesPredicate(predicate.left, fired) || passesPredicate(predicate.right, fired);
    case 'not':
      return !passesPredicate(predicate.operand, fired);
    case 'compare':
      return compare(valueOf(predicate.source, fired), predicate.operator, predicate.value);
  }
}

/** Names of sources as `package.name` or `name`, without brackets, in lower case. */
export function sourceName(written: string): string {
  return written.replace(/[[\]"]/g, '').toLowerCase();
}

/** Every source that a predicate names. */
export function listSources(predicate: Predicate | undefined): readonly string[] {
  if (predicate === undefined) return [];
  if (predicate.kind === 'compare') return [sourceName(predicate.source)];
  if (predicate.kind === 'not') return listSources(predicate.operand);
  return [...listSources(predicate.left), ...listSources(predicate.right)];
}

function valueOf(source: string, fired: FiredEvent): number | string {
  switch (sourceName(source)) {
    case 'database_id':
      return fired.databaseId;
    case 'sqlserver.database_id':
      return fired.task.contextDatabaseId;
    case 'sqlserver.session_id':
      return fired.task.sessionId;
    case 'sqlserver.is_system':
      return fired.task.sessionId <= 50 ? 1 : 0;
    default:
      return fired.more?.[fired.event.fields.findIndex((field) => field.name === sourceName(source)) - 1] ?? '';
  }
}

function compare(left: number | string, operator: string, right: number | string): boolean {
  const a = typeof right === 'number' ? Number(left) : String(left).toLowerCase();
  const b = typeof right === 'number' ? right : right.toLowerCase();
  switch (operator) {
    case '=':
      return a === b;
    case '<>':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}
