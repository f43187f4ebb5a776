/**
 * Charts as they were once looked at, one of a kind: the SVG that came of the table in `goldens`. And what holds for
 * every chart.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ChartKind, EvidenceChart } from '../../../src/core/pages/evidence-chart';
import type { EvidenceRow, EvidenceTable } from '../../../src/core/pages/evidence-page';
import { selectEvidenceRows } from '../../../src/core/pages/evidence-rows';
import { describeForecast } from '../../../src/core/pages/forecast-words';
import type { TextMeasure } from '../../../src/webview/charts/chart-texts';
import { layoutForecast } from '../../../src/webview/charts/forecast-chart';
import { chartLayouts } from '../../../src/webview/charts/chart-view';
import { type SvgNode, writeSvg } from '../../../src/webview/charts/svg-tree';
import { FAKE_FORECAST, manyWaves } from '../fake-instance';
import { forAll } from '../../for-all';

const GOLDENS = join(__dirname, 'goldens');
const KINDS = Object.keys(chartLayouts) as readonly ChartKind[];

interface Drawn {
  readonly widthPx: number;
  readonly table: Pick<EvidenceTable, 'columns' | 'rows' | 'chart'>;
}

/** Every character is as wide as any other, so that charts are the same everywhere. */
const MEASURE: TextMeasure = { sizePx: 12, widthPx: (text) => [...text].length * 7 };
const NARROW: TextMeasure = { ...MEASURE, widthPx: (text) => [...text].length * 6 };

function draw({ widthPx, table }: Drawn, kind: ChartKind): SvgNode {
  const { chart, columns } = table;
  assert.ok(chart);
  return chartLayouts[kind]({
    chart: { ...chart, kind },
    columns,
    rows: selectEvidenceRows(table, null),
    widthPx,
    measure: MEASURE,
  });
}

/** All nodes of a tree for which this holds. */
const findNodes = (node: SvgNode, is: (node: SvgNode) => boolean): readonly SvgNode[] => [
  ...(is(node) ? [node] : []),
  ...node.children.flatMap((child) => findNodes(child, is)),
];

/** Where the texts of a chart lie. */
function listTexts(svg: SvgNode, measure: TextMeasure) {
  return findNodes(svg, ({ tag, text }) => tag === 'text' && text !== null && text !== '').map(
    ({ attributes, text: shown }) => {
      const text = shown ?? '';
      const width = measure.widthPx(text);
      const anchor = attributes['text-anchor'];
      const left = Number(attributes['x']) - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0);
      return { text, left, right: left + width, middle: Number(attributes['y']) };
    },
  );
}

/** Pairs of texts that lie over each other, and texts that leave the chart. */
function listFaults(svg: SvgNode, measure = MEASURE): readonly string[] {
  const [width, height] = [Number(svg.attributes['width']), Number(svg.attributes['height'])];
  const texts = listTexts(svg, measure);
  const outside = texts.filter(
    ({ left, right, middle }) => left < -0.1 || right > width + 0.1 || middle > height || middle < 0,
  );
  const over = texts.flatMap((a, i) =>
    texts
      .slice(i + 1)
      .filter(
        (b) =>
          a.left < b.right - 0.1 &&
          b.left < a.right - 0.1 &&
          Math.abs(a.middle - b.middle) < measure.sizePx * 0.9,
      )
      .map((b) => `${a.text} | ${b.text}`),
  );
  return [...outside.map(({ text }) => `outside: ${text}`), ...over];
}

const value = fc.oneof(
  fc.constant(null),
  fc.constant(0),
  fc.double({ min: 1e-3, max: 1e13, noNaN: true }),
  fc.integer({ min: 1, max: 100_000 }),
);
const cell = fc
  .tuple(fc.string({ maxLength: 30 }), value)
  .map(([text, figure]) => ({ text: figure === null ? `not observable ${text}` : text, value: figure }));
const rowsOf = fc.array(
  fc
    .tuple(fc.string({ maxLength: 140, unit: 'binary' }), cell, cell, cell)
    .map(([name, ...cells]): EvidenceRow => ({
      databaseId: 5,
      cells: [{ text: name, value: null, sign: 'second' }, ...cells],
    })),
  { maxLength: 12 },
);
const chart: EvidenceChart = {
  kind: 'points',
  id: 'any',
  title: 'Any',
  axis: 'Duration, on a logarithmic scale',
  label: 0,
  column: 1,
  across: { column: 2, axis: 'Server time' },
};
const columns = ['Database', 'Median', 'p95', 'Longest'].map((heading, i) => ({
  name: heading,
  heading,
  title: '',
  isNumeric: i > 0,
}));

