import assert from 'node:assert/strict';
import {
  KEY_MAP,
  POINTER_MAP,
  readKey,
  readPageKey,
  readStripKey,
  readWheel,
  STRIP_KEY_MAP,
  writeSheet,
  type KeyEntry,
} from '../../../src/webview/kit/gesture';

const pressed = (key: string): Parameters<typeof readKey>[0] => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
});
const entries: readonly KeyEntry[] = Object.values(KEY_MAP);
const onStrips = Object.values(STRIP_KEY_MAP);

describe('The map of keys', () => {
  it('gives each key one meaning on the timeline, one while measuring and one on the page', () => {
    const ofMode = (holds: (entry: KeyEntry) => boolean): readonly string[] =>
      entries.filter(holds).flatMap(({ keys }) => keys);
    for (const keys of [
      ofMode((entry) => !entry.whileMeasuring && !entry.anywhere),
      ofMode((entry) => entry.whileMeasuring === true),
      ofMode((entry) => entry.anywhere === true),
    ])
      assert.equal(new Set(keys).size, keys.length);
  });

  it('has keys of the strips beside it, each with one meaning, with Shift and without', () => {
    const shifted = (entry: (typeof onStrips)[number]): boolean =>
      'withShift' in entry && entry.withShift === true;
    for (const entry of onStrips)
      for (const key of entry.keys) {
        assert.deepEqual(readStripKey({ ...pressed(key), shiftKey: shifted(entry) }), entry.gesture);
        const isOther = onStrips.some(
          (other) => shifted(other) !== shifted(entry) && other.keys.includes(key as never),
        );
        if (!isOther) assert.equal(readStripKey({ ...pressed(key), shiftKey: !shifted(entry) }), null);
      }
    assert.equal(readStripKey({ ...pressed('ArrowLeft'), shiftKey: false, ctrlKey: true }), null);
    assert.equal(readStripKey({ ...pressed('?'), shiftKey: true }), null, 'the page has its own');
  });

  it('leaves keys of the page to the page, keys with Ctrl to others, and unknown ones too', () => {
    assert.equal(readKey(pressed('?')), null);
    assert.deepEqual(readKey(pressed('F')), { type: 'fit' });
    assert.equal(readKey({ ...pressed('F'), ctrlKey: true }), null);
    assert.equal(readKey(pressed('constructor')), null);
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

describe('The wheel', () => {
  const turn = (part: object) =>
    readWheel({ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, shiftKey: false, ...part }, 800);
  const factorOf = (part: object): number => {
    const read = turn(part);
    return read?.type === 'zoom' ? read.factor : assert.fail();
  };

  it('zooms in when it turns away, and out when it turns back, by the same factor', () => {
    assert.ok(factorOf({ deltaY: -100 }) > 1);
    assert.ok(Math.abs(factorOf({ deltaY: -100 }) * factorOf({ deltaY: 100 }) - 1) < 1e-12);
  });

  it('pans with Shift and where it is horizontal, by as many pixels as it moved', () => {
    assert.deepEqual(turn({ deltaY: 80, shiftKey: true }), { type: 'pan', share: 0.1 });
    assert.deepEqual(turn({ deltaX: -80, deltaY: 10 }), { type: 'pan', share: -0.1 });
  });

  it('zooms with Ctrl, as a pinch on a trackpad sends it, and does nothing where it does not move', () => {
    assert.ok(factorOf({ deltaY: -4, deltaX: 9, ctrlKey: true }) > 1.03);
    assert.equal(turn({}), null);
  });
});
