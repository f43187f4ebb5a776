import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ForecastSteps } from '../../../src/core/advice/forecast';
import { describeForecast } from '../../../src/core/pages/instance-words';
import { layoutForecast } from '../../../src/webview/charts/forecast-chart';
import type { SvgNode } from '../../../src/webview/charts/svg-tree';
import { FAKE_INSTANCE } from '../fake-instance';
import { FIXED_MEASURE, listTexts } from './golden';

/** The site of the mock: 78 databases in four waves. */
const FOUR_WAVES = FAKE_INSTANCE.forecast ?? assert.fail();

const MEASURE = { ...FIXED_MEASURE, widthPx: (text: string) => [...text].length * 6 };

const manyWaves = (count: number): ForecastSteps => ({
  now: 0.98,
  bound: 0.3,
  waves: Array.from({ length: count }, (_, at) => ({ wave: at + 1, databases: 25, low: 1 - (at + 1) / count, high: 1 - at / (count + 1) })),
});

const ofClass = (svg: SvgNode, name: string): readonly SvgNode[] =>
  svg.children.filter(({ attributes }) => String(attributes['class']).split(' ').includes(name));

const numberOf = (node: SvgNode | undefined, name: string): number => Number(node?.attributes[name]);

describe('the forecast as a picture', () => {
  it('shows what is measured and each wave with its range, and where the task counts as free', () => {
    const texts = listTexts(layoutForecast(FOUR_WAVES, 372, MEASURE)).map(({ text }) => text);
    for (const expected of ['97 %', '95–100 %', '44–100 %', '22–78 %', '6–29 %', '30 %', 'now', 'wave 1', 'wave 4', '3 databases', '+25'])
      assert.ok(texts.includes(expected), `${expected} is missing of ${texts.join(' | ')}`);
  });

  it('draws the last band up to just below the line of the bound: 29 of 30 %', () => {
    const svg = layoutForecast(FOUR_WAVES, 372, MEASURE);
    const bands = ofClass(svg, 'band');
    const [line] = ofClass(svg, 'reference');
    assert.equal(bands.length, 4);
    assert.ok(numberOf(bands[3], 'y') > numberOf(line, 'y1'), 'the band of 29 % begins below the line of 30 %');
    assert.ok(numberOf(bands[2], 'y') < numberOf(line, 'y1'), 'the band of 78 % goes above it');
  });

  it('says all of it in words', () => {
    const words =
      'Checkpoint task busy: now 97 %; forecast after wave 1: 95 to 100 %, wave 2: 44 to 100 %, wave 3: 22 to 78 %, wave 4: 6 to 29 %. It counts as free below 30 %.';
    assert.equal(describeForecast(FOUR_WAVES), words);
    const { attributes } = layoutForecast(FOUR_WAVES, 372, MEASURE);
    assert.equal(attributes['role'], 'img');
    assert.equal(attributes['aria-label'], words);
  });

  for (const widthPx of [240, 372, 528])
    for (const waves of [0, 1, 4, 17, 80])
      it(`writes no text over another or beside the picture, and names now and the end: ${waves} waves in ${widthPx} px`, () => {
        const forecast = manyWaves(waves);
        const svg = layoutForecast(forecast, widthPx, MEASURE);
        const boxes = listTexts(svg, MEASURE);
        for (const [at, a] of boxes.entries()) {
          assert.ok(a.left > -0.1 && a.right < widthPx + 0.1 && a.middle > 0 && a.middle < numberOf(svg, 'height'), `${a.text} is outside`);
          for (const b of boxes.slice(at + 1))
            assert.ok(
              a.right <= b.left + 0.1 || b.right <= a.left + 0.1 || Math.abs(a.middle - b.middle) >= FIXED_MEASURE.sizePx,
              `${a.text} over ${b.text}`,
            );
        }
        const texts = boxes.map(({ text }) => text);
        assert.ok(texts.includes('now'));
        if (waves > 0) assert.ok(texts.includes(`wave ${waves}`), texts.join(' | '));
      });
});
