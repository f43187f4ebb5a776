import { pauseBy } from '../queries/slices';
import type { WriteWorkLog } from '../../core/write-work/write-work-log';
import { describeError } from '../queries/failure';
import { type SamplingStatus, WriteWorkSampling } from '../facts/write-work-sampling';
import type { EvidenceWorld } from './evidence-world';

/** A sample goes with the next read of the events, if one comes within this time, or within an interval. */
const GRACE_MS = 12_000;
/** After a lost connection: the next read of the events connects again. */
const RETRY_MS = 15_000;

type WorkWorld = Pick<EvidenceWorld, 'query' | 'schedule' | 'elapsedMs' | 'enqueue' | 'intervals' | 'warn'> & {
  /** Something was sampled. */
  readonly sampled: () => void;
};

/** Samples the write work of one server while tracking, at a bounded interval. The samples stay in the log. */
export class WorkFollowing {
  private sampling: WriteWorkSampling | null = null;
  private next: { dispose(): void } | null = null;
  private dueMs = Infinity;
  private isLost = false;

  constructor(
    private readonly world: WorkWorld,
    readonly log: WriteWorkLog,
  ) {}

  /** The state of sampling; null before it began. */
  get status(): SamplingStatus | null {
    return this.sampling?.status ?? null;
  }

  get isGoingOn(): boolean {
    return this.next !== null;
  }

  /** Does nothing if it goes on already. @param engineEdition SERVERPROPERTY('EngineEdition') */
  begin(engineEdition: number): void {
    const { intervals } = this.world;
    if (this.next !== null || intervals === null) return;
    const { query, elapsedMs } = this.world;
    this.sampling ??= new WriteWorkSampling({ query, elapsedMs, intervals, engineEdition, pause: pauseBy(this.world) }, this.log);
    this.sampleIn(0);
  }

  end(): void {
    this.next?.dispose();
    this.next = null;
  }

  /** The server is being asked something anyway: a sample that is due goes in the same text. Never fails. */
  async along(): Promise<void> {
    if (this.next !== null && this.dueMs <= this.world.elapsedMs()) await this.sample();
  }

  private sampleIn(delayMs: number): void {
    this.next?.dispose();
    this.dueMs = this.world.elapsedMs() + delayMs;
    const graceMs = Math.min(GRACE_MS, delayMs);
    // Only the end of the window refuses a sample, before it begins.
    const take = (): void => void this.world.enqueue(() => this.sample()).catch(() => undefined);
    this.next = this.world.schedule(delayMs + graceMs, take);
  }

  /** A refusal is in the status. A lost connection is told once, and the sample is tried again. */
  private async sample(): Promise<void> {
    const { sampling, next } = this;
    if (sampling === null || next === null) return;
    let delayMs = RETRY_MS;
    try {
      delayMs = await sampling.sample();
      this.isLost = false;
      this.world.sampled();
    } catch (error) {
      if (!this.isLost) this.world.warn(`Write work could not be sampled: ${describeError(error)}`);
      this.isLost = true;
    }
    // Unless sampling ended meanwhile, or began again.
    if (this.next === next) this.sampleIn(delayMs);
  }
}
