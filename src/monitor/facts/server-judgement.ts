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
export interface JudgedServer extends Partial<Omit<JudgingGrounds, 'policy' | 'preflight' | 'bound' | 'blind' | 'before'>> {
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
}

const WATCHED_MS = 24 * 3_600_000;

/** The verdicts on one server, with the findings and figures that they rest on. */
export class ServerJudgement {
  private verdict: ServerVerdict | null = null;
  preflight: Preflight = emptyPreflight;
  /** null: nothing was observed yet. */
  evidence: CaptureEvidence | null = null;
  private rows = 0;
  private summarized: Summarized | null = null;
  private due: Summarized | null = null;
  private summarizedOn: TaskGrounds = noTaskGrounds;
  private turn = 0;
  private checked: { readonly facts: Facts; readonly policy: PolicyInForce } | null = null;

  /** @param readBound up to which share of the time the checkpoint task counts as free */
  constructor(
    private readonly readPolicy: () => PolicyInForce,
    private readonly readBound: () => number = () => DEFAULT_BOUND,
  ) {}

  get verdicts(): ReadonlyMap<number, Verdict> {
    return this.verdict?.databases ?? new Map();
  }

  /** null: not judged yet. */
  get instance(): InstanceVerdict | null {
    return this.verdict?.instance ?? null;
  }

  /** By database_id, for databases that have a checkpoint. */
  get statistics(): CaptureEvidence['statistics'] {
    return this.evidence?.statistics ?? new Map();
  }

  /** Whether a wave was run in the last day, or holds the next one: its limits are watched. */
  get isWaveWatched(): boolean {
    const { lastWave = null, objection = null } = this.instance ?? {};
    return objection?.kind === 'stop' || (this.checked?.facts.server.nowUtcMs ?? 0) - (lastWave?.atUtcMs ?? -Infinity) < WATCHED_MS;
  }

  get policy(): PolicyInForce {
    return this.readPolicy();
  }

  /**
   * Whether the capture, or what came after the last change, has grown by a twentieth since. Only then is it summarized again, so that the work stays
   * in proportion to what is new.
   */
  hasGrown(rows: number): boolean {
    const most = this.evidence?.result?.server.after.checkpoints ?? this.rows;
    return rows < this.rows || rows - this.rows > most / 20;
  }

  /** Has the figures computed again when the server is judged next. */
  summarize(capture: CaptureRecord | null, facts: Facts): void {
    this.rows = capture?.columns.rows ?? 0;
    this.due = { capture, facts };
  }

  /** Another server answers: no verdict holds for it, and judging that has begun does not finish. */
  forget(): void {
    this.turn++;
    this.rows = 0;
    this.preflight = emptyPreflight;
    this.verdict = this.evidence = this.summarized = this.due = this.checked = null;
    this.summarizedOn = noTaskGrounds;
  }

  /** Whether judging is short enough for one go. @param most rows of the capture */
  isShort(most: number): boolean {
    return this.rows <= most;
  }

  /**
   * Judges every database, and checks the preflight only if facts or policy have changed. Nothing changes before the last step, and nothing at all if
   * judging began again meanwhile.
   */
  *judge({ facts, tracked, grounds = noTaskGrounds, ...more }: JudgedServer): Steps<void> {
    const turn = ++this.turn;
    const { policy } = this;
    const { backups, changes } = this.summarizedOn;
    const due = this.due ?? (grounds.backups === backups && grounds.changes === changes ? null : this.summarized);
    const evidence =
      due === null ? this.evidence : yield* summarizeCapture(due.capture, due.facts, { ...grounds, recorded: more.recorded ?? null });
    const isChecked = this.checked?.facts === facts && this.checked.policy === policy;
    const preflight = isChecked ? this.preflight : yield* checkPreflight(facts, facts.databases, policy.problems, policy.unreadable);
    const verdict = yield* judgeServer(facts, evidence, tracked, {
      ...{ ...noGrounds, ...more, preflight },
      policy: policy.policy,
      bound: this.readBound(),
      blind: evidence === null ? describeBlindness(facts.server) : null,
      before: this.findBefore(due),
    });
    if (turn !== this.turn) return;
    if (due !== null) [this.summarized, this.summarizedOn] = [due, grounds];
    if (due === this.due) this.due = null;
    this.evidence = evidence;
    [this.verdict, this.preflight, this.checked] = [verdict, preflight, { facts, policy }];
  }

  /** A verdict on another capture says nothing about this one. */
  private findBefore(due: Summarized | null): InstanceVerdict | null {
    const captureId = (due ?? this.summarized)?.capture?.id ?? null;
    return captureId !== null && captureId === this.summarized?.capture?.id ? this.instance : null;
  }
}
