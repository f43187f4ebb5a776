/**
 * Goal 10: a million checkpoints from the extension host to the webview. What VS Code does with a message between `webview.postMessage` and the webview's
 * `message` event, step by step (vs/workbench/api/common/extHostWebviewMessaging.ts, vs/workbench/services/extensions/common/rpcProtocol.ts):
 *
 *   host     JSON.stringify(message), buffers taken out -> JSON.stringify of that text as an argument -> UTF-8, copied into one request with the buffers
 *   port     structured clone of the request's bytes
 *   window   UTF-8 -> JSON.parse of the argument -> JSON.parse of the message (with a reviver where there are buffers), buffers copied
 *   webview  structured clone of the message, buffers transferred
 */
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { type CheckpointSlice, sliceColumns } from '../src/core/capture/checkpoint-store';
import { MOST_ROWS_IN_SLICE } from '../src/shell/dashboard/sender';
import { type ColumnsMessage, createReplica, receiveColumns } from '../src/webview/model/replica';
import { makeCheckpoints } from './checkpoints';
import { printContest, printGoal, runContest } from './contest';

const ROWS = 1_000_000;
const ROUNDS = 5;
const { port1, port2 } = new MessageChannel();

interface Serialized {
  readonly text: string;
  readonly buffers: readonly ArrayBuffer[];
}

function serializeMessage(message: unknown): Serialized {
  const buffers: ArrayBuffer[] = [];
  const text = JSON.stringify(message, (_key, value: unknown) =>
    value instanceof ArrayBuffer ? { $$reference$$: true, index: buffers.push(value) - 1 } : value,
  );
  return { text, buffers };
}

function deserializeMessage(text: string, views: readonly Uint8Array[]): { readonly message: unknown; readonly buffers: ArrayBuffer[] } {
  const buffers = views.map((view) => {
    const copy = new Uint8Array(view.byteLength);
    copy.set(view);
    return copy.buffer;
  });
  type Reference = { readonly $$reference$$?: boolean; readonly index: number } | null;
  const revive = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && (value as Reference)?.$$reference$$ === true ? buffers[(value as { index: number }).index] : value;
  return { message: buffers.length === 0 ? JSON.parse(text) : JSON.parse(text, revive), buffers };
}

/** @returns the message as the webview gets it, and the bytes of the request */
function post(message: unknown): { readonly received: unknown; readonly bytes: number } {
  const { text, buffers } = serializeMessage(message);
  const parts = [Buffer.from(JSON.stringify(text)), ...buffers.map((buffer) => new Uint8Array(buffer))];
  const request = Buffer.alloc(parts.reduce((sum, part) => sum + 5 + part.byteLength, 16));
  let at = 16;
  for (const part of parts) {
    request.writeUInt32BE(part.byteLength, at + 1);
    request.set(part, at + 5);
    at += 5 + part.byteLength;
  }
  port1.postMessage(request);
  const arrived = Buffer.from((receiveMessageOnPort(port2)?.message as Uint8Array).buffer);
  const views: Buffer[] = [];
  for (let from = 16; from < arrived.length;) {
    const length = arrived.readUInt32BE(from + 1);
    views.push(arrived.subarray(from + 5, from + 5 + length));
    from += 5 + length;
  }
  const [head, ...rest] = views;
  const revived = deserializeMessage(JSON.parse((head as Buffer).toString()) as string, rest);
  return { received: structuredClone(revived.message, { transfer: revived.buffers }), bytes: request.length };
}

export async function benchTransport(): Promise<void> {
  const columns = makeCheckpoints(ROWS, 500);
  const { beginUtcMs, durationMs, database } = columns;
  let [objectBytes, bufferBytes] = [0, 0];
  const postObjects = (): void => {
    const rows = Array.from({ length: ROWS }, (_, row) => ({
      beginUtcMs: beginUtcMs[row],
      durationMs: durationMs[row],
      database: database[row],
    }));
    const { received, bytes } = post({ type: 'columns', rows });
    objectBytes = bytes;
    if ((received as { rows: unknown[] }).rows.length !== ROWS) throw new Error('Rows were lost on the way.');
  };
  const postBuffers = (isKept: boolean): void => {
    let [replica, arrivedRows] = [createReplica(), 0];
    bufferBytes = 0;
    for (let from = 0; from < ROWS; from += MOST_ROWS_IN_SLICE) {
      const slice: CheckpointSlice = sliceColumns(columns, from, from + MOST_ROWS_IN_SLICE);
      const { received, bytes } = post({ type: 'columns', captureId: 'bench', generation: 1, ofRows: ROWS, ...slice });
      bufferBytes += bytes;
      arrivedRows += (received as ColumnsMessage).beginUtcMs.byteLength / 8;
      if (isKept) replica = receiveColumns(replica, received as ColumnsMessage).replica;
    }
    if (arrivedRows !== ROWS) throw new Error('Rows were lost on the way.');
    if (!isKept) return;
    if (replica.columns.rows !== ROWS || replica.columns.beginUtcMs[ROWS - 1] !== beginUtcMs[ROWS - 1])
      throw new Error('Rows were lost on the way.');
  };
  const outcomes = await runContest(
    [
      { name: 'ours: exact buffers of at most 1 MB', run: () => postBuffers(false) },
      { name: 'JSON objects, one message', run: postObjects },
      { name: 'ours, and into the replica with its index by database', run: () => postBuffers(true) },
    ],
    ROUNDS,
  );
  printContest('Goal 10: 1,000,000 checkpoints from the host to the webview', outcomes);
  console.log(`  bytes: ours ${(bufferBytes / ROWS).toFixed(2)} a checkpoint, objects ${(objectBytes / ROWS).toFixed(1)}`);
  printGoal('times faster than JSON objects', (outcomes[1]?.cpuMs ?? NaN) / (outcomes[0]?.cpuMs ?? NaN), 60, 150, false);
  printGoal('bytes a checkpoint', bufferBytes / ROWS, 16, 8, true);
  port1.close();
}
