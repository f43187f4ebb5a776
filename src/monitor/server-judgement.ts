import type { Facts } from '../core/advice/facts';
import type { Preflight } from '../core/advice/finding';
import type { PolicyInForce } from '../core/advice/policy';
import { emptyPreflight, stepPreflight } from '../core/advice/preflight';
import type { KnownOfDatabase, Verdict } from '../core/advice/verdict';
import type { CaptureRecord } from '../core/capture/capture-record';
import type { Steps } from '../core/steps';
import { type CaptureEvidence, judgeDatabases, summarizeCapture } from './judgement';

/** What verdicts rest on now, other than the capture. */
export interface JudgedServer {
  readonly facts: Facts;
  /** null: all. */
  readonly tracked: ReadonlySet<number> | null;
  /** By database_id; null: nobody looked at the evidence yet. */
  readonly known: ReadonlyMap<number, KnownOfDatabase> | null;
}

/** The verdicts on one server, with the findings and the figures that they rest on. */
export class ServerJudgement {
  verdicts: ReadonlyMap<number, Verdict> = new Map();
  preflight: Preflight = emptyPreflight;
  /** null: nothing was observed yet. */
  evidence: CaptureEvidence | null = null;
  private rows = 0;
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

  summarize(capture: CaptureRecord | null, facts: Facts): void {
    this.rows = capture?.columns.rows ?? 0;
    this.evidence = summarizeCapture(capture, facts);
  }

  /**
   * Goes over every database; the preflight only where facts or policy are others than the last time. Nothing is another before the last step, and nothing at all
   * where judging began anew meanwhile.
   */
  *judge({ facts, tracked, known }: JudgedServer): Steps<void> {
    const turn = ++this.turn;
    const { policy } = this;
    const isChecked = this.checked?.facts === facts && this.checked.policy === policy;
    const preflight = isChecked ? this.preflight : yield* stepPreflight(facts, facts.databases, policy.problems);
    const verdicts = yield* judgeDatabases(facts, this.evidence, tracked, { policy: policy.policy, preflight, known });
    if (turn !== this.turn) return;
    [this.verdicts, this.preflight, this.checked] = [verdicts, preflight, { facts, policy }];
  }
}
