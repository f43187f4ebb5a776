import assert from 'node:assert/strict';
import type { CompareOperator, EventSessionDefinition, Predicate } from '../../scenarios/event-session';
import { createSmall, DBA, refusal } from './modelled';
import { defineTracking, readParsed, trackFor } from './tracking';

type Value = number | string;
const compare = (source: string, operator: CompareOperator, value: Value): Predicate => ({ kind: 'compare', source, operator, value });
const call = (comparator: string, source: string, value: Value): Predicate => ({ kind: 'comparator', comparator, source, value });

const define = (predicate: Predicate, actions: readonly string[] = []): EventSessionDefinition =>
  defineTracking({ events: [{ package: 'sqlserver', name: 'checkpoint_begin', actions, predicate }] });

/** The checkpointed databases of what passes in half an hour. */
function capture(predicate: Predicate): readonly number[] {
  const server = trackFor(createSmall(), 30, define(predicate));
  return readParsed(server).map((event) => Number(event.data['database_id']));
}

const all = capture(compare('database_id', '>', 0));

describe('predicates of event sessions', () => {
  it('compare with comparators as with operators', () => {
    const middle = [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
    for (const [name, operator] of [
      ['equal', '='],
      ['not_equal', '<>'],
      ['less_than', '<'],
      ['less_than_equal', '<='],
      ['greater_than', '>'],
      ['greater_than_equal', '>='],
    ] as const) {
      const passed = capture(call(`[package0].[${name}_uint64]`, '[database_id]', middle));
      assert.deepEqual(passed, capture(compare('[database_id]', operator, middle)), name);
      assert.ok(passed.length > 0 && passed.length < all.length, name);
    }
    const even = capture(call('package0.divides_by_uint64', 'database_id', 2));
    assert.equal(even.join(), all.filter((id) => id % 2 === 0).join());
  });

  it('compare strings without regard to case, and with patterns', () => {
    const master = (predicate: Predicate): boolean => capture(predicate).length === all.length;
    for (const predicate of [
      compare('sqlserver.database_name', '=', 'MASTER'),
      compare('sqlserver.database_name', 'LIKE', 'm_ST[e-f]%'),
      compare('sqlserver.database_name', 'NOT LIKE', 'temp%'),
      call('sqlserver.like_i_sql_unicode_string', 'sqlserver.database_name', '%AST%'),
      call('sqlserver.equal_i_sql_unicode_string', 'sqlserver.database_name', 'Master'),
      call('package0.equal_boolean', 'sqlserver.is_system', 1),
    ])
      assert.ok(master(predicate), JSON.stringify(predicate));
    assert.equal(capture(call('package0.equal_unicode_string', 'sqlserver.database_name', 'MASTER')).length, 0);
    assert.equal(capture(compare('sqlserver.database_name', 'LIKE', 'aster')).length, 0);
  });

  it('count with package0.counter the events that come as far as it', () => {
    assert.deepEqual(capture(compare('package0.counter', '<=', 4)), all.slice(0, 4));
    const id = all[0] ?? 0;
    const first = capture({ kind: 'and', left: compare('database_id', '=', id), right: compare('package0.counter', '<=', 2) });
    assert.deepEqual(first, [id, id]);
  });

  it('refuse what is of another type, or is not there, with the numbers of SQL Server', () => {
    const { eventSessions } = createSmall();
    const cases: readonly (readonly [Predicate, string])[] = [
      [compare('no_field', '=', 1), '25706 The event attribute or predicate source, "no_field", could not be found.'],
      [call('package0.no_such_uint64', 'database_id', 1), '25706 '],
      [call('package0.equal_int64', 'database_id', 1), '25636 Source and comparator types of the predicate do not match.'],
      [
        compare('database_id', 'LIKE', '5%'),
        '25715 The predicate on event "checkpoint_begin" is invalid.  Operator \'LIKE\' is not defined for type "uint32", event attribute or predicate source: "database_id".',
      ],
      [
        compare('database_id', '=', 'five'),
        '25713 The value specified for event attribute or predicate source, "database_id", event, "checkpoint_begin", is invalid.',
      ],
      [
        call('package0.greater_than_max_uint64', 'database_id', 1),
        '50000 simulator: predicate function package0.greater_than_max_uint64 is not modelled',
      ],
    ];
    for (const [predicate, expected] of cases) {
      const error = refusal(() => eventSessions.create(define(predicate), DBA));
      assert.ok(error.startsWith(expected), error);
    }
  });
});

describe('actions of checkpoint events', () => {
  const ACTIONS = [
    'sqlserver.client_app_name',
    'sqlserver.username',
    'sqlos.system_thread_id',
    'package0.collect_system_time',
    'package0.event_sequence',
  ];

  it('number the events, say when and on which thread, and tell of no client for a background task', () => {
    const server = trackFor(createSmall(), 5, define(compare('database_id', '>', 0), ACTIONS));
    const events = readParsed(server);
    assert.ok(events.length > 10);
    for (const { actions, utcMs } of events) {
      assert.deepEqual(
        [actions['client_app_name'], actions['username'], Date.parse(actions['collect_system_time'] ?? '')],
        ['', '', utcMs],
      );
      assert.ok(Number(actions['system_thread_id']) > 0);
    }
    const numbers = events.map(({ actions }) => Number(actions['event_sequence'])).sort((a, b) => a - b);
    assert.ok(numbers.every((number, i) => number === i + 1));
  });

  it('are refused by name where the model has no value for them', () => {
    const { eventSessions } = createSmall();
    const refused = (action: string): string => refusal(() => eventSessions.create(define(compare('database_id', '>', 0), [action]), DBA));
    assert.equal(refused('package0.callstack'), '50000 simulator: action package0.callstack is not modelled');
    assert.match(refused('sqlserver.no_such'), /^25623 /);
  });
});
