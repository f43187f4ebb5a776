import type { SessionSnapshot } from '../../core/session/event-session';
import type { SourcePosition } from '../../core/capture/following';
import { joinRingPieces, readRingHead, readRingOn, type RingHead, splitRingBuffer, type RingTail } from '../../core/events/ring-buffer';
import { quoteInString } from '../../core/script/quote';
import { fillTemplate } from '../../core/script/template';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import type { EventSource, PageRead, SourceRows } from './event-source';
import type { ServerQuery } from '../queries/server-query';
import { joinSentences, t } from '../../core/language';

/** The ring buffer of a running session. It is read whole, and only the events after the last reading are taken. */
export class RingSource implements EventSource {
  readonly outlivesSession = false;
  readonly files: readonly string[] = [];
  private seen: RingHead | null = null;
  private first: RingHead | null = null;

  constructor(
    private readonly query: ServerQuery,
    private readonly sessionName: string,
    private tail: RingTail | null = null,
  ) {}

  get position(): SourcePosition {
    return { file: null, ring: this.tail };
  }

  get isWhole(): boolean {
    return (
      this.first !== null && !this.first.isTruncated && this.first.processed !== null && this.first.processed === this.first.eventCount
    );
  }

  notice({ targetData }: SessionSnapshot): void {
    this.seen = readRingHead(targetData);
  }

  askAhead(): null {
    return null;
  }

  /** If the target has taken nothing since, its text is not asked for. */
  async readPage(take: (step: SourceRows) => void): Promise<PageRead> {
    if (this.tail !== null && this.seen !== null && this.seen.processed !== null && this.seen.processed === this.tail.processed)
      return 'end';
    const text = fillTemplate(readTemplates.ringBuffer, { session_name: quoteInString(this.sessionName) });
    const { ring, problem } = joinRingPieces(await this.query.run(text));
    if (ring === null) throw new ConnectionError('queryFailed', problem);
    if (ring === '') return 'nothing there';
    const split = splitRingBuffer(ring);
    if (split.head === null)
      throw new ConnectionError('queryFailed', joinSentences(t('The text of the ring buffer cannot be read.'), split.problem ?? ''));
    this.first ??= split.head;
    const { rows, tail, lossBefore, lossBehind } = readRingOn(split, this.tail);
    this.tail = tail;
    if (rows.length > 0 || lossBefore !== null || lossBehind !== null) take({ rows, lossBefore, lossBehind });
    return 'end';
  }
}
