import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCapture, type Capture } from '../../../src/core/capture/capture';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { formatDuration } from '../../../src/core/format';
import { readUtcTime, writeUtcTime } from '../../../src/core/time';

/**
 * Each folder is a case named by what it proves. `rows.txt` holds one event_data a line, as the server gives it; lines with # say what
 * happens between them: `# read FILE OFFSET`, `# settle TIME`, `# gap BEGIN END REASON`. `expected.txt` is what comes of it.
 */
const FOLDER = join(__dirname, '../fixtures/capture');

describe('recorded cases of pairing', () => {
  for (const name of readdirSync(FOLDER)) {
    it(`${name.replace(/-/g, ' ')}`, () => {
      const lines = readFileSync(join(FOLDER, name, 'rows.txt'), 'utf8').split('\n');
      const capture = play(lines);
      assert.equal(findUnaccountedRows(capture.ledger()), 0);
      assert.equal(describeCapture(capture), readFileSync(join(FOLDER, name, 'expected.txt'), 'utf8'));
    });
  }
});

function play(lines: readonly string[]): Capture {
  const capture = createCapture({ id: 'recorded' });
  let source = { fileName: 'CheckpointHealth_0_132.xel', fileOffset: '4096' };
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const [, command, ...words] = line.startsWith('# ') ? line.split(' ') : [];
    if (command === 'read') source = { fileName: words[0] ?? '', fileOffset: words[1] ?? '' };
    else if (command === 'settle') capture.settle(timeOf(words[0]));
    else if (command === 'gap') {
      capture.addGap({
        kind: 'files rolled over',
        beginUtcMs: timeOf(words[0]),
        endUtcMs: timeOf(words[1]),
        reason: words.slice(2).join(' '),
      });
    } else if (command === undefined) {
      const objectName = /^<event name="(\w+)"/.exec(line)?.[1] ?? null;
      capture.append([{ objectName, eventData: line, ...source }]);
    } else assert.fail(`unknown line ${line}`);
  }
  capture.settle(Infinity);
  return capture;
}

function timeOf(text: string | undefined): number {
  return readUtcTime(text ?? '') ?? assert.fail(`no time: ${text}`);
}

function describeCapture(capture: Capture): string {
  const { rows, beginUtcMs, durationMs, database } = capture.columns;
  const checkpoints = Array.from({ length: rows }, (_, row) => {
    const databaseId = capture.databases[database[row] ?? 0]?.databaseId;
    return `  database ${databaseId}  ${writeUtcTime(beginUtcMs[row] ?? 0)}  ${formatDuration(durationMs[row] ?? 0)}`;
  });
  const unpaired = capture.unpaired().map((event) => {
    return `  database ${event.databaseId}  ${writeUtcTime(event.atUtcMs)}  ${event.kind}: ${event.reason}`;
  });
  const malformed = capture.malformed().map((row) => `  ${row.reason}: ${row.detail}`);
  const ledger = capture.ledger();
  const other = [...ledger.otherByName].map(([name, count]) => `  ${name}: ${count}`);
  const sum = `${ledger.rowsRead} rows = 2 x ${ledger.checkpoints} checkpoints + ${ledger.unpaired} unpaired + ${ledger.duplicates} duplicates + ${ledger.malformed} malformed + ${ledger.other} other`;
  return [
    ...section('checkpoints', checkpoints),
    ...section('unpaired', unpaired),
    ...section('malformed', malformed),
    ...section('other events', other),
    sum,
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}
