import assert from 'node:assert/strict';
import type { EvidenceTable } from '../../../src/core/picture/evidence-page';
import { createClock } from '../../../src/webview/clock';
import { showTableOn } from '../../../src/webview/tables/clock-table';
import { fakeServerEvidence } from '../fake-server-evidence';

const { errorLog, writeWork } = fakeServerEvidence();
const tableOf = (id: string): EvidenceTable => [...errorLog.tables, ...writeWork.tables].find((table) => table.id === id)!;
const firstOf = (table: EvidenceTable): readonly [string, number | null] => [table.rows[0]!.cells[0]!.text, table.rows[0]!.cells[0]!.value];

describe('A table of evidence by the chosen clock', () => {
  const flushes = tableOf('flush-cache');

  it("keeps the words of the server's own clock", () => {
    assert.deepEqual(firstOf(showTableOn(flushes, createClock('server', 60))), firstOf(flushes));
  });

  it('shows moments by another clock, with the offset of that very moment, and their values stay', () => {
    const [text, value] = firstOf(flushes);
    const utc = showTableOn(flushes, createClock('utc', 60));
    assert.deepEqual(firstOf(utc), [new Date(value!).toISOString().slice(0, 19).replace('T', ' '), value]);
    assert.notEqual(firstOf(utc)[0], text);
    const local = showTableOn(
      flushes,
      createClock('local', 60, (utcMs) => (utcMs === value ? -120 : 0)),
    );
    assert.equal(firstOf(local)[0], new Date(value! - 7_200_000).toISOString().slice(0, 19).replace('T', ' '));
  });

  it('names the clock beside its moments, on the axis too', () => {
    const { columns, charts } = showTableOn(flushes, createClock('utc', 60));
    assert.equal(columns[0]?.title, 'When it was logged; UTC');
    assert.ok(charts?.[0]?.kind === 'points' && charts[0].across.axis === 'When it was logged, UTC');
  });

  it('leaves a table without a moment as it is', () => {
    const delays = tableOf('delays');
    assert.equal(showTableOn(delays, createClock('utc', 60)), delays);
  });
});
