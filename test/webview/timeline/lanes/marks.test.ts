import assert from 'node:assert/strict';
import type { Gap } from '../../../../src/core/session/gap';
import { colourDistance, createColourRamp, type ThemeKind } from '../../../../src/webview/kit/colour-ramp';
import { placeCard } from '../../../../src/webview/timeline/lanes/hover-card';
import {
  layoutChanges,
  layoutGaps,
  placeLabels,
  type Label,
} from '../../../../src/webview/timeline/lanes/time-marks';
import { changeOf } from '../../../core/task/changed';
import { gapOf } from '../../../core/gap-of';

const view = { beginUtcMs: 0, endUtcMs: 1000, columns: 100 };
const gap = (beginUtcMs: number, endUtcMs: number): Gap => gapOf('unknown', beginUtcMs, endUtcMs, 'x');

describe('Gaps and changes over the plot', () => {
  it('are cut to the view, and a short gap is still one pixel', () => {
    const spans = layoutGaps([gap(-50, 20), gap(505, 506), gap(2000, 3000)], view).map(
      ({ from, end }) => `${from}–${end}`,
    );
    assert.deepEqual(spans, ['0–2', '50–51']);
  });

  it('are one mark for changes on the same pixel, and one at the last moment is on the last pixel', () => {
    const marks = layoutChanges(
      [changeOf(2, 208), changeOf(1, 201), changeOf(3, 500), changeOf(4, 1000), changeOf(5, 1001)],
      view,
    );
    const told = marks.map(({ at, changes }) => `${at}: ${changes.map((one) => one.databaseId).join(' ')}`);
    assert.deepEqual(told, ['20: 1 2', '50: 3', '99: 4']);
  });

  it('have labels that never lie over each other nor outside the plot', () => {
    const label = (text: string, middlePx: number): Label => ({ text, middlePx, kind: 'gap' });
    const placed = placeLabels(
      [label('aaaa', 5), label('bbbb', 30), label('cccc', 70), label('dddd', 99)],
      100,
      () => 20,
    );
    const labels = placed.map(({ text, middlePx }) => `${text} ${middlePx}`);
    assert.deepEqual(labels, ['aaaa 14', 'cccc 70']);
  });
});

describe('The hover card', () => {
  const frame = { widthPx: 300, heightPx: 100 };

  it('lies beside the pointer and turns round at the edges', () => {
    assert.deepEqual(placeCard(10, 10, { widthPx: 100, heightPx: 50 }, frame), { leftPx: 24, topPx: 24 });
    assert.deepEqual(placeCard(290, 90, { widthPx: 100, heightPx: 50 }, frame), { leftPx: 176, topPx: 26 });
  });

  it('stays in view where neither side has room', () => {
    assert.deepEqual(placeCard(150, 50, { widthPx: 280, heightPx: 120 }, frame), { leftPx: 20, topPx: 0 });
  });
});

/** The editor's background and that of a selected row, in VS Code's own themes. */
const GROUNDS: Readonly<Record<ThemeKind, readonly string[]>> = {
  dark: ['#1f1f1f', '#37373d'],
  light: ['#ffffff', '#e4e6f1'],
  'high-contrast': ['#000000'],
  'high-contrast-light': ['#ffffff'],
};

/** Relative luminance (WCAG 2). */
function lightOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('The colours of durations', () => {
  for (const kind of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as readonly ThemeKind[]) {
    it(`are evenly far apart for the eye in a ${kind} theme`, () => {
      const ramp = createColourRamp(kind, 16);
      const steps = ramp.slice(1).map((colour, i) => colourDistance(ramp[i]!, colour));
      const mean = steps.reduce((a, b) => a + b, 0) / steps.length;
      // A corner of the line through the stops shortens a step; rounding to 8 bits moves it a little.
      for (const step of steps) assert.ok(step > mean * 0.8 && step < mean * 1.15, `${step} of ${mean}`);
      assert.ok(mean > 0.02);
    });

    it(`can be seen on the ground of a lane, also of a selected one, in a ${kind} theme`, () => {
      for (const ground of GROUNDS[kind])
        for (const colour of createColourRamp(kind, 64)) {
          const [lighter = 0, darker = 0] = [lightOf(colour), lightOf(ground)].sort((a, b) => b - a);
          assert.ok((lighter + 0.05) / (darker + 0.05) >= 3, `${colour} on ${ground}`);
        }
    });
  }

  it('differ between the themes', () => {
    assert.notDeepEqual(createColourRamp('dark', 4), createColourRamp('light', 4));
  });
});
