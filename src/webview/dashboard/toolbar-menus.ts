/** What the menus of the toolbar offer, what a choice changes, and what the reader asks to export. Pure. */
import type { ExportRequest } from '../../core/export/export-request';
import { STRIP_IDS, STRIPS, type StripId } from '../../core/timeline/strips';
import { CLOCK_NAMES } from '../model/clock';
import type { MenuGroup, MenuItem } from '../kit/menu-button';
import {
  CLOCK_IDS,
  LANE_HEIGHTS,
  type LaneHeight,
  type PageId,
  sideOf,
  type ViewState,
  type MeasuredPart,
} from '../model/view-state';
import type { ToExtension } from '../../protocol';
import { t } from '../../core/language';

const HEIGHT_NAMES: Readonly<Record<LaneHeight, string>> = {
  normal: t('Normal'),
  compact: t('Compact'),
  all: t('As many as fit'),
};

const radio = (id: string, text: string, checked: boolean): MenuItem => ({
  id,
  text,
  kind: 'radio',
  checked,
});
const box = (id: string, text: string, checked: boolean): MenuItem => ({
  id,
  text,
  kind: 'checkbox',
  checked,
});

export function listClocks({ clock }: Pick<ViewState, 'clock'>): readonly MenuGroup[] {
  return [{ name: t('Clock'), items: CLOCK_IDS.map((id) => radio(id, CLOCK_NAMES[id], id === clock)) }];
}

/** @param folded chosen strips for which there is no room now */
export function listViews(
  { laneHeight, strips, figuresOf }: Pick<ViewState, 'laneHeight' | 'strips' | 'figuresOf'>,
  folded: readonly StripId[] = [],
): readonly MenuGroup[] {
  const nameStrip = (id: StripId): string =>
    folded.includes(id) ? t('{0} (not enough room)', STRIPS[id].name) : STRIPS[id].name;
  return [
    { name: t('Lanes'), items: LANE_HEIGHTS.map((id) => radio(id, HEIGHT_NAMES[id], id === laneHeight)) },
    {
      name: t('Strips'),
      items: STRIP_IDS.map((id) => box(id, nameStrip(id), strips.includes(id))),
    },
    {
      name: t('Table'),
      items: [box('figures', t('Figures of the time in view'), figuresOf === 'view')],
    },
  ];
}

/** What a choice in the menu of views changes. */
export function chooseView(
  id: string,
  { strips, figuresOf }: Pick<ViewState, 'strips' | 'figuresOf'>,
): Partial<ViewState> {
  if (id === 'figures') return { figuresOf: figuresOf === 'view' ? 'since' : 'view' };
  const strip = STRIP_IDS.find((candidate) => candidate === id);
  if (strip === undefined) return { laneHeight: id as LaneHeight };
  return { strips: STRIP_IDS.filter((candidate) => strips.includes(candidate) !== (candidate === strip)) };
}

/** A picture of the timeline, or a file that the extension writes. */
export type ExportChoice = { readonly picture: 'png' | 'svg' } | Pick<ExportRequest, 'format' | 'what'>;

interface Offer {
  readonly id: string;
  readonly text: string;
  readonly choice: ExportChoice;
}

const PICTURES: readonly Offer[] = [
  { id: 'png', text: t('Picture, PNG'), choice: { picture: 'png' } },
  { id: 'svg', text: t('Picture, SVG'), choice: { picture: 'svg' } },
];
const file = (
  id: string,
  text: string,
  what: ExportRequest['what'],
  format: ExportRequest['format'],
): Offer => ({ id, text, choice: { what, format } });
const DATA: readonly Offer[] = [
  file('checkpointsCsv', t('Checkpoints in view, CSV'), 'checkpoints', 'csv'),
  file('checkpointsJson', t('Checkpoints in view, JSON'), 'checkpoints', 'json'),
  file('checkpointsParquet', t('Checkpoints in view, Parquet'), 'checkpoints', 'parquet'),
  file('statisticsCsv', t('Figures by database, CSV'), 'statistics', 'csv'),
  file('statisticsJson', t('Figures by database, JSON'), 'statistics', 'json'),
  file('statisticsParquet', t('Figures by database, Parquet'), 'statistics', 'parquet'),
];
const PAGE: readonly Offer[] = [
  file('pageCsv', t('A table of this page, CSV'), 'page', 'csv'),
  file('pageJson', t('This page, JSON'), 'page', 'json'),
];

export function listExports(page: PageId): readonly MenuGroup[] {
  return [{ name: t('Export'), items: offersOf(page).map(({ id, text }) => ({ id, text, kind: 'action' })) }];
}

export function chooseExport(id: string): ExportChoice {
  return [...PICTURES, ...DATA, ...PAGE].find((offer) => offer.id === id)!.choice;
}

function offersOf(page: PageId): readonly Offer[] {
  if (page === 'timeline') return [...PICTURES, ...DATA];
  return page === 'databases' ? DATA : PAGE;
}

/**
 * Exports checkpoints, figures or a page: of the window in view and, with a filter, its databases. Figures may be of
 * all observed time, as in their table.
 */
export function writeExportMessage(
  { what, format }: Pick<ExportRequest, 'what' | 'format'>,
  { page, window, filter, figuresOf }: Pick<ViewState, 'page' | 'window' | 'filter' | 'figuresOf'>,
  lanes: readonly { readonly databaseId: number }[],
): ToExtension {
  const side = what === 'statistics' ? sideOf(figuresOf) : null;
  const of = { type: 'export', format, what, tableId: null, side } as const;
  if (page !== 'timeline' && page !== 'databases')
    return { ...of, pageId: page, window: null, databaseIds: null };
  const isOfView = what !== 'statistics' || figuresOf === 'view';
  const databaseIds = filter === '' ? null : lanes.map(({ databaseId }) => databaseId);
  return { ...of, pageId: null, window: isOfView ? window : null, databaseIds };
}

export function writeMeasuredMessage({ beginUtcMs, endUtcMs, databaseIds }: MeasuredPart): ToExtension {
  return {
    type: 'export',
    format: 'csv',
    what: 'checkpoints',
    pageId: null,
    tableId: null,
    window: { beginUtcMs, endUtcMs },
    side: null,
    databaseIds,
  };
}
