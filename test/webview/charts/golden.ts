/** Charts as they were once looked at: a folder each, named by what it proves, with the table that is drawn and the SVG that came of it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceTable } from '../../../src/core/pages/evidence-page';
import { selectEvidenceRows, type EvidenceSort } from '../../../src/core/pages/evidence-rows';
import { layoutChart, selectChartRows } from '../../../src/webview/charts/chart-layout';
import type { TextMeasure } from '../../../src/webview/charts/chart-texts';
import type { SvgNode } from '../../../src/webview/charts/svg-tree';

const folder = join(__dirname, 'goldens');

/** Every character is as wide as any other, so that charts are the same everywhere. */
export const FIXED_MEASURE: TextMeasure = { sizePx: 12, widthPx: (text) => [...text].length * 7 };

export interface GoldenInput {
  readonly widthPx: number;
  readonly sort: EvidenceSort | null;
  readonly selectedDatabaseId: number | null;
  readonly most: number;
  readonly table: Pick<EvidenceTable, 'columns' | 'rows' | 'charts'>;
}

export const listGoldens = (): readonly string[] => readdirSync(folder).sort();

/** What an input.json says; one that is like another says only what is different. */
interface WrittenInput extends Partial<Omit<GoldenInput, 'table'>> {
  readonly like?: string;
  readonly table?: Partial<GoldenInput['table']>;
}

const PLAIN: GoldenInput = { widthPx: 720, sort: null, selectedDatabaseId: null, most: 30, table: { columns: [], rows: [] } };

export function readGoldenInput(name: string): GoldenInput {
  const { like, table, ...own } = JSON.parse(readFileSync(join(folder, name, 'input.json'), 'utf8')) as WrittenInput;
  const base = like === undefined ? PLAIN : readGoldenInput(like);
  return { ...base, ...own, table: { ...base.table, ...table } };
}

/** The chart that was looked at. With UPDATE_GOLDENS=1 it is written again, and you look at it again. */
export function readGolden(name: string, now: string): string {
  const path = join(folder, name, 'chart.svg');
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(path, now);
  return readFileSync(path, 'utf8');
}

export function drawGolden({ widthPx, sort, selectedDatabaseId, most, table }: GoldenInput): SvgNode {
  const chart = table.charts![0]!;
  const rows = selectEvidenceRows(table, sort);
  const shown = selectChartRows({ chart, rows, selectedDatabaseId, group: null, most });
  return layoutChart({ chart, columns: table.columns, rows: shown.rows, widthPx, measure: FIXED_MEASURE });
}

export interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly middle: number;
}

/** Where the texts of a chart lie. */
export function listTexts(node: SvgNode, measure = FIXED_MEASURE): readonly TextBox[] {
  const own = node.tag === 'text' ? [boxOf(node, measure)] : [];
  return [...own, ...node.children.flatMap((child) => listTexts(child, measure))];
}

function boxOf({ attributes, text }: SvgNode, measure: TextMeasure): TextBox {
  const width = measure.widthPx(text ?? '');
  const x = Number(attributes['x']);
  const anchor = attributes['text-anchor'];
  const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
  return { text: text ?? '', left, right: left + width, middle: Number(attributes['y']) };
}
