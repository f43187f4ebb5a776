import { type EvidenceState, NOTHING_READING } from '../../core/pages/evidence-page';
import type { MonitorSurroundings } from '../queries/surroundings';

/** What is over sooner is not spoken of. */
const TELL_AFTER_MS = 1_000;

interface ProgressWorld extends Pick<MonitorSurroundings, 'schedule'> {
  /** The state is another one. */
  readonly changed: () => void;
}

/** What is being read and computed for the pages of evidence, told once it takes long, and cancelled where the reader wishes. */
export class ReadingProgress {
  state: EvidenceState = NOTHING_READING;
  private canceller: AbortController | null = null;
  private telling: { dispose(): void } | null = null;

  constructor(private readonly world: ProgressWorld) {}

  /** Something begins, in place of what was before. @returns aborted where the reader cancels it */
  begin(text: string): AbortSignal {
    this.end();
    this.canceller = new AbortController();
    this.telling = this.world.schedule(TELL_AFTER_MS, () => this.show({ ...this.state, reading: { text } }));
    return this.canceller.signal;
  }

  end(): void {
    this.telling?.dispose();
    this.telling = this.canceller = null;
    if (this.state.reading !== null) this.show({ ...this.state, reading: null });
  }

  /** Nothing where nothing is going on. @param stopped what is told then */
  cancel(stopped: string): boolean {
    if (this.canceller === null) return false;
    this.canceller.abort();
    this.state = { ...this.state, stopped };
    this.end();
    this.world.changed();
    return true;
  }

  /** What goes on, or was cancelled, is about nothing that is there any more. */
  drop(): void {
    this.canceller?.abort();
    this.end();
    this.goOn();
  }

  /** What was cancelled is wanted after all. */
  goOn(): void {
    if (this.state.stopped !== null) this.show({ ...this.state, stopped: null });
  }

  private show(state: EvidenceState): void {
    this.state = state;
    this.world.changed();
  }
}
