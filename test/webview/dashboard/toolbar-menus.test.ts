import assert from 'node:assert/strict';
import { STRIPS } from '../../../src/core/timeline/strips';
import {
  writeExportMessage,
  writeMeasuredMessage,
  chooseExport,
  chooseView,
  listClocks,
  listExports,
  listViews,
} from '../../../src/webview/dashboard/toolbar-menus';
import { describeArrival } from '../../../src/webview/dashboard/progress-line';
import { INITIAL_VIEW, PAGE_IDS } from '../../../src/webview/model/view-state';

type Groups = ReturnType<typeof listClocks>;
const checked = (groups: Groups): readonly string[] =>
  groups.flatMap(({ items }) => items.filter((item) => item.checked).map(({ id }) => id));

describe('The menus of the toolbar', () => {
  it('mark what is chosen', () => {
    assert.deepEqual(checked(listClocks(INITIAL_VIEW)), ['server']);
    assert.deepEqual(checked(listViews(INITIAL_VIEW)), ['normal', 'busy', 'logWrite']);
  });

  it('show and hide strips in their own order, and set the rest', () => {
    assert.deepEqual(chooseView('dataWrite', INITIAL_VIEW), { strips: ['busy', 'dataWrite', 'logWrite'] });
    assert.deepEqual(chooseView('busy', INITIAL_VIEW), { strips: ['logWrite'] });
    assert.deepEqual(chooseView('compact', INITIAL_VIEW), { laneHeight: 'compact' });
    assert.deepEqual(chooseView('figures', INITIAL_VIEW), { figuresOf: 'view' });
  });

  it('say for which of the chosen strips there is no room', () => {
    const texts = listViews(INITIAL_VIEW, ['logWrite']).flatMap(({ items }) => items.map(({ text }) => text));
    assert.deepEqual(
      texts.filter((text) => text.includes('room')),
      [`${STRIPS.logWrite.name} (not enough room)`],
    );
    assert.ok(texts.includes(STRIPS.busy.name));
  });

  it('offer pictures where there is one, and know every offer again', () => {
    const idsOf = (page: (typeof PAGE_IDS)[number]): readonly string[] =>
      listExports(page)[0]!.items.map(({ id }) => id);
    assert.deepEqual(
      PAGE_IDS.filter((page) => idsOf(page).includes('png')),
      ['timeline'],
    );
    for (const page of PAGE_IDS) for (const id of idsOf(page)) assert.ok(chooseExport(id));
    assert.deepEqual(
      PAGE_IDS.filter((page) => idsOf(page).some((id) => id.endsWith('Parquet'))),
      ['timeline', 'databases'],
    );
    assert.deepEqual(chooseExport('checkpointsParquet'), { what: 'checkpoints', format: 'parquet' });
  });
});

describe('What is to be written to a file', () => {
  const window = { beginUtcMs: 1, endUtcMs: 2 };
  const lanes = [{ databaseId: 5 }, { databaseId: 7 }];

  it('is of the time in view, and of all databases where no filter is set', () => {
    const of = {
      type: 'export',
      what: 'checkpoints',
      format: 'csv',
      pageId: null,
      tableId: null,
      side: null,
    } as const;
    assert.deepEqual(writeExportMessage(of, { ...INITIAL_VIEW, window }, lanes), {
      ...of,
      window,
      databaseIds: null,
    });
    assert.deepEqual(writeExportMessage(of, { ...INITIAL_VIEW, filter: 'x' }, lanes), {
      ...of,
      window: null,
      databaseIds: [5, 7],
    });
  });

  it('is figures of the time that their table is of', () => {
    const of = { type: 'export', what: 'statistics', format: 'csv', pageId: null, tableId: null } as const;
    const view = { ...INITIAL_VIEW, window };
    const all = { ...of, window: null, databaseIds: null };
    assert.deepEqual(writeExportMessage(of, view, lanes), { ...all, side: 'since' });
    assert.deepEqual(writeExportMessage(of, { ...view, figuresOf: 'before' }, lanes), {
      ...all,
      side: 'before',
    });
    assert.deepEqual(writeExportMessage(of, { ...view, figuresOf: 'all' }, lanes), { ...all, side: null });
    assert.deepEqual(writeExportMessage(of, { ...view, figuresOf: 'view' }, lanes), {
      ...all,
      window,
      side: null,
    });
  });

  it('is the page where there is one of evidence, and the part that is measured', () => {
    const page = writeExportMessage(
      { what: 'page', format: 'json' },
      { ...INITIAL_VIEW, page: 'errorLog', window, filter: 'x' },
      lanes,
    );
    const none = { tableId: null, window: null, side: null, databaseIds: null };
    assert.deepEqual(page, { type: 'export', what: 'page', format: 'json', pageId: 'errorLog', ...none });
    const measured = writeMeasuredMessage({ ...window, databaseIds: [7] });
    assert.ok(measured.type === 'export');
    assert.deepEqual([measured.window, measured.databaseIds], [window, [7]]);
  });
});

describe('How much has come', () => {
  it('is told of a large capture alone, and no more at its end', () => {
    assert.equal(describeArrival(1_200_000, 5_000_000)?.text, '1,200,000 of 5,000,000 checkpoints');
    assert.equal(describeArrival(4_990_000, 5_000_000), null);
    assert.equal(describeArrival(0, 900), null);
    assert.equal(describeArrival(900, 0), null);
  });
});
