/** CREATE, ALTER and DROP EVENT SESSION, by the published grammar (Microsoft documentation, "CREATE EVENT SESSION"). */
import type {
  EventSessionChange,
  CompareOperator,
  EventDefinition,
  EventSessionScope,
  Predicate,
  TargetDefinition,
} from '../scenarios/event-session';
import { notModelled } from './errors';
import { parseSessionOptions } from './parse-session-options';
import type { Statement } from './statements';
import type { TokenReader } from './token-reader';

export function parseEventSession(reader: TokenReader, line: number): Statement {
  const verb = reader.next().upper;
  reader.expect('EVENT', 'SESSION');
  const name = reader.name();
  reader.expect('ON');
  const scope = reader.expectOneOf('SERVER', 'DATABASE').toLowerCase() as EventSessionScope;
  if (verb === 'DROP') return { kind: 'dropEventSession', name, scope, line };
  if (verb === 'ALTER')
    return { kind: 'alterEventSession', name, scope, changes: parseAlterations(reader), line };
  const events = parseEvents(reader);
  const targets = reader.is('ADD') ? parseTargets(reader) : [];
  const options = reader.take('WITH') ? parseSessionOptions(reader) : {};
  return { kind: 'createEventSession', name, scope, events, targets, options, line };
}

function parseEvents(reader: TokenReader): readonly EventDefinition[] {
  const events: EventDefinition[] = [];
  do {
    reader.expect('ADD', 'EVENT');
    events.push(parseEvent(reader));
  } while (reader.is(',') && reader.peek(2).upper === 'EVENT' && reader.take(','));
  reader.take(',');
  if (reader.is('ADD', 'EVENT')) throw reader.unexpected();
  return events;
}

function parseTargets(reader: TokenReader): readonly TargetDefinition[] {
  return reader.commaList(() => {
    reader.expect('ADD', 'TARGET');
    return parseTarget(reader);
  });
}

function parseAlterations(reader: TokenReader): readonly EventSessionChange[] {
  if (reader.take('STATE')) {
    reader.expect('=');
    return [{ kind: 'state', state: reader.expectOneOf('START', 'STOP').toLowerCase() as 'start' | 'stop' }];
  }
  const verb = reader.expectOneOf('ADD', 'DROP', 'WITH');
  const object = verb === 'WITH' ? '' : reader.expectOneOf('EVENT', 'TARGET');
  if (verb === 'WITH' || (verb === 'ADD' && object === 'TARGET'))
    throw notModelled(`ALTER EVENT SESSION ... ${verb} ${object}`.trim(), reader.line);
  // ADD and DROP do not mix in one statement (docs/facts.md, SQL Server 3).
  const changes: EventSessionChange[] = [];
  do {
    if (changes.length > 0) reader.expect(verb, object);
    if (verb === 'ADD') changes.push({ kind: 'addEvent', event: parseEvent(reader) });
    else changes.push({ kind: object === 'EVENT' ? 'dropEvent' : 'dropTarget', ...parseObjectName(reader) });
  } while (reader.take(','));
  if (reader.is('WITH')) throw notModelled('ALTER EVENT SESSION ... WITH', reader.line);
  return changes;
}

/** `package.name` or `guid.package.name`. */
function parseObjectName(reader: TokenReader): { package: string; name: string } {
  const parts = reader.qualifiedName();
  if (parts.length < 2) throw reader.unexpected();
  return { package: parts[parts.length - 2] as string, name: parts[parts.length - 1] as string };
}

function parseEvent(reader: TokenReader): EventDefinition {
  const name = parseObjectName(reader);
  if (!reader.take('(')) return { ...name, actions: [] };
  if (reader.take('SET')) {
    const options = parseAssignments(reader);
    const meaningful = Object.entries(options).find(([, value]) => value !== 0);
    if (meaningful) throw notModelled(`SET ${meaningful[0]} of event ${name.name}`, reader.line);
  }
  const actions = reader.take('ACTION') ? parseActions(reader) : [];
  if (!reader.take('WHERE')) {
    reader.expect(')');
    return { ...name, actions };
  }
  const start = reader.peek().start;
  const predicate = parsePredicateOr(reader);
  const predicateText = reader.sourceFrom(start);
  reader.expect(')');
  return { ...name, actions, predicate, predicateText };
}

function parseActions(reader: TokenReader): readonly string[] {
  return reader.parenthesised(() =>
    reader.commaList(() => {
      const action = parseObjectName(reader);
      return `${action.package}.${action.name}`;
    }),
  );
}

function parseTarget(reader: TokenReader): TargetDefinition {
  const name = parseObjectName(reader);
  if (!reader.take('(')) return { ...name, options: {} };
  reader.expect('SET');
  const options = parseAssignments(reader);
  reader.expect(')');
  return { ...name, options };
}

function parseAssignments(reader: TokenReader): Record<string, string | number> {
  const entries = reader.commaList((): [string, string | number] => {
    const name = reader.name();
    reader.expect('=');
    return [name, parseValue(reader)];
  });
  return Object.fromEntries(entries);
}

function parseValue(reader: TokenReader): string | number {
  if (reader.is('(')) return reader.parenthesised(() => parseValue(reader));
  const negative = reader.take('-');
  const { kind, text } = reader.peek();
  if (kind !== 'number' && (negative || (kind !== 'string' && kind !== 'nstring'))) throw reader.unexpected();
  reader.next();
  return kind === 'number' ? (negative ? -Number(text) : Number(text)) : text;
}

function parsePredicateOr(reader: TokenReader): Predicate {
  let left = parsePredicateAnd(reader);
  while (reader.take('OR')) left = { kind: 'or', left, right: parsePredicateAnd(reader) };
  return left;
}

function parsePredicateAnd(reader: TokenReader): Predicate {
  let left = parsePredicateFactor(reader);
  while (reader.take('AND')) left = { kind: 'and', left, right: parsePredicateFactor(reader) };
  return left;
}

function parsePredicateFactor(reader: TokenReader): Predicate {
  if (reader.take('NOT')) return { kind: 'not', operand: parsePredicateFactor(reader) };
  if (reader.is('(')) return reader.parenthesised(() => parsePredicateOr(reader));
  const parts = reader.qualifiedName();
  // `package0.greater_than_uint64(database_id, (4))`.
  if (reader.is('(')) throw notModelled(`predicate function ${parts.join('.')}`, reader.line);
  return {
    kind: 'compare',
    source: parts.join('.'),
    operator: parseOperator(reader),
    value: parseValue(reader),
  };
}

/** The grammar has six comparisons; Microsoft's example for Azure Storage ("Event File target code") also uses LIKE. */
function parseOperator(reader: TokenReader): CompareOperator {
  if (reader.is('LIKE') || reader.is('NOT', 'LIKE')) throw notModelled('LIKE in a predicate', reader.line);
  return reader.expectOneOf('=', '<>', '!=', '<', '<=', '>', '>=').replace('!=', '<>') as CompareOperator;
}
