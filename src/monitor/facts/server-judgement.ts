import type { Facts } from '../../core/advice/facts';
import type { Preflight } from '../../core/advice/finding';
import type { ServerVerdict } from '../../core/advice/server-advice';
import type { PolicyInForce } from '../../core/advice/policy';
import { emptyPreflight, checkPreflight } from '../../core/advice/rules/preflight';
import { DEFAULT_BOUND, type InstanceVerdict } from '../../core/advice/instance';
import type { Verdict } from '../../core/advice/verdict';
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { Steps } from '../../core/steps';
import {
  type CaptureEvidence,
  judgeServer,
  type JudgingGrounds,
  noGrounds,
  noTaskGrounds,
  summarizeCapture,
  type TaskGrounds,
} from './judgement';
import { describeBlindness } from './tracking-permission';

/** What verdicts rest on now, besides the capture. */
export interface JudgedOn extends Partial<
  Omit<JudgingGrounds, 'policy' | 'preflight' | 'bound' | 'blind' | 'before'>
> {
  readonly facts: Facts;
  /** null: all. */
  readonly tracked: ReadonlySet<number> | null;
  /** What tells checkpoints of the task from others; absent: nothing. */
  readonly grounds?: TaskGrounds;
}

/** What figures were, or will be, computed from. */
interface Summarized {
  readonly capture: CaptureRecord | null;
  readonly facts: Facts;
  /** Whether all that was recorded by then had been read: only to such a verdict the next one holds on. */
  readonly isWhole: boolean;
}

const WATCHED_MS = 24 * 3_600_000;

const NOTHING_JUDGED = {
  verdict: null as ServerVerdict | null,
  preflight: emptyPreflight as Preflight,
  /** null: nothing was observed yet. */
  evidence: null as CaptureEvidence | null,
  /** Rows of the capture when its figures became due. */
  rows: 0,
  /** What the figures are of, and on which grounds; and what the next ones will be of, if these are out of date. */
  summarized: null as Summarized | null,
  summarizedOn: noTaskGrounds,
  due: null as Summarized | null,
  /** The last verdict on a capture that had been read whole. */
  settled: null as { readonly captureId: string | null; readonly instance: InstanceVerdict } | null,
  /** Counts how often judging began. */
  turn: 0,
  checked: null as { readonly facts: Facts; readonly policy: PolicyInForce } | null,
};
type Judged = Readonly<typeof NOTHING_JUDGED>;

/** The verdicts on one server, with the findings and figures that they rest on. */
export class ServerJudgement {
  private judged: Judged = NOTHING_JUDGED;

  /** @param readBound up to which share of the time the checkpoint task counts as free */
  constructor(
    private readonly readPolicy: () => PolicyInForce,
    private readonly readBound: () => number = () => DEFAULT_BOUND,
  ) {}

  /** What speaks for or against a change, for the server and for each database. */
  get preflight(): Preflight {
    return this.judged.preflight;
  }

  /** null: nothing was observed yet. */
  get evidence(): CaptureEvidence | null {
    return this.judged.evidence;
  }

  /** By database_id. */
  get verdicts(): ReadonlyMap<number, Verdict> {
    return this.judged.verdict?.databases ?? new Map();
  }

  /** The verdict on the checkpoint task of the server; null until it was judged. */
  get instance(): InstanceVerdict | null {
    return this.judged.verdict?.instance ?? null;
  }

  /** Figures of the capture that the verdicts rest on, by database_id, for databases that have a checkpoint. */
  get statistics(): CaptureEvidence['statistics'] {
    return this.evidence?.statistics ?? new Map();
  }

  /** Whether a wave was run in the last day, or holds the next one: its limits are watched. */
  get isWaveWatched(): boolean {
    const { lastWave = null, objection = null } = this.instance ?? {};
    const nowUtcMs = this.judged.checked?.facts.server.nowUtcMs ?? 0;
    return objection?.kind === 'stop' || nowUtcMs - (lastWave?.atUtcMs ?? -Infinity) < WATCHED_MS;
  }

  get policy(): PolicyInForce {
    return this.readPolicy();
  }

  /**
   * Whether the capture, or what came after the last change, has grown by a twentieth since. Only then is it summarized
   * again, so that the work stays in proportion to what is new.
   */
  hasGrown(now: number): boolean {
    const { rows } = this.judged;
    return now < rows || now - rows > (this.evidence?.result?.server.after.checkpoints ?? rows) / 20;
  }

  /** Has the figures computed again when the server is judged next. */
  summarize(capture: CaptureRecord | null, facts: Facts, isWhole = true): void {
    this.judged = { ...this.judged, due: { capture, facts, isWhole }, rows: capture?.columns.rows ?? 0 };
  }

  /** Another server answers: no verdict holds for it, and judging that has begun does not finish. */
  forget(): void {
    this.judged = { ...NOTHING_JUDGED, turn: this.judged.turn + 1 };
  }

  /** Whether judging is short enough for one go. @param most rows of the capture */
  isShort(most: number): boolean {
    return this.judged.rows <= most;
  }

  /**
   * Judges every database, and checks the preflight only if facts or policy have changed. Nothing changes before the
   * last step, and nothing at all if judging began again meanwhile.
   */
  *judge({ facts, tracked, grounds = noTaskGrounds, ...more }: JudgedOn): Steps<void> {
    const begun = (this.judged = { ...this.judged, turn: this.judged.turn + 1 });
    const { policy } = this;
    const { backups, changes } = begun.summarizedOn;
    const due =
      begun.due ?? (grounds.backups === backups && grounds.changes === changes ? null : begun.summarized);
    const recorded = more.recorded ?? null;
    const of = due ?? begun.summarized;
    // A verdict on another capture says nothing about this one.
    const captureId = of?.capture?.id ?? null;
    const evidence =
      due === null
        ? begun.evidence
        : yield* summarizeCapture(due.capture, due.facts, { ...grounds, recorded });
    const isChecked = begun.checked?.facts === facts && begun.checked.policy === policy;
    const preflight = isChecked
      ? begun.preflight
      : yield* checkPreflight(facts, facts.databases, policy.problems, policy.unreadable);
    const verdict = yield* judgeServer(facts, evidence, tracked, {
      ...noGrounds,
      ...more,
      preflight,
      policy: policy.policy,
      bound: this.readBound(),
      blind: evidence === null ? describeBlindness(facts.server) : null,
      before: captureId !== null && begun.settled?.captureId === captureId ? begun.settled.instance : null,
    });
    if (begun.turn !== this.judged.turn) return;
    const summed = due === null ? {} : { summarized: due, summarizedOn: grounds };
    const left = due === this.judged.due ? null : this.judged.due;
    const settled = of?.isWhole === true ? { captureId, instance: verdict.instance } : begun.settled;
    this.judged = {
      ...this.judged,
      ...summed,
      due: left,
      evidence,
      verdict,
      settled,
      preflight,
      checked: { facts, policy },
    };
  }
}
