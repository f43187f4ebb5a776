import { ACTIONS, type XmlContext } from './event-actions';
import type { CatalogueEvent, FieldType } from './event-catalogue';
import { eventErrors } from './event-errors';
import type { FiredEvent } from './event-row';
import type { Predicate, CompareOperator } from '../../scenarios/event-session';

type Test = (fired: FiredEvent) => boolean;
type Read = (fired: FiredEvent) => number | string;
type Leaf = Extract<Predicate, { readonly kind: 'compare' }>;

/** A source of a predicate: a bare name is a field of the event, a name with a package is global. */
interface PredicateSource {
  readonly package: string;
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
}

/** Predicate sources outside the event's own fields. */
export const PREDICATE_SOURCES: readonly PredicateSource[] = [
  ...ACTIONS.filter((action) => action.isSource).map(({ package: owner, name, type, description }) => ({
    package: owner,
    name,
    type,
    description,
  })),
  {
    package: 'package0',
    name: 'counter',
    type: 'uint64',
    description: 'Counts how often the predicate was asked.',
  },
];

/** Names of sources as `package.name` or `name`, without brackets, in lower case. */
function sourceName(written: string): string {
  return written.replace(/[[\]"]/g, '').toLowerCase();
}

function typeOf(source: string, event: CatalogueEvent): FieldType | undefined {
  const global = PREDICATE_SOURCES.find((known) => `${known.package}.${known.name}` === source);
  return (global ?? event.fields.find((field) => field.name === source))?.type;
}

/**
 * Checks a predicate when the session is created.
 * @throws SqlError 25706 no such source, 25713 a value of another type
 */
export function checkPredicate(predicate: Predicate | undefined, event: CatalogueEvent): void {
  if (predicate === undefined) return;
  switch (predicate.kind) {
    case 'not':
      return checkPredicate(predicate.operand, event);
    case 'and':
    case 'or':
      checkPredicate(predicate.left, event);
      return checkPredicate(predicate.right, event);
    default:
      return checkLeaf(predicate, event);
  }
}

function checkLeaf(leaf: Leaf, event: CatalogueEvent): void {
  const source = sourceName(leaf.source);
  const type = typeOf(source, event);
  if (type === undefined) throw eventErrors.noSuchSource(source);
  const kind = comparableOf(type);
  if ((typeof leaf.value === 'string') !== (kind === 'string'))
    throw eventErrors.valueInvalid(source, event.name);
}

/**
 * The WHERE clause as a test of events: AND and OR stop once the answer is known. `database_id` is the checkpointed
 * database. `sqlserver.database_id` is the database context of the task: master for the two background tasks, as
 * sys.dm_exec_requests shows; that this predicate sees the same is not published.
 */
export function compilePredicate(
  predicate: Predicate | undefined,
  event: CatalogueEvent,
  context: XmlContext,
): Test {
  if (predicate === undefined) return () => true;
  switch (predicate.kind) {
    case 'not': {
      const operand = compilePredicate(predicate.operand, event, context);
      return (fired) => !operand(fired);
    }
    case 'and':
    case 'or': {
      const left = compilePredicate(predicate.left, event, context);
      const right = compilePredicate(predicate.right, event, context);
      return predicate.kind === 'and'
        ? (fired) => left(fired) && right(fired)
        : (fired) => left(fired) || right(fired);
    }
    default: {
      const read = makeRead(sourceName(predicate.source), event, context);
      const { operator, value } = predicate;
      return (fired) => compares(operator, read(fired), value);
    }
  }
}

function makeRead(source: string, event: CatalogueEvent, context: XmlContext): Read {
  let asked = 0;
  if (source === 'package0.counter') return () => ++asked;
  if (source === 'database_id') return (fired) => fired.databaseId;
  const global = ACTIONS.find((action) => action.isSource && `${action.package}.${action.name}` === source);
  const index = event.fields.findIndex((field) => field.name === source) - 1;
  if (global?.ofTask === undefined) return (fired) => fired.more?.[index] ?? '';
  const { ofTask } = global;
  return (fired) => {
    const value = ofTask(fired.task, context);
    return typeof value === 'boolean' ? Number(value) : value;
  };
}

/** The kinds of values of a predicate. */
type Comparable = 'number' | 'string';

function comparableOf(type: FieldType): Comparable {
  return type === 'unicode_string' || type === 'activity_id' || type === 'filetime' ? 'string' : 'number';
}

type Value = number | string;

const fold = (value: Value): Value => (typeof value === 'string' ? value.toLowerCase() : value);

const ORDERS: Readonly<Record<CompareOperator, (a: Value, b: Value) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** Without regard to case: SQL Server uses its i_sql comparators for operators. */
const compares = (operator: CompareOperator, left: Value, right: Value): boolean =>
  ORDERS[operator](fold(left), fold(right));
