/**
 * Error logs and events without a server. A file dropped on the page goes to the extension in pieces, each after the
 * one before was taken. A button opens a log by name.
 */
import { formatPercent } from '../../core/format';
import type { ErrorLogPiece } from '../../protocol';
import { createButton, createElement, setText, wrap } from '../kit/elements';
import { t } from '../../core/language';

/** A message holds at most 1 MB. */
export const SENT_BYTES = 1_000_000;
/** A larger file is not read in pieces; SQL Server itself warns of such logs. */
const MOST_BYTES = 1_000_000_000;

export interface ErrorLogDropEvents {
  onLogPiece(piece: ErrorLogPiece): void;
  onOpenLog(): void;
  announce(text: string): void;
}

interface Sending {
  readonly file: File;
  readonly sentBytes: number;
}

export class ErrorLogDrop {
  readonly element: HTMLElement;
  private readonly hint: HTMLElement;
  private readonly cancel: HTMLButtonElement;
  private sending: Sending | null = null;

  /** @param area where files may be dropped */
  constructor(
    private readonly area: HTMLElement,
    private readonly events: ErrorLogDropEvents,
  ) {
    this.hint = createElement('span.dim', { text: HINT });
    this.cancel = createButton(t('Cancel'), () => this.stop(t('Reading was cancelled.')), {
      class: 'quiet',
      hidden: '',
    });
    const open = createButton(t('Open an ERRORLOG file…'), () => events.onOpenLog(), {
      class: 'link',
    });
    this.element = wrap('div.log-drop', [open, this.hint, this.cancel]);
    area.addEventListener('dragover', (event) => this.offer(event));
    area.addEventListener('dragleave', (event) => {
      if (!area.contains(event.relatedTarget as Node | null)) this.mark(false);
    });
    area.addEventListener('drop', (event) => this.drop(event));
  }

  /** The extension has taken this many bytes of the file; null: it wants no more. */
  async receive(takenBytes: number | null): Promise<void> {
    if (this.sending === null || takenBytes !== this.sending.sentBytes)
      return takenBytes === null ? this.stop('') : undefined;
    if (takenBytes < this.sending.file.size) await this.sendNext();
    else this.stop(t('{0} was read.', this.sending.file.name));
  }

  private offer(event: DragEvent): void {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.mark(true);
  }

  private drop(event: DragEvent): void {
    this.mark(false);
    const files = event.dataTransfer?.files;
    const file = files?.[0];
    if (file === undefined) return;
    event.preventDefault();
    if (files?.length !== 1) this.stop(t('Drop one file at a time.'));
    else if (file.size === 0) this.stop(t('{0} is empty.', file.name));
    else if (file.size > MOST_BYTES) this.stop(t('{0} is larger than 1 GB.', file.name));
    else {
      this.sending = { file, sentBytes: 0 };
      void this.sendNext();
    }
  }

  private async sendNext(): Promise<void> {
    const { sending } = this;
    if (sending === null) return;
    const { file, sentBytes: fromByte } = sending;
    setText(this.hint, t('Reading {0}: {1}', file.name, formatPercent(fromByte / file.size)));
    this.cancel.hidden = false;
    const bytes = await file
      .slice(fromByte, fromByte + SENT_BYTES)
      .arrayBuffer()
      .catch(() => null);
    if (this.sending !== sending) return;
    if (bytes === null) return this.stop(t('{0} could not be read.', file.name));
    this.sending = { file, sentBytes: fromByte + bytes.byteLength };
    this.events.onLogPiece({ type: 'errorLogFile', name: file.name, totalBytes: file.size, fromByte, bytes });
  }

  /** @param said what to tell the reader; '' for nothing */
  private stop(said: string): void {
    const hadFocus = this.cancel === document.activeElement;
    this.sending = null;
    this.cancel.hidden = true;
    if (hadFocus) (this.element.firstElementChild as HTMLElement).focus();
    setText(this.hint, said === '' ? HINT : said);
    if (said !== '') this.events.announce(said);
  }

  private mark(isOver: boolean): void {
    this.area.classList.toggle('drop-here', isOver);
  }
}

/** VS Code opens dropped files itself unless Shift is held. */
const HINT = t('or hold Shift and drop one here, or a file of saved events');
