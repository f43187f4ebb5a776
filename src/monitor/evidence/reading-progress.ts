import { type EvidenceState, NOTHING_READING } from '../../core/pages/evidence-page';
import type { MonitorSurroundings } from '../queries/surroundings';

/** Work that ends sooner is not mentioned. */
const TELL_AFTER_MS = 1_000;

/** The reading and computing for the pages of evidence: told once it takes long, and cancelled if the user wishes. */
export class ReadingProgress {
  state: EvidenceState = NOTHING_READING;
  private canceller: AbortController | null = null;
  private telling: { dispose(): void } | null = null;

  /** @param world `changed`: the state has changed */
  constructor(private readonly world: Pick<MonitorSurroundings, 'schedule'> & { readonly changed: () => void }) {}

  /** Something begins, and replaces what was before. @returns a signal that is aborted if the user cancels it */
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

  /** Does nothing if nothing is going on. @param stopped what the user is told then */
  cancel(stopped: string): void {
    if (this.canceller === null) return;
    this.canceller.abort();
    this.state = { ...this.state, stopped };
    this.end();
    this.world.changed();
  }

  /** Another server answers: what goes on, or was cancelled, does not matter any more. */
  drop(): void {
    this.canceller?.abort();
    this.end();
    this.goOn();
  }

  /** The user wants after all what was cancelled. */
  goOn(): void {
    if (this.state.stopped !== null) this.show({ ...this.state, stopped: null });
  }

  private show(state: EvidenceState): void {
    this.state = state;
    this.world.changed();
  }
}
