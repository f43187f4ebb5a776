/** A server as it was: saved into one record with what it answered, and opened again from it without a server. */
import type { KeptRecord } from '../core/capture/capture-record';
import { defaultWaves } from '../core/advice/plan';
import { joinSentences, t } from '../core/language';
import { takeSteps } from '../core/steps';
import { ConnectionError, type ServerAccess } from '../hosts/host';
import { createServerMonitor } from './monitored-server';
import {
  ANSWERS_SECTION,
  AnswerRecorder,
  decodeAnswers,
  type RecordedAnswer,
  replayAnswers,
} from './queries/recorded-answers';
import { pauseBy } from './queries/slices';
import type { MonitorSurroundings } from './queries/surroundings';
import type { ServerMonitor } from './server-monitor';

/**
 * Reads the server once more, as a new window would, and gives its newest capture with everything that the server
 * answered. Only reads; the capture on the disk stays as it is.
 * @returns null if there is no capture; without the answers if the server cannot be reached
 * @throws ConnectionError `cancelled`
 */
export async function recordServer(
  surroundings: MonitorSurroundings,
  signal?: AbortSignal,
): Promise<KeptRecord | null> {
  let kept: KeptRecord | null = null;
  const recorder = new AnswerRecorder();
  const captures = { ...surroundings.captures, keep: async (record: KeptRecord) => void (kept = record) };
  const monitor = createServerMonitor({ ...surroundings, captures, recorder, sampling: null });
  try {
    await monitor.refresh(signal);
    const isConnected = monitor.snapshot.connection === 'connected';
    if (isConnected) await readEverything(monitor, signal);
    if (signal?.aborted === true) throw new ConnectionError('cancelled', t('Cancelled.'));
    await monitor.keepNow();
    const found = kept as KeptRecord | null;
    if (found === null || !isConnected) return found;
    const bytes = await takeSteps(recorder.encode(), pauseBy(surroundings));
    return { ...found, sections: [...found.sections, { name: ANSWERS_SECTION, bytes }] };
  } finally {
    await monitor.dispose();
  }
}

/** What a dashboard and a review ask for. */
async function readEverything(monitor: ServerMonitor, signal: AbortSignal | undefined): Promise<void> {
  await monitor.gatherEvidence(signal);
  const databaseIds = monitor.snapshot.instance?.advised ?? [];
  await monitor.reviewSwitch(
    { databaseIds, byName: false, targetSeconds: 60, waves: defaultWaves, waveOf: new Map() },
    signal,
  );
}

/** The section of a capture without answers: where its checkpoints come from, in sentences. */
export const NOTES_SECTION = 'notes';
const MOST_NOTES_BYTES = 4_000;

/** A server that is a file: every read is answered from it, and nothing can be run. */
export function openRecord(
  record: KeptRecord,
  surroundings: Omit<MonitorSurroundings, 'access' | 'captures' | 'sampling'>,
  named: Pick<ServerAccess, 'id' | 'label'>,
): ServerMonitor {
  const find = (section: string) => record.sections.find(({ name }) => name === section)?.bytes;
  const bytes = find(ANSWERS_SECTION);
  const notes = Buffer.from(find(NOTES_SECTION)?.subarray(0, MOST_NOTES_BYTES) ?? []).toString('utf8');
  const refusal =
    bytes === undefined
      ? joinSentences(
          t('This file has only checkpoints, not what the server said about its databases.'),
          notes,
        )
      : t('{0} is a saved capture, with no server behind it to read or change.', named.label);
  const pause = pauseBy(surroundings);
  const read = async (): Promise<readonly RecordedAnswer[]> =>
    (bytes && (await takeSteps(decodeAnswers(bytes), pause))) ?? [];
  const access = replayAnswers(named, read, refusal, pause);
  const captures = { keep: () => Promise.resolve(), recover: () => Promise.resolve(record) };
  return createServerMonitor({ ...surroundings, access, captures, sampling: null, isRecord: true });
}
