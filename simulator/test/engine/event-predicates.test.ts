import assert from 'node:assert/strict';
import type { CompareOperator, EventSessionDefinition, Predicate } from '../../scenarios/event-session';
import { createSmall, DBA, refusal } from './modelled';
import { defineTracking, readParsed, trackFor } from './tracking';

type Value = number | string;
const compare = (source: string, operator: CompareOperator, value: Value): Predicate => ({
  kind: 'compare',
  source,
  operator,
  value,
});

const define = (predicate: Predicate, actions: readonly string[] = []): EventSessionDefinition =>
  defineTracking({ events: [{ package: 'sqlserver', name: 'checkpoint_begin', actions, predicate }] });

/** The checkpointed databases of what passes in half an hour. */
function capture(predicate: Predicate): readonly number[] {
  const server = trackFor(createSmall(), 30, define(predicate));
  return readParsed(server).map((event) => Number(event.data['database_id']));
}

const all = capture(compare('database_id', '>', 0));

describe('predicates of event sessions', () => {
  it('compare numbers by each operator', () => {
    const middle = [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
    const holds: Readonly<Record<CompareOperator, (id: number) => boolean>> = {
      '=': (id) => id === middle,
      '<>': (id) => id !== middle,
      '<': (id) => id < middle,
      '<=': (id) => id <= middle,
      '>': (id) => id > middle,
      '>=': (id) => id >= middle,
    };
    for (const [operator, passes] of Object.entries(holds)) {
      const passed = capture(compare('[database_id]', operator as CompareOperator, middle));
      assert.deepEqual(passed, all.filter(passes), operator);
    }
  });

  it('let the first ones through by a counter', () => {
    assert.deepEqual(capture(compare('package0.counter', '<=', 4)), all.slice(0, 4));
  });

  it('compare strings without regard to case', () => {
    assert.equal(capture(compare('sqlserver.database_name', '=', 'MASTER')).length, all.length);
  });

  it('refuse what is of another type, or is not there, with the numbers of SQL Server', () => {
    const { eventSessions } = createSmall();
    const cases: readonly (readonly [Predicate, string])[] = [
      [
        compare('no_field', '=', 1),
        '25706 The event attribute or predicate source, "no_field", could not be found.',
      ],
      [
        compare('database_id', '=', 'five'),
        '25713 The value specified for event attribute or predicate source, "database_id", event, "checkpoint_begin", is invalid.',
      ],
    ];
    for (const [predicate, expected] of cases) {
      const error = refusal(() => eventSessions.create(define(predicate), DBA));
      assert.ok(error.startsWith(expected), error);
    }
  });
});

describe('actions of checkpoint events', () => {
  it('number the events, and tell of no client for a background task', () => {
    const actions = ['sqlserver.client_hostname', 'sqlserver.sql_text', 'package0.event_sequence'];
    const events = readParsed(trackFor(createSmall(), 5, define(compare('database_id', '>', 0), actions)));
    assert.ok(events.length > 10);
    for (const each of events)
      assert.deepEqual([each.actions['client_hostname'], each.actions['sql_text']], ['', '']);
    const numbers = events.map((each) => Number(each.actions['event_sequence'])).sort((a, b) => a - b);
    assert.ok(numbers.every((number, i) => number === i + 1));
  });

  it('are refused by name where the model has no value for them', () => {
    const { eventSessions } = createSmall();
    assert.equal(
      refusal(() =>
        eventSessions.create(define(compare('database_id', '>', 0), ['package0.callstack']), DBA),
      ),
      '50000 simulator: action package0.callstack is not modelled',
    );
  });
});
