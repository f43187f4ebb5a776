import assert from 'node:assert/strict';
import { readEvent } from '../../../src/core/events/event-xml';

const eventAt = (timestamp: string) => ({
  objectName: 'checkpoint_begin',
  eventData: `<event name="checkpoint_begin" package="sqlserver" timestamp="${timestamp}"><data name="database_id"><value>5</value></data></event>`,
});
const absurd = '18446744070113720036';

describe('The time of an event', () => {
  it('is that of its XML', () => {
    const reading = readEvent({ ...eventAt('2016-07-09T03:30:14.023Z'), timestampUtc: '2020-01-01T00:00:00' });
    assert.equal('atUtcMs' in reading && reading.atUtcMs, Date.UTC(2016, 6, 9, 3, 30, 14, 23));
  });

  it('is that of the column timestamp_utc where the XML carries no time', () => {
    const reading = readEvent({ ...eventAt(absurd), timestampUtc: '2016-07-09T03:30:14.0234567' });
    assert.equal('atUtcMs' in reading && reading.atUtcMs, Date.UTC(2016, 6, 9, 3, 30, 14, 23));
  });

  it('is unknown where neither is a time', () => {
    for (const timestampUtc of [null, undefined, absurd, '1601-01-01T00:00:00']) {
      const reading = readEvent({ ...eventAt(absurd), timestampUtc });
      assert.equal(reading.kind === 'malformed' && reading.reason, 'wrong time');
    }
  });
});
