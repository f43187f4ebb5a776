import { Alarm, pauseBy } from '../queries/slices';
import type { WriteWorkLog } from '../../core/write-work/write-work-log';
import { describeError } from '../queries/failure';
import { beginSampling, describeStatus, sampleDue, type Sampled, type SamplingStatus } from '../facts/write-work-sampling';
import type { EvidenceWorld } from './evidence-world';

/** A sample goes with the next read of the events, if one comes within this time, or within an interval. */
const GRACE_MS = 12_000;
/** After a lost connection: the next read of the events connects again. */
const RETRY_MS = 15_000;

type WorkWorld = Pick<EvidenceWorld, 'query' | 'schedule' | 'elapsedMs' | 'enqueue' | 'intervals' | 'warn'> & {
  /** Something was sampled. */
  readonly sampled: () => void;
};

/** How sampling stands before it begins. `plans`: how often the next sample was planned. `isLost`: the last one had no answer, and that was told. */
const NOT_BEGUN = { isGoingOn: false, dueMs: Infinity, plans: 0, isLost: false, engineEdition: NaN, sampled: null as Sampled | null };
type Standing = Readonly<typeof NOT_BEGUN>;

/** What each event makes of it. */
const on = {
  begin: (was: Standing, engineEdition: number, first: Sampled): Standing => ({ ...was, engineEdition, sampled: was.sampled ?? first }),
  plan: (was: Standing, dueMs: number): Standing => ({ ...was, isGoingOn: true, dueMs, plans: was.plans + 1 }),
  answer: (was: Standing): Standing => ({ ...was, isLost: false }),
  failure: (was: Standing): Standing => ({ ...was, isLost: true }),
  end: (was: Standing): Standing => ({ ...was, isGoingOn: false, plans: was.plans + 1 }),
};

/** Samples the write work of one server while tracking, at a bounded interval. The samples stay in the log. */
export class WorkFollowing {
  private standing: Standing = NOT_BEGUN;
  private readonly next: Alarm;

  constructor(
    private readonly world: WorkWorld,
    readonly log: WriteWorkLog,
  ) {
    this.next = new Alarm(world.schedule);
  }

  /** The state of sampling; null before it began. */
  get status(): SamplingStatus | null {
    return this.standing.sampled && describeStatus(this.standing.sampled);
  }

  get isGoingOn(): boolean {
    return this.standing.isGoingOn;
  }

  /** Does nothing if it goes on already. @param engineEdition SERVERPROPERTY('EngineEdition') */
  begin(engineEdition: number): void {
    const { intervals } = this.world;
    if (this.isGoingOn || intervals === null) return;
    this.standing = on.begin(this.standing, engineEdition, beginSampling(intervals));
    this.sampleIn(0);
  }

  end(): void {
    this.standing = on.end(this.standing);
    this.next.stop();
  }

  /** The server is being asked something anyway: a sample that is due goes in the same text. Never fails. */
  async along(): Promise<void> {
    if (this.isGoingOn && this.standing.dueMs <= this.world.elapsedMs()) await this.sample();
  }

  private sampleIn(delayMs: number): void {
    this.standing = on.plan(this.standing, this.world.elapsedMs() + delayMs);
    // Only the end of the window refuses a sample, before it begins.
    const take = (): void => void this.world.enqueue(() => this.sample()).catch(() => undefined);
    this.next.set(delayMs + Math.min(GRACE_MS, delayMs), take);
  }

  /** A refusal is in the status. A lost connection is told once, and the sample is tried again. */
  private async sample(): Promise<void> {
    const { world, log } = this;
    const { isGoingOn, plans, sampled: before, engineEdition } = this.standing;
    if (before === null || !isGoingOn) return;
    const tell = (event: (was: Sampled) => Sampled): Sampled => {
      const sampled = event(this.standing.sampled ?? before);
      this.standing = { ...this.standing, sampled };
      return sampled;
    };
    let delayMs = RETRY_MS;
    try {
      delayMs = await sampleDue({ world: { ...world, pause: pauseBy(world) }, log, tell }, before, engineEdition);
      this.standing = on.answer(this.standing);
      this.world.sampled();
    } catch (error) {
      if (!this.standing.isLost) this.world.warn(`Write work could not be sampled: ${describeError(error)}`);
      this.standing = on.failure(this.standing);
    }
    // Unless sampling ended meanwhile, or began again.
    if (this.standing.plans === plans) this.sampleIn(delayMs);
  }
}