describe('A small chart', () => {
  it('shades the hours that all points lie in, also past midnight, and marks the moment of a change', () => {
    const at = (day: number, hour: number): number => Date.UTC(2026, 2, day, hour);
    const rows = [at(15, 23), at(16, 3), at(17, 1)].map((value) => ({
      databaseId: null,
      cells: [
        { text: 'a', value: null },
        { text: '61 s', value: 61_000 },
        { text: '', value },
      ],
    }));
    const against = { hours: [22, 4], changedMs: [at(17, 12)] } as const;
    const table = { columns, rows, chart: { ...chart, across: { ...chart.across!, ...against } } };
    const svg = draw({ widthPx: 600, table }, 'points');
    const isOf = (name: string) => (node: SvgNode) => node.attributes['class'] === name;
    const spans = findNodes(svg, isOf('hours')).map(({ attributes: { x, width } }) => [
      Number(x),
      Number(x) + Number(width),
    ]);
    const points = findNodes(svg, isOf('sign to')).map(({ attributes }) =>
      Number(/translate\(([\d.]+)/.exec(String(attributes['transform']))?.[1]),
    );
    assert.equal(points.length, 3);
    assert.ok(points.every((x) => spans.some(([from = 0, to = 0]) => from <= x && x <= to)));
    assert.ok(spans.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0) < 300, 'the days are not shaded');
    const [line, label] = findNodes(svg, isOf('changed'));
    assert.ok(Number(line?.attributes['x1']) > Math.max(...points));
    assert.equal(label?.text, 'changed');
  });

  it('draws databases that have no sign of their own in one of their own, which its legend names', () => {
    const row = (name: string, sign?: 'first'): EvidenceRow => ({
      databaseId: null,
      cells: [
        { text: name, value: null, ...(sign && { sign }) },
        ...[1, 2, 3].map((each) => ({ text: '', value: each })),
      ],
    });
    const listSigns = (rows: readonly EvidenceRow[]): readonly unknown[] =>
      findNodes(draw({ widthPx: 400, table: { columns, rows, chart } }, 'points'), ({ attributes }) =>
        /^sign /.test(String(attributes['class'])),
      ).map(({ attributes }) => attributes['class']);
    assert.deepEqual(listSigns([row('dbA', 'first'), row('dbB')]), [
      'sign first',
      'sign other',
      'sign first',
      'sign other',
    ]);
    assert.deepEqual(listSigns([row('dbA'), row('dbB')]), ['sign to', 'sign to']);
  });

  for (const kind of KINDS)
    it(`is as it was looked at: ${kind}`, () => {
      const svg = draw(JSON.parse(readFileSync(join(GOLDENS, 'table.json'), 'utf8')) as Drawn, kind);
      const path = join(GOLDENS, `${kind}.svg`);
      // Written again with UPDATE_GOLDENS=1, and you look at it again.
      if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(path, writeSvg(svg));
      assert.deepEqual(listFaults(svg), []);
      assert.equal(writeSvg(svg), readFileSync(path, 'utf8'));
    });

  it('shows every row with a moment and a figure, keeps every text within its width and apart from every other, whatever the names and figures', () => {
    forAll(
      fc.tuple(fc.constantFrom(...KINDS), rowsOf, fc.integer({ min: 240, max: 1400 })),
      300,
      ([kind, rows, widthPx]) => {
        const svg = draw({ widthPx, table: { columns, rows, chart } }, kind);
        assert.deepEqual(listFaults(svg), []);
        const numbers = findNodes(svg, () => true).flatMap(({ attributes }) =>
          Object.values(attributes).filter((one) => typeof one === 'number'),
        );
        assert.ok(numbers.every(Number.isFinite), 'every number is one');
        const isPoint = (row: EvidenceRow): boolean =>
          row.cells[1]!.value !== null && row.cells[2]!.value !== null;
        assert.equal(
          findNodes(svg, ({ attributes }) => attributes['role'] === 'option').length,
          rows.filter(isPoint).length,
        );
      },
    );
  });
});

describe('The forecast as a picture', () => {
  const svg = layoutForecast(FAKE_FORECAST, 372, NARROW);

  it('shows what is measured and each wave with its range, and where the task counts as free', () => {
    const texts = listTexts(svg, NARROW).map(({ text }) => text);
    for (const expected of [
      '97 %',
      '≥ 95 %',
      '≈ 72 %',
      '22–78 %',
      '6–29 %',
      '30 %',
      'now',
      'wave 1',
      'wave 4',
      '3 databases',
      '+25',
    ])
      assert.ok(texts.includes(expected), `${expected} is missing of ${texts.join(' | ')}`);
  });

  it('draws the last band up to just below the line of the bound: 29 of 30 %', () => {
    const ofClass = (name: string) =>
      findNodes(svg, ({ attributes }) => String(attributes['class']).split(' ').includes(name));
    const tops = ofClass('band').map(({ attributes }) => Number(attributes['y']));
    const line = Number(ofClass('reference')[0]?.attributes['y1']);
    assert.equal(tops.length, 4);
    assert.ok(tops[3]! > line, 'the band of 29 % begins below the line of 30 %');
    assert.ok(tops[2]! < line, 'the band of 78 % goes above it');
  });

  it('says all of it in words', () => {
    const waves =
      'wave 1: at least 95 %, wave 2: likely 72 %, 44 to 100 % possible, wave 3: 22 to 78 %, wave 4: 6 to 29 %';
    const words = `Checkpoint task busy: now 97 %; forecast after ${waves}. Goal: under 30 %.`;
    assert.equal(describeForecast(FAKE_FORECAST), words);
    assert.deepEqual([svg.attributes['role'], svg.attributes['aria-label']], ['img', words]);
  });

  it('writes no text over another or beside the picture, and names now and the end, however many waves in whatever width', () => {
    for (const widthPx of [240, 372, 528])
      for (const waves of [0, 1, 4, 17, 80]) {
        const drawn = layoutForecast(manyWaves(waves), widthPx, NARROW);
        assert.deepEqual(listFaults(drawn, NARROW), [], `${waves} waves in ${widthPx} px`);
        const texts = listTexts(drawn, NARROW).map(({ text }) => text);
        assert.ok(
          texts.includes('now') && (waves === 0 || texts.includes(`wave ${waves}`)),
          texts.join(' | '),
        );
      }
  });
});
