/** Has the content of a file made a slice at a time: the extension host is one thread shared with every other extension. */
import type { BytePieces, TextPieces } from '../../core/export/export-table';
import type { Steps } from '../../core/steps';
import type { Writing } from '../kit/saved-file';

export interface SlicedWriting {
  /** Lets others have the thread for a moment. */
  readonly pause: () => Promise<void>;
  /** Milliseconds from any begin. */
  readonly elapsedMs: () => number;
}

const SLICE_MS = 15;
const NOTHING = new Uint8Array(0);

/** What it gives is null where it was cancelled. */
export class FileWriter {
  private untilMs: number;

  constructor(
    private readonly work: SlicedWriting,
    private readonly writing: Writing,
  ) {
    this.untilMs = work.elapsedMs() + SLICE_MS;
  }

  async take<T>(steps: Steps<T>): Promise<T | null> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (!(await this.mayGoOn(null))) return null;
    }
  }

  /** @param expected how many pieces about */
  async gather(pieces: TextPieces | BytePieces, expected: number): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    for (const piece of pieces) {
      parts.push(typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece);
      if (!(await this.mayGoOn(parts.length / (expected + 2)))) return null;
    }
    return this.join(parts);
  }

  /** Each part is let go as soon as it is copied: nothing is held twice. */
  private async join(parts: Uint8Array[]): Promise<Uint8Array | null> {
    const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const [index, part] of parts.entries()) {
      whole.set(part, at);
      at += part.length;
      parts[index] = NOTHING;
      if (!(await this.mayGoOn(1))) return null;
    }
    return whole;
  }

  private async mayGoOn(share: number | null): Promise<boolean> {
    if (this.work.elapsedMs() < this.untilMs) return true;
    if (share !== null) this.writing.tell(Math.min(1, share));
    await this.work.pause();
    this.untilMs = this.work.elapsedMs() + SLICE_MS;
    return !this.writing.isCancelled();
  }
}
