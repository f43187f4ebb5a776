import assert from 'node:assert/strict';
import { computeStatistics } from '../../src/core/evidence/statistics';
import type { Gap } from '../../src/protocol';
import { describeCheckpoint, describeGap } from '../../src/webview/timeline/card-text';
import { writeHeadline, type HeadlineInput } from '../../src/webview/headline';
import { createClock } from '../../src/webview/clock';
import { columnsOf, type Row } from '../core/picture/columns-of';
import { FAKE_GAP, FAKE_SERVER } from './fake-capture';

const HOUR_MS = 3_600_000;
const CLOCK = createClock('server', { utcOffsetMinutes: 60, offsets: [] });

function headline(rows: readonly Row[], part: Partial<HeadlineInput> = {}, gaps: readonly Gap[] = []): string {
  const observation = { beginUtcMs: 0, endUtcMs: Math.max(HOUR_MS, ...gaps.map(({ endUtcMs }) => endUtcMs)), gaps };
  const statistics = computeStatistics(columnsOf(rows), 12, observation, observation);
  const databases = Array.from({ length: 12 }, (_, i) => ({ name: `db${i}` }));
  return writeHeadline({ server: FAKE_SERVER, clock: CLOCK, statistics, databases, observation, busyShare: 0.5, ...part })
    .map(({ text, weight }) => (weight === 'strong' ? `*${text}*` : text))
    .join('');
}

describe('The headline', () => {
  it('tells the settings alone where nothing was observed', () => {
    assert.equal(headline([]), '*312 of 400 databases use automatic checkpoints.*');
  });

  it('tells no settings where the databases could not be read', () => {
    assert.equal(headline([], { server: { ...FAKE_SERVER, automatic: 0, databases: 0 } }), '');
  });

  it('names the few that carry most of the checkpoint time', () => {
    const rows = Array.from({ length: 12 }, (_, i): Row => [i * 1000, i < 2 ? 45_000 : 1000, i]);
    assert.equal(
      headline(rows),
      '*312 of 400 databases use automatic checkpoints.* Checkpoints were running 50 % of the time, 12 checkpoints in 12 databases; ' +
        '*two databases account for 90 % of the checkpoint time*; the longest took 45.0 s (db0).',
    );
  });

  it('names none where the time is spread evenly or databases are few', () => {
    assert.ok(!headline(Array.from({ length: 12 }, (_, i): Row => [i * 1000, 1000, i])).includes('account'));
    assert.ok(
      !headline([
        [0, 9000, 0],
        [0, 1, 1],
      ]).includes('account'),
    );
  });

  it('counts databases of users, as the settings do, and names the system databases that had checkpoints too', () => {
    const databases = [{ name: 'msdb', isSystem: true as const }, { name: 'a' }, { name: 'b' }];
    const rows: Row[] = [0, 1, 2].map((database) => [0, 500, database]);
    assert.match(headline(rows, { databases }), / 3 checkpoints in 2 databases and 1 system database; /);
  });

  it('speaks in the singular where there is one', () => {
    const server = { ...FAKE_SERVER, automatic: 1, databases: 1 };
    assert.equal(
      headline([[0, 500, 0]], { server }),
      '*1 of 1 database uses automatic checkpoints.* Checkpoints were running 50 % of the time, 1 checkpoint in 1 database; the longest took 500 ms (db0).',
    );
  });

  it('says so where no database is automatic', () => {
    assert.equal(headline([], { server: { ...FAKE_SERVER, automatic: 0 } }), '*None of 400 databases uses automatic checkpoints.*');
  });

  it('tells no share where no time was observed', () => {
    assert.ok(headline([[0, 500, 0]], { busyShare: null }).includes(' There is a record of 1 checkpoint in 1 database; the longest'));
  });

  it('tells a gap with its reason, and several by their sum', () => {
    assert.ok(headline([], {}, [FAKE_GAP]).endsWith(' Nothing was observed between 13:02 and 13:05 (server restart).'));
    const observation = { beginUtcMs: FAKE_GAP.beginUtcMs, endUtcMs: FAKE_GAP.endUtcMs + HOUR_MS };
    const later = { ...FAKE_GAP, beginUtcMs: FAKE_GAP.beginUtcMs + 60_000, endUtcMs: FAKE_GAP.endUtcMs + 60_000 };
    const both = headline([], { observation: { ...observation, gaps: [FAKE_GAP, later] } });
    assert.ok(both.endsWith(' Nothing was observed in 2 gaps, 4 min in all.'), 'time that two gaps share counts once');
  });

  it('counts the gaps that the line of the tracking counts: one that took no time is in neither', () => {
    const observation = { beginUtcMs: FAKE_GAP.beginUtcMs, endUtcMs: FAKE_GAP.endUtcMs + HOUR_MS };
    const none = { ...FAKE_GAP, beginUtcMs: FAKE_GAP.endUtcMs + 60_000, endUtcMs: FAKE_GAP.endUtcMs + 60_000 };
    const said = headline([], { observation: { ...observation, gaps: [FAKE_GAP, none] } });
    assert.ok(said.endsWith(' Nothing was observed between 13:02 and 13:05 (server restart).'), said);
  });

  it('does not say that nothing was observed where only some events are missing', () => {
    const lost: Gap = { ...FAKE_GAP, kind: 'events lost', reason: 'the session lost 3 events' };
    assert.ok(headline([], {}, [lost]).endsWith(' Events may be missing between 13:02 and 13:05 (the session lost 3 events).'));
    assert.match(headline([], {}, [lost, FAKE_GAP]), / Nothing or not everything was observed in 2 gaps/);
  });

  it('tells the days of a gap that lasts over midnight', () => {
    const gap = { ...FAKE_GAP, endUtcMs: FAKE_GAP.endUtcMs + 24 * HOUR_MS };
    assert.ok(headline([], {}, [gap]).includes('between 2026-11-21 13:02 and 2026-11-22 13:05 (server restart)'));
  });
});

describe('The card about a gap', () => {
  const texts = (gap: Gap): readonly string[] => describeGap(gap, CLOCK).map((line) => line.text);

  it('tells its kind, how long, when and why', () => {
    assert.deepEqual(texts(FAKE_GAP), ['Not observed: server restarted', '3 min', '13:02:00.000 – 13:05:00.000', 'server restart']);
  });

  it('says where events are there, if not all, and no reason twice', () => {
    assert.deepEqual(texts({ ...FAKE_GAP, kind: 'ring buffer overwritten', reason: 'ring buffer overwritten' }), [
      'Not fully observed: ring buffer overwritten',
      '3 min',
      '13:02:00.000 – 13:05:00.000',
    ]);
  });
});

describe('The card about a checkpoint', () => {
  const card = {
    name: 'db',
    beginUtcMs: 0,
    durationMs: 61_000,
    count: 1,
    enlarged: false,
    beyondRecoveryInterval: false,
    acrossGap: false,
  };

  it('tells database, duration, begin and end', () => {
    assert.deepEqual(
      describeCheckpoint(card, CLOCK).map((line) => line.text),
      ['db', '61.0 s', '01:00:00.000 – 01:01:01.000'],
    );
  });

  it('adds what one pixel cannot show', () => {
    const notes = describeCheckpoint({ ...card, count: 7, enlarged: true, beyondRecoveryInterval: true, acrossGap: true }, CLOCK).slice(3);
    assert.deepEqual(
      notes.map((line) => line.text),
      [
        'longest of 7 checkpoints under this pixel',
        'drawn wider than it is',
        'not shorter than the recovery interval: logged as FlushCache',
        'may have been made of two by a gap: in no figure',
      ],
    );
  });
});
