import assert from 'node:assert/strict';
import type { EvidenceTable } from '../../../src/core/pages/evidence-page';
import { createClock } from '../../../src/webview/model/clock';
import { showTableOn } from '../../../src/webview/tables/evidence-table';
import { fakeEvidence } from '../fake-evidence';

const { beforeAfter, errorLog, writeWork } = fakeEvidence();
const tableOf = (id: string): EvidenceTable =>
  [...beforeAfter.tables, ...errorLog.tables, ...writeWork.tables].find((table) => table.id === id)!;
const firstOf = (table: EvidenceTable): readonly [string, number | null] => [
  table.rows[0]!.cells[0]!.text,
  table.rows[0]!.cells[0]!.value,
];

describe('A table of evidence by the chosen clock', () => {
  const flushes = tableOf('flush-cache');

  it("keeps the words of the server's own clock", () => {
    assert.deepEqual(
      firstOf(showTableOn(flushes, createClock('server', { utcOffsetMinutes: 60, offsets: [] }))),
      firstOf(flushes),
    );
  });

  it('shows moments by another clock, with the offset of that very moment, and their values stay', () => {
    const [text, value] = firstOf(flushes);
    const utc = showTableOn(flushes, createClock('utc', { utcOffsetMinutes: 60, offsets: [] }));
    assert.deepEqual(firstOf(utc), [new Date(value!).toISOString().slice(0, 19).replace('T', ' '), value]);
    assert.notEqual(firstOf(utc)[0], text);
    const local = showTableOn(
      flushes,
      createClock('local', { utcOffsetMinutes: 60, offsets: [] }, (utcMs) => (utcMs === value ? -120 : 0)),
    );
    assert.equal(
      firstOf(local)[0],
      new Date(value! - 7_200_000).toISOString().slice(0, 19).replace('T', ' '),
    );
  });

  it('has what its charts are drawn by say the same as its words', () => {
    const clocks = [
      createClock('server', { utcOffsetMinutes: 0, offsets: [] }),
      createClock('utc', { utcOffsetMinutes: 0, offsets: [] }),
      createClock('local', { utcOffsetMinutes: 0, offsets: [] }, () => -210),
    ];
    for (const clock of clocks)
      for (const { cells } of showTableOn(flushes, clock).rows) {
        const { text, localMs } = cells[0]!;
        assert.equal(
          new Date(localMs!).toISOString().slice(0, 19).replace('T', ' '),
          text.slice(0, 19),
          clock.name,
        );
      }
  });

  it('names the clock beside its moments, on the axis too', () => {
    const { columns, chart } = showTableOn(
      flushes,
      createClock('utc', { utcOffsetMinutes: 60, offsets: [] }),
    );
    assert.equal(columns[0]?.title, 'When it was logged; UTC');
    assert.equal(chart?.across?.axis, 'When it was logged, UTC');
  });
});
