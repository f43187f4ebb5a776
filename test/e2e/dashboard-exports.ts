/** Everything that can be exported, saved by the editor's own dialog and opened again by someone else. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readParquet } from '../core/export/parquet-reader';
import { type DashboardWorld, SERVER_OFFSET_MS } from './dashboard-world';
import { clearNotifications, countElements, readCsv, readPng, readText, saveAs } from './saved-files';

type Json = Readonly<Record<string, unknown>>;
interface JsonExport {
  readonly format: string;
  readonly observed: { readonly gaps: readonly unknown[] };
  readonly ledger: { readonly checkpoints: number };
  readonly tables: readonly { readonly id: string; readonly rows: readonly Json[] }[];
}

/** What stands before a text that a spreadsheet would run is taken off again. */
const disarmed = (text: string): string => text.replace(/^'(?=[\s\p{Cc}"'`]*[=+\-@])/u, '').replace(/([;\t|\r\n]\s*)'(?=[=+\-@])/gu, '$1');

export function describeExports(world: () => DashboardWorld): void {
  const fileOf = (name: string): string => join(world().host.vscode.folder, 'exports', name);

  /** Chooses an entry of the Export menu and saves under a name; gives the name that was proposed. */
  async function exportTo(id: string, name: string): Promise<string> {
    const { host, dashboard } = world();
    await dashboard.takeFromMenu('Export', id);
    const proposed = await saveAs(host, fileOf(name));
    await clearNotifications(host);
    return proposed;
  }

  const truth = (): readonly string[] =>
    world()
      .truth.map(({ beginUtcMs, durationMs, databaseId, databaseName }) =>
        [new Date(beginUtcMs).toISOString(), durationMs, databaseId, databaseName].join(' | '),
      )
      .sort();

  beforeEach(async () => {
    const { dashboard, host } = world();
    await clearNotifications(host);
    await dashboard.show('Timeline');
    await dashboard.beginInTheMidst();
    await dashboard.press('f');
  });

  it('checkpoints as CSV: those of the ledger, to the millisecond, whatever their names', async () => {
    const proposed = await exportTo('checkpointsCsv', 'checkpoints.csv');
    assert.match(proposed, /^checkpoints PROD-SQL07 \d{4}-\d\d-\d\d \d{4}Z\.csv$/);
    const rows = readCsv(readText(fileOf('checkpoints.csv')));
    const written = rows.map((row) => [row['begin_utc'], row['duration_ms'], row['database_id'], disarmed(row['database']!)].join(' | '));
    assert.deepEqual(written.sort(), truth());
    assert.ok(rows.some((row) => row['database'] === 'a]b') && rows.some((row) => row['database'] === '   three leading blanks'));
    for (const row of rows) for (const cell of Object.values(row)) assert.doesNotMatch(cell, /^[\s"']*[=+@]|^-(?!\d)/);
  });

  it('checkpoints as Parquet: those of the ledger as another program reads them, names as they are', async () => {
    const proposed = await exportTo('checkpointsParquet', 'checkpoints.parquet');
    assert.match(proposed, /^checkpoints PROD-SQL07 \d{4}-\d\d-\d\d \d{4}Z\.parquet$/);
    const { rows, metadata } = await readParquet(readFileSync(fileOf('checkpoints.parquet')));
    const written = rows.map((row) => [row['begin_utc'], row['duration_ms'], row['database_id'], row['database']].join(' | '));
    assert.deepEqual(written.sort(), truth());
    for (const row of rows) assert.equal(Date.parse(String(row['end_utc'])) - Date.parse(String(row['begin_utc'])), row['duration_ms']);
    const { observed, ledger } = JSON.parse(metadata['checkpoint-health-export'] ?? '') as JsonExport;
    assert.deepEqual([observed.gaps, ledger.checkpoints], [[], world().truth.length]);
  });

  it('only the checkpoints in view, and of what is measured', async () => {
    const { dashboard, host, truth: all } = world();
    await dashboard.press('w', 'w', 'w', 'ArrowDown', 'm', ...Array.from({ length: 10 }, () => 'ArrowRight'), 'ArrowDown', 'Enter');
    const { beginMs, endMs } = await dashboard.measured();
    const names = (await dashboard.laneNames()).slice(0, 2);
    await dashboard.measureCard().getByRole('button', { name: 'Export' }).click();
    await saveAs(host, fileOf('measured.csv'));
    const inside = all.filter((one) => names.includes(one.databaseName) && one.beginUtcMs >= beginMs && one.beginUtcMs < endMs);
    assert.equal(readCsv(readText(fileOf('measured.csv'))).length, inside.length);
    const inView = await dashboard.standing();
    await clearNotifications(host);
    await exportTo('checkpointsCsv', 'in-view.csv');
    const moments = readCsv(readText(fileOf('in-view.csv'))).map((row) => Date.parse(row['begin_utc']!) + SERVER_OFFSET_MS);
    assert.ok(moments.length > 0 && moments.length < all.length);
    assert.ok(moments.every((moment) => moment >= inView.beginMs && moment < inView.endMs + 1000));
  });

  it('the timeline as PNG: a picture of it', async () => {
    const { dashboard } = world();
    await exportTo('png', 'timeline.png');
    const { widthPx, heightPx, colours } = readPng(readFileSync(fileOf('timeline.png')));
    const box = (await dashboard.get('.timeline').boundingBox())!;
    assert.ok(widthPx >= Math.floor(box.width) && heightPx >= 200, `${widthPx} x ${heightPx}`);
    assert.ok(colours > 20, `${colours} colours`);
  });

  it('the timeline as SVG: well-formed, with bars', async () => {
    await exportTo('svg', 'timeline.svg');
    const counts = countElements(readText(fileOf('timeline.svg')));
    const lanes = new Set(world().truth.map(({ databaseId }) => databaseId)).size;
    assert.ok((counts.get('rect') ?? 0) + (counts.get('path') ?? 0) >= Math.min(lanes, 20), JSON.stringify([...counts]));
    assert.ok((counts.get('text') ?? 0) > 5, 'names and times are text');
  });

  it('a page as CSV of the table that was chosen, and as JSON with all of them', async () => {
    const { dashboard, host } = world();
    await dashboard.show('I/O');
    await dashboard.takeFromMenu('Export', 'pageCsv');
    const options = host.page.locator('.quick-input-widget:visible').getByRole('option');
    await options.first().waitFor();
    const label = /^(.+?), ([\d,]+) rows?/.exec((await options.first().getAttribute('aria-label')) ?? '');
    await options.first().click();
    await saveAs(host, fileOf('page.csv'));
    assert.equal(readCsv(readText(fileOf('page.csv'))).length, Number(label?.[2]?.replace(',', '')));
    await clearNotifications(host);
    await exportTo('pageJson', 'page.json');
    const { tables } = JSON.parse(readText(fileOf('page.json'))) as JsonExport;
    assert.deepEqual(
      tables.map(({ id }) => id),
      await dashboard
        .panel()
        .locator('[data-table]')
        .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-table'))),
    );
  });

  it('offers to open what was saved, and opens it', async () => {
    const { dashboard, host } = world();
    await dashboard.takeFromMenu('Export', 'statisticsCsv');
    await saveAs(host, fileOf('opened.csv'));
    await host.page.locator('.notification-toast').getByRole('button', { name: 'Open', exact: true }).click();
    const document = await host.waitForDocument(({ uri }) => uri.endsWith('/opened.csv'));
    assert.equal(document.text, readText(fileOf('opened.csv')).replace('\uFEFF', ''));
    await host.runCommandById('workbench.action.closeActiveEditor');
    await dashboard.get('h1').waitFor();
  });

  it('writes nothing where the dialog is left', async () => {
    const { dashboard, host } = world();
    await dashboard.takeFromMenu('Export', 'checkpointsCsv');
    await host.page.locator('.quick-input-widget:visible input[type=text]').press('Escape');
    await host.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden' });
    assert.deepEqual(await host.notifications(), []);
  });
}
