/** The webview for an error log without a server: its name, its page as on the dashboard, and a way to open another. */
import '../kit/screen-texts';
import type { FromErrorLog, ToErrorLog } from '../../protocol';
import { readToErrorLog } from '../../received';
import { joinPage, type WebviewHost } from '../kit/page-host';
import type { EvidencePage } from '../../core/pages/evidence-page';
import { createClock } from '../model/clock';
import { createButton, createElement, setText, createLiveRegion, wrap } from '../kit/elements';
import { createFrame, type Frame } from '../kit/frame';
import { ErrorLogDrop } from '../dashboard/error-log-drop';
import { EvidencePanel } from '../dashboard/evidence-panel';
import { findMissingNotice } from '../dashboard/state-notice';
import { parseViewState, type ViewState, changeSort } from '../model/view-state';
import { t } from '../../core/language';

class ErrorLogView {
  private view: ViewState;
  private page: EvidencePage | null = null;
  private readonly frame: Frame;
  private readonly name: HTMLElement;
  private readonly origin: HTMLElement;
  private readonly panel: EvidencePanel;
  private readonly drop: ErrorLogDrop;
  private readonly live: HTMLElement;

  constructor(
    root: HTMLElement,
    window: Window,
    private readonly host: WebviewHost<FromErrorLog>,
  ) {
    this.view = parseViewState(host.getState());
    this.frame = createFrame(window, () => this.render());
    this.name = createElement('h1.data');
    this.origin = createElement('span.dim');
    const markdown = createButton(t('Show as Markdown'), () => host.postMessage({ type: 'markdown' }));
    const title = wrap('div.title', [this.name, this.origin]);
    const actions = wrap('div.actions', [markdown]);
    const top = wrap('div.top', [title, actions]);
    const main = createElement('main');
    this.panel = new EvidencePanel({
      onSort: (tableId, sort) => this.sort(tableId, sort),
      onSelect: () => undefined,
      onSave: (name, svg) =>
        host.postMessage({ type: 'save', format: 'svg', name, bytes: new TextEncoder().encode(svg).buffer }),
      onAct: () => undefined,
      onLink: () => undefined,
    });
    this.live = createLiveRegion();
    this.drop = new ErrorLogDrop(main, {
      onLogPiece: (piece) => host.postMessage(piece),
      onOpenLog: () => host.postMessage({ type: 'readErrorLog' }),
      announce: (text) => setText(this.live, text),
    });
    main.append(this.drop.element, this.panel.element);
    root.replaceChildren(wrap('header', [top]), main, this.live);
  }

  start(): void {
    this.host.postMessage({ type: 'ready' });
  }

  receive(message: ToErrorLog): void {
    if (message.type === 'errorLogTaken') return void this.drop.receive(message.bytes);
    setText(this.name, message.name);
    setText(
      this.origin,
      message.isMessage === true
        ? t('What one message of the error log means')
        : t('Error log, read without a server'),
    );
    this.page = message.page;
    this.frame.request();
  }

  private sort(tableId: string, sort: ViewState['evidenceSorts'][string] | null): void {
    this.view = { ...this.view, evidenceSorts: changeSort(this.view.evidenceSorts, tableId, sort) };
    this.host.setState(this.view);
    this.frame.request();
  }

  /** The page uses the log's own clock. Its cells already have local times, so no offset is needed. */
  private render(): void {
    const { page, view } = this;
    const clock = createClock('server', { utcOffsetMinutes: 0, offsets: [] });
    this.panel.update({
      page,
      notice: findMissingNotice(page),
      sorts: view.evidenceSorts,
      selectedDatabaseId: null,
      filter: '',
      clock,
    });
  }
}

joinPage<ToErrorLog, FromErrorLog>(readToErrorLog, (root, host) => new ErrorLogView(root, window, host));
