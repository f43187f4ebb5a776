import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type EvidenceChart, PLAIN_CHART } from '../../../src/core/pages/evidence-chart';
import type { EvidenceRow } from '../../../src/core/pages/evidence-page';
import { type SvgNode, writeSvg } from '../../../src/webview/charts/svg-tree';
import { drawGolden, FIXED_MEASURE, type GoldenInput, listGoldens, listTexts, readGolden, readGoldenInput } from './golden';

/** Pairs of texts that lie over each other, and texts that leave the chart. */
function listFaults(svg: SvgNode): readonly string[] {
  const width = Number(svg.attributes['width']);
  const height = Number(svg.attributes['height']);
  const texts = listTexts(svg).filter(({ text }) => text !== '');
  const outside = texts.filter(({ left, right, middle }) => left < -0.1 || right > width + 0.1 || middle > height || middle < 0);
  const over = texts.flatMap((a, i) =>
    texts
      .slice(i + 1)
      .filter((b) => a.left < b.right - 0.1 && b.left < a.right - 0.1 && Math.abs(a.middle - b.middle) < FIXED_MEASURE.sizePx * 0.9)
      .map((b) => `${a.text} | ${b.text}`),
  );
  return [...outside.map(({ text }) => `outside: ${text}`), ...over];
}

const listMarks = (node: SvgNode): readonly SvgNode[] => [
  ...(node.attributes['role'] === 'option' ? [node] : []),
  ...node.children.flatMap(listMarks),
];

/** Every number in the tree. */
const listNumbers = (node: SvgNode): readonly number[] => [
  ...Object.values(node.attributes).filter((value): value is number => typeof value === 'number'),
  ...node.children.flatMap(listNumbers),
];

const value = fc.oneof(
  fc.constant(null),
  fc.constant(0),
  fc.double({ min: 1e-3, max: 1e13, noNaN: true }),
  fc.integer({ min: 1, max: 100_000 }),
);
const cell = fc
  .tuple(fc.string({ maxLength: 30 }), value, fc.option(fc.tuple(fc.double({ min: 0, max: 2, noNaN: true }), value)))
  .map(([text, figure, interval]) => ({
    text: figure === null ? `not observable ${text}` : text,
    value: figure,
    ...(interval === null ? {} : { interval: { low: interval[0], high: interval[1] } }),
  }));
const rowsOf = fc.array(
  fc
    .tuple(fc.string({ maxLength: 140, unit: 'binary' }), cell, cell, cell)
    .map(([name, ...cells]): EvidenceRow => ({ databaseId: 5, cells: [{ text: name, value: null }, ...cells] })),
  { maxLength: 12 },
);
const common = {
  ...PLAIN_CHART,
  id: 'any',
  title: 'Any',
  axis: 'Duration, on a logarithmic scale',
  references: [
    { value: 60_000, text: 'recovery interval' },
    { value: 61_000, text: 'nearly the same' },
  ],
};
const chartOf: fc.Arbitrary<EvidenceChart> = fc
  .record({
    unit: fc.constantFrom('ms', 'ratio', 'bytes', 'count', 'share'),
    scale: fc.constantFrom('linear', 'log'),
    kind: fc.constantFrom('intervals', 'pairs', 'ranges', 'bars', 'points'),
  })
  .map(({ unit, scale, kind }): EvidenceChart => {
    const base = { ...common, unit, scale } as const;
    if (kind === 'pairs') return { ...base, kind, from: 1, to: 2 };
    if (kind === 'ranges') return { ...base, kind, usual: 1, rare: 2, worst: 3 };
    if (kind === 'points')
      return { ...base, references: [], kind, column: 1, across: { column: 2, axis: 'GB', unit: 'gigabytes' }, line: null };
    return { ...base, kind, column: 1 };
  });
const columns = ['Database', 'Median', 'p95', 'Longest'].map((heading, i) => ({ name: heading, heading, title: '', isNumeric: i > 0 }));

describe('A small chart', () => {
  for (const name of listGoldens())
    it(`is as it was looked at: ${name.replace(/-/g, ' ')}`, () => {
      const svg = drawGolden(readGoldenInput(name));
      const text = writeSvg(svg);
      assert.deepEqual(listFaults(svg), []);
      assert.equal(text, readGolden(name, text));
    });

  it('shows every row, keeps every text within its width and apart from every other, whatever the names and figures', () => {
    fc.assert(
      fc.property(chartOf, rowsOf, fc.integer({ min: 240, max: 1400 }), (chart, rows, widthPx) => {
        const input: GoldenInput = { widthPx, sort: null, selectedDatabaseId: null, most: 30, table: { columns, rows, charts: [chart] } };
        const svg = drawGolden(input);
        assert.deepEqual(listFaults(svg), []);
        assert.ok(listNumbers(svg).every(Number.isFinite), 'every number is one');
        const isPoint = (row: EvidenceRow): boolean => row.cells[1]!.value !== null && row.cells[2]!.value !== null;
        const spoken = chart.kind === 'points' ? rows.filter(isPoint) : rows;
        assert.equal(listMarks(svg).length, spoken.length);
      }),
      { numRuns: 300 },
    );
  });
});
