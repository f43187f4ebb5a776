import assert from 'node:assert/strict';
import type { ComparisonInput } from '../../../src/core/comparison/comparison-input';
import { writeChangeSentence, writeMeasureSentence, writeMethodSentence } from '../../../src/core/comparison/comparison-sentences';
import {
  BEGIN_UTC_MS,
  DAY_MS,
  HOUR_MS,
  changeAt,
  compare,
  createDraw,
  generateBlocks,
  type Disorder,
  type NamedDatabase,
  type Shift,
} from '../statistics/generated-history';

const CALM: Disorder = { noise: 0.05, correlation: 0.5 };
const CHANGE_UTC_MS = BEGIN_UTC_MS + 7 * DAY_MS;

function makeChanged(name: string, shift: Shift, seed = 1, disorder = CALM): NamedDatabase {
  return { name, changes: [changeAt(CHANGE_UTC_MS)], blocks: generateBlocks(createDraw(seed), disorder, 14, 7, shift) };
}

function concludeOne(shift: Shift, rest: Partial<ComparisonInput> = {}): string | undefined {
  return compare([makeChanged('Orders', shift)], rest).changes[0]?.conclusion.kind;
}

describe('a comparison before and after a change', () => {
  it('says that total write work rose, fell or showed no difference, as it was made', () => {
    assert.equal(concludeOne({ writes: 1.6 }), 'rose');
    assert.equal(concludeOne({ writes: 0.6 }), 'fell');
    assert.equal(concludeOne({}), 'no difference');
  });

  it('cannot tell where the log, the transactions or their mix changed at the same moment', () => {
    assert.equal(concludeOne({ writes: 1.6, log: 2 }), 'cannot tell');
    assert.equal(concludeOne({ log: 0.5 }), 'cannot tell');
    assert.equal(concludeOne({ writes: 1.6, transactions: 2 }), 'cannot tell');
  });

  it('gives the effect with an interval that holds what was made', () => {
    const [change] = compare([makeChanged('Orders', { writes: 1.6 })]).changes;
    const main = change?.measures[0];
    assert.ok(main?.effect?.ratio != null && main.effect.high !== null);
    assert.ok(
      main.effect.low < 1.6 && main.effect.high > 1.6 && main.effect.high < 1.8 && main.effect.low > 1.4,
      JSON.stringify(main.effect),
    );
    // 24 hours of seven days, less the hour in which the change settles.
    assert.deepEqual([main.pairs, main.blocks], [7, 7 * 24 - 1]);
  });

  it('needs five pairs of days, and gives no answer from days of other weekdays', () => {
    const days = (from: number, to: number): string | undefined => {
      const blocks = generateBlocks(createDraw(1), CALM, 14, 7, { writes: 2 }).filter(
        ({ beginUtcMs }) => beginUtcMs >= BEGIN_UTC_MS + from * DAY_MS && beginUtcMs < BEGIN_UTC_MS + to * DAY_MS,
      );
      return compare([{ name: 'Orders', changes: [changeAt(CHANGE_UTC_MS)], blocks }]).changes[0]?.conclusion.kind;
    };
    assert.equal(days(0, 12), 'rose');
    assert.equal(days(0, 11), 'not enough data');
    // Five days before and five after, three of them in common.
    assert.equal(days(2, 12), 'not enough data');
    assert.equal(days(3, 11), 'not enough data');
    assert.equal(days(0, 7), 'not enough data');
  });

  it('says what it rests on in sentences', () => {
    const { method, changes } = compare([makeChanged('Orders', { writes: 1.6 }), { name: 'Idle' }]);
    const [change] = changes;
    assert.ok(change);
    assert.match(
      writeChangeSentence(change),
      /^Orders, automatic to 60 s: total write work for the same work rose: 1\.\d\d times \(97\.5 % interval 1\.\d\d to 1\.\d\d\)\.$/,
    );
    assert.match(
      writeMethodSentence(method),
      /Bonferroni-corrected for 1 change .* 97\.5 % for total write work, 99\.5 % for each of the others/,
    );
    assert.match(writeMethodSentence(method), /one week on each side, a slow drift cannot be told from a change\.$/);
    const sentences = change.measures.map((each) => writeMeasureSentence(each, method.blockMinutes, change.change));
    assert.match(
      sentences[0] ?? '',
      /^Total write work rose: 1\.\d\d times .*; bytes written to data files per byte of log: [\d.]+ before, \d\.\d+ after; 7 pairs of days, 167 blocks of 60 minutes on each side\.$/,
    );
    assert.ok(sentences.some((sentence) => sentence.startsWith('Time in checkpoints: not observable')));
  });

  it('names other databases that changed in the days compared, and gives no conclusion about the instance then', () => {
    const instance = generateBlocks(createDraw(5), CALM, 14, 7).map(({ beginUtcMs, observedMs, dataWrittenBytes }) => ({
      beginUtcMs,
      observedMs,
      checkpointPages: Math.round(dataWrittenBytes / 8192),
      backgroundWriterPages: 0,
      lazyWrites: 0,
      pageWrites: null,
      writelogWaits: 1000,
      writelogWaitMs: 700,
    }));
    const kinds = (others: readonly NamedDatabase[]): readonly unknown[] => {
      const [change] = compare([makeChanged('Orders', {}), ...others], { instance }).changes;
      const ofInstance = change?.measures.find(({ measure }) => measure.id === 'writelog wait');
      return [change?.confounders.others, change?.conclusion.kind, ofInstance?.conclusion.kind];
    };
    assert.deepEqual(kinds([]), [[], 'no difference', 'no difference']);
    assert.deepEqual(kinds([{ name: 'Stock', changes: [changeAt(CHANGE_UTC_MS + 3 * HOUR_MS)] }]), [
      ['Stock'],
      'no difference',
      'cannot tell',
    ]);
    assert.deepEqual(kinds([{ name: 'Stock', changes: [changeAt(CHANGE_UTC_MS + 20 * DAY_MS)] }]), [[], 'no difference', 'no difference']);
  });

  it('names restarts, and cannot tell where another server answered in between', () => {
    const beginUtcMs = BEGIN_UTC_MS + 8 * DAY_MS;
    const observe = (kind: 'server restarted' | 'failover'): ComparisonInput['observation'] => ({
      beginUtcMs: BEGIN_UTC_MS,
      endUtcMs: BEGIN_UTC_MS + 14 * DAY_MS,
      gaps: [{ kind, beginUtcMs, endUtcMs: beginUtcMs + HOUR_MS, reason: '' }],
    });
    const restarted = compare([makeChanged('Orders', {})], { observation: observe('server restarted') }).changes[0];
    assert.equal(restarted?.conclusion.kind, 'no difference');
    assert.ok(restarted.confounders.sentences.some((sentence) => sentence.includes('buffer pool was empty')));
    assert.equal(concludeOne({}, { observation: observe('failover') }), 'cannot tell');
  });

  it('takes databases that changed within an hour together too, and says of the instance what they did to it', () => {
    const databases = [1, 2, 3].map((i) => makeChanged(`Orders ${i}`, { writes: 1.5 }, i));
    const { method, changes } = compare(databases);
    assert.deepEqual(
      changes.map(({ name, members, conclusion }) => [name, members.length, conclusion.kind]),
      [
        ['3 databases together', 3, 'rose'],
        ['Orders 1', 0, 'rose'],
        ['Orders 2', 0, 'rose'],
        ['Orders 3', 0, 'rose'],
      ],
    );
    assert.equal(method.comparisons, 4);
    assert.deepEqual(changes[0]?.confounders.others, []);
    assert.deepEqual(changes[1]?.confounders.others, ['Orders 2', 'Orders 3']);
    const all = changes[0]?.measures[0]?.effect;
    assert.ok(all != null && all.low < 1.5 && (all.high ?? 0) > 1.5, JSON.stringify(all));
  });

  it('ends the days of a change where the next one of the same database begins', () => {
    const [one] = [makeChanged('Orders', { writes: 1.6 })];
    const twice = (at: number): readonly unknown[] =>
      compare([
        { ...one, name: 'Orders', changes: [changeAt(CHANGE_UTC_MS), { ...changeAt(at), fromSeconds: 60, toSeconds: 0 }] },
      ]).changes.map(({ conclusion }) => conclusion.kind);
    assert.deepEqual(twice(CHANGE_UTC_MS + 6 * DAY_MS), ['rose', 'not enough data']);
    assert.deepEqual(twice(CHANGE_UTC_MS + 3 * DAY_MS), ['not enough data', 'not enough data']);
  });
});
