/** Appends to a lake until it is killed: node append-forever <folder> <server>. Says each append that was done. */
import { addRow, createRows } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';

const [folder = '', server = ''] = process.argv.slice(2);
const BEGIN_UTC_MS = Date.parse('2026-03-02T12:00:00Z');

async function append(lake: Lake): Promise<void> {
  const standing = await lake.stand();
  const turn = (standing.states.get(server)?.turn ?? 0) + 1;
  const [checkpoints, runs] = [createRows('checkpoints'), createRows('runs')];
  for (let at = 0; at < 50; at++)
    addRow(checkpoints, { server, capture_id: String(turn), database_id: at, begin_utc: BEGIN_UTC_MS + turn });
  addRow(runs, { server, run_id: String(turn), started_utc: BEGIN_UTC_MS, checkpoints: 50 });
  const left = await lake.append([{ server, rows: { checkpoints, runs }, state: Buffer.from(String(turn)) }], standing);
  if (left.length === 0) process.send?.(turn);
}

void (async () => {
  const lake = await Lake.open(folder);
  for (;;) await append(lake);
})();
