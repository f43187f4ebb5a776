import type { Facts } from '../core/advice/facts';
import type { Preflight } from '../core/advice/finding';
import type { PolicyInForce } from '../core/advice/policy';
import { emptyPreflight, stepPreflight } from '../core/advice/preflight';
import type { KnownOfDatabase, Verdict } from '../core/advice/verdict';
import type { CaptureRecord } from '../core/capture/capture-record';
import type { Steps } from '../core/steps';
import { type CaptureEvidence, judgeDatabases, noTaskGrounds, stepSummary, type TaskGrounds } from './judgement';

/** What verdicts rest on now, other than the capture. */
export interface JudgedServer {
  readonly facts: Facts;
  /** null: all. */
  readonly tracked: ReadonlySet<number> | null;
  /** By database_id; null: nobody looked at the evidence yet. */
  readonly known: ReadonlyMap<number, KnownOfDatabase> | null;
  /** What tells checkpoints of the one task from others; absent: nothing. */
  readonly grounds?: TaskGrounds;
}

/** What the figures were, or are to be, computed of. */
interface Summarized {
  readonly capture: CaptureRecord | null;
  readonly facts: Facts;
}

/** The verdicts on one server, with the findings and the figures that they rest on. */
export class ServerJudgement {
  verdicts: ReadonlyMap<number, Verdict> = new Map();
  preflight: Preflight = emptyPreflight;
  /** null: nothing was observed yet. */
  evidence: CaptureEvidence | null = null;
  private rows = 0;
  private summarized: Summarized | null = null;
  private due: Summarized | null = null;
  private backups: TaskGrounds['backups'] = null;
  private turn = 0;
  private checked: { readonly facts: Facts; readonly policy: PolicyInForce } | null = null;

  constructor(private readonly readPolicy: () => PolicyInForce) {}

  get policy(): PolicyInForce {
    return this.readPolicy();
  }

  /** A long capture is summarized anew only when it has grown by a twentieth, so that the work stays in proportion to what is new. */
  hasGrown(rows: number): boolean {
    return rows < this.rows || rows - this.rows > this.rows / 20;
  }

  /** Has the figures computed anew when the server is judged next. */
  summarize(capture: CaptureRecord | null, facts: Facts): void {
    this.rows = capture?.columns.rows ?? 0;
    this.due = { capture, facts };
  }

  /** Whether judging is short enough to be done in one go. @param most rows */
  isShort(most: number): boolean {
    return this.rows <= most;
  }

  /**
   * Goes over every database; the preflight only where facts or policy are others than the last time. Nothing is another before the last step, and nothing at all
   * where judging began anew meanwhile.
   */
  *judge({ facts, tracked, known, grounds = noTaskGrounds }: JudgedServer): Steps<void> {
    const turn = ++this.turn;
    const { policy } = this;
    const due = this.due ?? (grounds.backups === this.backups ? null : this.summarized);
    const evidence = due === null ? this.evidence : yield* stepSummary(due.capture, due.facts, grounds);
    const isChecked = this.checked?.facts === facts && this.checked.policy === policy;
    const preflight = isChecked ? this.preflight : yield* stepPreflight(facts, facts.databases, policy.problems, policy.unreadable);
    const verdicts = yield* judgeDatabases(facts, evidence, tracked, { policy: policy.policy, preflight, known });
    if (turn !== this.turn) return;
    if (due !== null) [this.summarized, this.backups] = [due, grounds.backups];
    if (due === this.due) this.due = null;
    this.evidence = evidence;
    [this.verdicts, this.preflight, this.checked] = [verdicts, preflight, { facts, policy }];
  }
}
