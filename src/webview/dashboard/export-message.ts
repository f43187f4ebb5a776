/** What the reader asks to be written to a file, as a message to the extension. Pure. */
import type { ExportRequest } from '../../core/export/export-request';
import type { ToExtension } from '../../protocol';
import type { MeasuredPart, ViewState } from '../model/view-state';

/** Checkpoints, figures or a page, as far as they are in view: the window, and under a filter the databases that it leaves. Figures are of all that was observed where their table is. */
export function writeExportMessage(
  { what, format }: Pick<ExportRequest, 'what' | 'format'>,
  { page, window, filter, figuresInView }: Pick<ViewState, 'page' | 'window' | 'filter' | 'figuresInView'>,
  lanes: readonly { readonly databaseId: number }[],
): ToExtension {
  const of = { type: 'export', format, what, tableId: null } as const;
  if (page !== 'timeline' && page !== 'databases') return { ...of, pageId: page, window: null, databaseIds: null };
  const isOfView = what !== 'statistics' || figuresInView;
  const databaseIds = filter === '' ? null : lanes.map(({ databaseId }) => databaseId);
  return { ...of, pageId: null, window: isOfView ? window : null, databaseIds };
}

/** The checkpoints of what is measured. */
export function writeMeasuredMessage({ beginUtcMs, endUtcMs, databaseIds }: MeasuredPart): ToExtension {
  return {
    type: 'export',
    format: 'csv',
    what: 'checkpoints',
    pageId: null,
    tableId: null,
    window: { beginUtcMs, endUtcMs },
    databaseIds,
  };
}
