/** The head of the page: which server, what is being observed, what can be done, and the sentence that says what matters. */
import { describeLastSeen } from '../core/capture/tracking-status';
import { NOT_OBSERVABLE, countOf, formatCount, formatDuration } from '../core/format';
import { measureCoverage } from '../core/evidence/coverage';
import { describeGapCount } from '../core/picture/coverage-text';
import { makeVisible } from '../core/visible';
import type { DashboardCommand, ServerView, TrackingView } from '../protocol';
import { createButton, createElement, setText } from './elements';
import type { Segment } from './headline';
import { findObstacle, type NoticeAction } from './pages/state-notice';

export interface HeaderInput {
  readonly server: ServerView | null;
  readonly tracking: TrackingView | null;
  readonly headline: readonly Segment[];
  /** What needs attention and is not said elsewhere. */
  readonly message: string | null;
  /** What the page offers elsewhere already. */
  readonly offered: NoticeAction | null;
}

/** `Tracking for 2 h 14 min`. */
export function describeTrackingState(tracking: TrackingView | null): string {
  if (!tracking) return 'Reading…';
  const { state, observation } = tracking;
  const lastSeen = describeLastSeen(tracking);
  if (lastSeen !== null) return lastSeen;
  const observed = observation ? formatDuration(observation.endUtcMs - observation.beginUtcMs) : null;
  switch (state) {
    case 'not tracking':
      return 'Not tracking';
    case 'starting':
      return 'Starting to track…';
    case 'tracking':
      return observed ? `Tracking for ${observed}` : 'Tracking';
    case 'stopping':
      return 'Stopping…';
    case 'stopped':
      return observed ? `Stopped after ${observed}` : 'Stopped';
    case 'failed':
      return 'Failed';
    default:
      return state satisfies never;
  }
}

/** What goes on is not known before the server answered, whatever is said of it. */
export const findKnownTracking = ({ server, tracking }: Pick<HeaderInput, 'server' | 'tracking'>): TrackingView | null =>
  server && tracking;

/** What needs attention, and why Start is not offered. */
export function describeAttention(tracking: TrackingView | null): string | null {
  const said = [tracking?.message, findObstacle(tracking)?.sentence].filter((sentence) => typeof sentence === 'string');
  return said.length === 0 ? null : said.join(' ');
}

/** `17,496 events · 0 lost · 3 unpaired · 1 gap, 3 min`; what could not be observed is said, not counted as none. */
export function describeLedger(tracking: TrackingView | null): string {
  if (!tracking || !tracking.observation) return '';
  const { observation, rowsRead, unpaired, malformed } = tracking;
  const parts = [countOf(rowsRead, 'event'), describeLost(tracking), `${formatCount(unpaired)} unpaired`];
  if (malformed > 0) parts.push(`${formatCount(malformed)} malformed`);
  const gaps = describeGapCount(measureCoverage(observation, observation));
  if (gaps !== '') parts.push(gaps);
  return parts.join(' · ');
}

/** Events and buffers are two counters of the server with two units: they are never added up. */
function describeLost({ lostEvents, lostBuffers }: TrackingView): string {
  if (lostEvents === null && lostBuffers === null) return `lost events ${NOT_OBSERVABLE}`;
  if (lostEvents === 0 && lostBuffers === 0) return '0 lost';
  const count = (lost: number | null, one: string): string =>
    lost === null ? `lost ${one}s ${NOT_OBSERVABLE}` : `${countOf(lost, one)} lost`;
  return `${count(lostEvents, 'event')}, ${count(lostBuffers, 'buffer')}`;
}

export class Header {
  readonly element: HTMLElement;
  private readonly name: HTMLElement;
  private readonly description: HTMLElement;
  private readonly dot: HTMLElement;
  private readonly state: HTMLElement;
  private readonly ledger: HTMLElement;
  private readonly refresh: HTMLButtonElement;
  private readonly toggle: HTMLButtonElement;
  private readonly sentence: HTMLElement;
  private readonly message: HTMLElement;
  private tracking: TrackingView | null = null;

  constructor(
    private readonly document: Document,
    invoke: (command: DashboardCommand) => void,
  ) {
    this.name = createElement(document, 'h1', { class: 'data' });
    this.description = createElement(document, 'span', { class: 'dim' });
    this.dot = createElement(document, 'span', { class: 'dot', attributes: { 'aria-hidden': 'true' } });
    this.state = createElement(document, 'span', { class: 'num' });
    this.ledger = createElement(document, 'span', { class: 'dim num' });
    this.toggle = createButton(document, 'Start tracking', () => {
      if (!isBusy(this.tracking)) invoke(isRunning(this.tracking) ? 'stopTracking' : 'startTracking');
    });
    this.refresh = createButton(document, 'Refresh', () => invoke('refresh'));
    const review = createButton(document, 'Review script…', () => invoke('reviewScript'), {
      class: 'primary',
      title: 'Shows what a script would change before it is opened. Nothing is run.',
    });
    this.sentence = createElement(document, 'p', { class: 'sentence' });
    this.message = createElement(document, 'p', { class: 'message', attributes: { hidden: '' } });
    const status = createElement(document, 'div', { class: 'status', children: [this.dot, this.state, this.ledger] });
    const actions = createElement(document, 'div', { class: 'actions', children: [this.refresh, this.toggle, review] });
    const title = createElement(document, 'div', { class: 'title', children: [this.name, this.description] });
    const top = createElement(document, 'div', { class: 'top', children: [title, status, actions] });
    this.element = createElement(document, 'header', { children: [top, this.sentence, this.message] });
  }

  update({ server, tracking, headline, message, offered }: HeaderInput): void {
    this.tracking = tracking;
    // Before the server answered, the page knows what it is called here, and no more.
    setText(this.name, server?.name ?? this.document.getElementById('app')?.dataset['serverLabel'] ?? 'Checkpoint Health');
    setText(this.description, server?.description ?? '');
    const known = findKnownTracking({ server, tracking });
    this.dot.dataset['state'] = known === null || known.isLastSeen ? 'reading' : known.state;
    setText(this.state, describeTrackingState(known));
    setText(this.ledger, describeLedger(tracking));
    setText(this.toggle, isRunning(tracking) ? 'Stop tracking' : 'Start tracking');
    this.toggle.setAttribute('aria-disabled', String(isBusy(tracking)));
    this.toggle.hidden = offered === 'startTracking' || findObstacle(tracking) !== null;
    this.refresh.hidden = offered === 'refresh';
    this.showSentence(headline);
    setText(this.message, message ?? '');
    this.message.hidden = message === null;
  }

  /** Takes the focus from a control that went away. */
  takeFocus(): void {
    (this.toggle.hidden ? this.refresh : this.toggle).focus();
  }

  private showSentence(headline: readonly Segment[]): void {
    if (this.sentence.textContent === headline.map(({ text }) => makeVisible(text)).join('')) return;
    this.sentence.replaceChildren(...headline.map(({ text, weight }) => this.createSegment(text, weight)));
  }

  private createSegment(text: string, weight: Segment['weight']): HTMLElement {
    return createElement(this.document, weight === 'strong' ? 'b' : 'span', { text, class: weight });
  }
}

const isRunning = (tracking: TrackingView | null): boolean => tracking?.state === 'tracking' || tracking?.state === 'stopping';
const isBusy = (tracking: TrackingView | null): boolean => !tracking || tracking.state === 'starting' || tracking.state === 'stopping';
