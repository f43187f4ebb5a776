import assert from 'node:assert/strict';
import {
  KEY_MAP,
  POINTER_MAP,
  readKey,
  readPageKey,
  readStripKey,
  STRIP_KEY_MAP,
  writeSheet,
  type KeyEntry,
} from '../../../src/webview/kit/gesture';

const pressed = (key: string): Parameters<typeof readKey>[0] => ({ key, ctrlKey: false, altKey: false, metaKey: false });
const entries: readonly KeyEntry[] = Object.values(KEY_MAP);
const onStrips = Object.values(STRIP_KEY_MAP);

describe('The map of keys', () => {
  it('gives each key one meaning on the timeline, one while measuring and one on the page', () => {
    const ofMode = (holds: (entry: KeyEntry) => boolean): readonly string[] => entries.filter(holds).flatMap(({ keys }) => keys);
    for (const keys of [
      ofMode((entry) => !entry.whileMeasuring && !entry.anywhere),
      ofMode((entry) => entry.whileMeasuring === true),
      ofMode((entry) => entry.anywhere === true),
    ])
      assert.equal(new Set(keys).size, keys.length);
  });

  it('is what keys are read by', () => {
    for (const { keys, gesture, whileMeasuring, anywhere } of entries)
      for (const key of keys) {
        const read = anywhere ? readPageKey(pressed(key)) : readKey(pressed(key), whileMeasuring);
        assert.deepEqual(read, gesture);
      }
  });

  it('gives arrows and Enter to what is measured, as long as it is set by keys, and leaves the others', () => {
    assert.deepEqual(readKey(pressed('ArrowUp'), false), { type: 'lane', step: -1 });
    assert.deepEqual(readKey(pressed('ArrowUp'), true), { type: 'measureLane', step: -1 });
    assert.deepEqual(readKey(pressed('Escape'), true), { type: 'clear' });
    assert.deepEqual(readKey(pressed('f'), true), { type: 'fit' });
  });

  it('has keys of the strips beside it, each with one meaning, with Shift and without', () => {
    const shifted = (entry: (typeof onStrips)[number]): boolean => 'withShift' in entry && entry.withShift === true;
    for (const entry of onStrips)
      for (const key of entry.keys) {
        assert.deepEqual(readStripKey({ ...pressed(key), shiftKey: shifted(entry) }), entry.gesture);
        const isOther = onStrips.some((other) => shifted(other) !== shifted(entry) && other.keys.includes(key as never));
        if (!isOther) assert.equal(readStripKey({ ...pressed(key), shiftKey: !shifted(entry) }), null);
      }
    assert.equal(readStripKey({ ...pressed('ArrowLeft'), shiftKey: false, ctrlKey: true }), null);
    assert.equal(readStripKey({ ...pressed('?'), shiftKey: true }), null, 'the page has its own');
  });

  it('leaves keys of the page to the page', () => {
    assert.equal(readKey(pressed('?')), null);
    assert.equal(readPageKey(pressed('f')), null);
  });

  it('is on the sheet as a whole, with the names of keys as they are printed on them', () => {
    const lines = writeSheet().flatMap(({ lines: of }) => of);
    assert.equal(lines.length, entries.length + onStrips.length + Object.keys(POINTER_MAP).length);
    assert.equal(new Set(lines.map(({ caps, does }) => [...caps, does].join())).size, lines.length);
    const caps = Object.fromEntries(lines.map((line) => [line.does, line.caps]));
    assert.deepEqual(caps['Zoom in'], ['W', '+']);
    assert.deepEqual(caps['Earlier'], ['A', '←']);
    assert.deepEqual(caps['Ten samples or pixels forward'], ['Shift + →']);
    assert.deepEqual(caps['Measure time and lanes'], ['Shift + drag']);
  });
});
