/**
 * What the extension has told the webview, and what follows for the screen. Values only: each message gives the next
 * model.
 */
import type { TimeWindow } from '../../core/statistics/statistics';
import { type EvidencePages, type EvidenceState, NOTHING_READING } from '../../core/pages/evidence-page';
import type { StripSamples } from '../../core/timeline/strip-samples';
import type { OlderMarks, TimeMark } from '../../core/timeline/time-marks';
import type { ChangeView, DatabaseView, ServerView, ToWebview, TrackingView } from '../../protocol';
import { NO_SAMPLES, receiveSamples, createReplica, receiveColumns, type Replica } from './replica';

export interface DashboardModel {
  readonly server: ServerView | null;
  readonly tracking: TrackingView | null;
  readonly databases: readonly DatabaseView[];
  readonly changes: readonly ChangeView[];
  /** null until the extension has sent it. */
  readonly evidence: EvidencePages | null;
  readonly marks: readonly TimeMark[];
  /** Marks that are not drawn: older than the drawn ones, or without a known time in UTC. */
  readonly leftOutMarks: { readonly older: readonly OlderMarks[]; readonly undated: number };
  readonly samples: StripSamples;
  /** What is being read for the pages, or why reading has stopped. */
  readonly reading: EvidenceState;
  readonly replica: Replica;
}

/** What to answer; `missing`: rows are missing between those held and those of the message. */
type Answer = 'received' | 'missing' | null;

export function createModel(): DashboardModel {
  return {
    server: null,
    tracking: null,
    databases: [],
    changes: [],
    evidence: null,
    marks: [],
    leftOutMarks: { older: [], undated: 0 },
    samples: NO_SAMPLES,
    reading: NOTHING_READING,
    replica: createReplica(),
  };
}

/** The model after a message, and what to answer. */
export function receiveMessage(
  model: DashboardModel,
  message: ToWebview,
): { readonly model: DashboardModel; readonly answer: Answer } {
  if (message.type !== 'columns')
    return { model: { ...model, ...readMessage(model, message) }, answer: null };
  const { replica, outcome } = receiveColumns(model.replica, message);
  return { model: { ...model, replica }, answer: outcome === 'missing' ? 'missing' : 'received' };
}

/** What a message changes. `reveal` and `errorLogTaken` do not concern the model. */
function readMessage(
  model: DashboardModel,
  message: Exclude<ToWebview, { type: 'columns' }>,
): Partial<DashboardModel> {
  switch (message.type) {
    case 'server':
      return { server: message.server };
    case 'tracking':
      return { tracking: message.tracking };
    case 'databases':
      return { databases: message.databases, replica: keepReplicaOf(model.replica, message.captureId) };
    case 'changes':
      return { changes: message.changes };
    case 'evidence':
      return { evidence: message.evidence };
    case 'marks':
      return { marks: message.marks, leftOutMarks: { older: message.older, undated: message.undated } };
    case 'samples':
      return { samples: receiveSamples(model.samples, message) };
    case 'evidenceState':
      return { reading: { reading: message.reading, stopped: message.stopped } };
    case 'errorLogTaken':
    case 'reveal':
      return {};
    default:
      return message satisfies never;
  }
}

/** Rows of another capture would get the wrong names, so they are dropped. Those of this capture are on their way. */
function keepReplicaOf(replica: Replica, captureId: string): Replica {
  return replica.captureId === null || replica.captureId === captureId ? replica : createReplica();
}

/** The time that can be shown, half-open: all observed time and every checkpoint held; null if there is neither. */
export function findBounds(model: DashboardModel): TimeWindow | null {
  const observation = model.tracking?.observation;
  let begin = observation?.beginUtcMs ?? Infinity;
  let end = observation?.endUtcMs ?? -Infinity;
  const { columns, index } = model.replica;
  for (const lane of index.lanes) {
    if (!lane || lane.count === 0) continue;
    begin = Math.min(begin, columns.beginUtcMs[lane.rows[0]!]!);
    end = Math.max(end, lane.lastEndUtcMs + 1);
  }
  return end > begin ? { beginUtcMs: begin, endUtcMs: end } : null;
}
