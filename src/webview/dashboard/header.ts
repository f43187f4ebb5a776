/**
 * The head of the page: the server, how many of its databases are automatic, the state of tracking, actions, and the
 * verdict on the instance.
 */
import { describeLastSeen, describeUnverified } from '../../core/capture/tracking-status';
import { countOf, formatCount, formatDuration, countEvents } from '../../core/format';
import { measureCoverage } from '../../core/statistics/coverage';
import { describeGapCount } from '../../core/pages/coverage-text';
import type { DashboardCommand, InstanceView, ServerView, TrackingView } from '../../protocol';
import { createButton, createElement, setText, showText, wrap } from '../kit/elements';
import type { Clock } from '../model/clock';
import { InstanceHead } from './instance-head';
import { findShownObstacle, holdsCheckpointsOnly, type NoticeAction, type StateNotice } from './state-notice';
import { ProgressLine } from './progress-line';
import { RestsDialog } from './rests-dialog';
import { t } from '../../core/language';

interface HeaderInput {
  readonly server: ServerView | null;
  readonly tracking: TrackingView | null;
  readonly clock: Clock;
  /** Whether the verdict is shown in full. */
  readonly isWhole: boolean;
  /** Whether there are lanes below the head. */
  readonly hasPicture: boolean;
  /** What needs attention, unless it is said elsewhere. */
  readonly message: string | null;
  /** How far stored events have been read; null: they are not being read, or the page says it. */
  readonly reading: StateNotice | null;
  /** The action that the page already offers elsewhere. */
  readonly offered: NoticeAction | null;
}

/** `Tracking for 2 h 14 min`. */
export function describeTrackingState(tracking: TrackingView | null, clock: Clock): string {
  if (!tracking) return t('Reading…');
  const { state, observation, unverified } = tracking;
  if (unverified !== null)
    return describeUnverified(unverified, clock.offsetMinutesAt(unverified.toUtcMs), Date.now());
  const lastSeen = describeLastSeen(tracking);
  if (lastSeen !== null) return lastSeen;
  const observed = observation ? formatDuration(observation.endUtcMs - observation.beginUtcMs) : null;
  if (tracking.record)
    return [observed ?? '', t('Saved capture, no server behind it')]
      .filter((text) => text !== '')
      .join(' · ');
  switch (state) {
    case 'not tracking':
      return t('Not tracking');
    case 'starting':
      return t('Starting to track…');
    case 'tracking':
      return observed ? t('Tracking for {0}', observed) : t('Tracking');
    case 'stopping':
      return t('Stopping…');
    case 'stopped':
      return observed ? t('Stopped after {0}', observed) : t('Stopped');
    case 'failed':
      return t('Failed');
    default:
      return state satisfies never;
  }
}

/** Until the server has answered, nothing is known of tracking, even if there is a status. */
export const findKnownTracking = ({
  server,
  tracking,
}: Pick<HeaderInput, 'server' | 'tracking'>): TrackingView | null => server && tracking;

/** What needs attention, and what keeps Start from being offered; of a file the state says that. */
export function describeAttention(tracking: TrackingView | null): string | null {
  const obstacle = tracking?.record ? null : findShownObstacle(tracking);
  const said = [tracking?.message, obstacle?.sentence].filter((sentence) => typeof sentence === 'string');
  return said.length === 0 ? null : said.join(' ');
}

/** `312 of 400 automatic`: the main question, so shown with any verdict; '' if the databases could not be read. */
export function writeAutomatic(server: ServerView | null): string {
  return server === null || server.databases === 0
    ? ''
    : t('{0} of {1} automatic', formatCount(server.automatic), formatCount(server.databases));
}

/** `54,100 events, none lost · 1 gap, 3 min`. What could not be observed is named, not counted as 0. */
export function describeLedger(tracking: TrackingView | null): string {
  if (!tracking || !tracking.observation) return '';
  const { observation, rowsRead, malformed } = tracking;
  const lost = describeLost(tracking);
  const events = countEvents(rowsRead);
  const parts = lost === null ? [t('{0}, none lost', events)] : [events, lost];
  if (malformed > 0) parts.push(t('{0} malformed', formatCount(malformed)));
  const gaps = describeGapCount(measureCoverage(observation, observation));
  if (gaps !== '') parts.push(gaps);
  return parts.join(' · ');
}

/** The server counts events and buffers in two units, so they are never added up. null: none was lost. */
function describeLost({ lostEvents, lostBuffers }: TrackingView): string | null {
  if (lostEvents === null && lostBuffers === null) return t('lost events not observable');
  if (lostEvents === 0 && lostBuffers === 0) return null;
  const events =
    lostEvents === null
      ? t('lost events not observable')
      : countOf(lostEvents, t('{0} event lost'), t('{0} events lost'));
  const buffers =
    lostBuffers === null
      ? t('lost buffers not observable')
      : countOf(lostBuffers, t('{0} buffer lost'), t('{0} buffers lost'));
  return `${events}, ${buffers}`;
}

function describeAwaited(tracking: TrackingView | null): string {
  if (holdsCheckpointsOnly(tracking)) return t('This file has no verdict');
  return tracking?.unverified === null ? t('Judging…') : t('The verdict comes when the server answers');
}

export class Header {
  readonly element: HTMLElement;
  private readonly name: HTMLElement;
  private readonly description: HTMLElement;
  private readonly dot: HTMLElement;
  private readonly state: HTMLElement;
  private readonly automatic: HTMLElement;
  private readonly ledger: HTMLButtonElement;
  private readonly refresh: HTMLButtonElement;
  private readonly toggle: HTMLButtonElement;
  private readonly review: HTMLButtonElement;
  private readonly rollBack: HTMLButtonElement;
  private readonly compare: HTMLButtonElement;
  private readonly instance: InstanceHead;
  private readonly rests: RestsDialog;
  private readonly message: HTMLElement;
  private readonly reading: ProgressLine;
  private tracking: TrackingView | null = null;
  private nextWave: ServerView['nextWave'] = null;
  private lastWave: InstanceView['lastWave'] = null;

  constructor(
    invoke: (command: DashboardCommand, databaseIds?: readonly number[]) => void,
    onCompare: () => void,
    private readonly act: (does: NoticeAction) => void,
  ) {
    this.reading = new ProgressLine('div.stored-reading', 'link');
    this.name = createElement('h1.data');
    this.description = createElement('span.dim');
    this.dot = createElement('span.dot', { 'aria-hidden': 'true' });
    this.state = createElement('span.num');
    this.automatic = createElement('span.automatic.num');
    this.rests = new RestsDialog(() => invoke('showEvidence'));
    this.instance = new InstanceHead({
      onRests: () => this.rests.open(),
      onFollow: () => invoke('followEventSession'),
    });
    this.ledger = createButton('', () => this.rests.open(), {
      class: 'link ledger num',
      title: t('What this rests on'),
      'aria-haspopup': 'dialog',
    });
    this.toggle = createButton(t('Start tracking'), () => {
      if (!isBusy(this.tracking)) invoke(isRunning(this.tracking) ? 'stopTracking' : 'startTracking');
    });
    this.refresh = createButton('↻', () => invoke('refresh'), {
      class: 'quiet',
      title: t('Refresh'),
      'aria-label': t('Refresh'),
    });
    const createReviewButton = (text: string, onClick: () => void): HTMLButtonElement =>
      createButton(text, onClick, {
        title: t('Shows what a script would change before it is opened. Nothing is run.'),
      });
    this.review = createReviewButton(t('Review script…'), () =>
      invoke('reviewScript', this.nextWave?.databaseIds),
    );
    this.rollBack = createReviewButton('', () => invoke('rollBack', this.lastWave?.databaseIds));
    this.compare = createButton('', onCompare);
    this.message = createElement('p.message', { hidden: '' });
    const state = wrap('span.state', [this.dot, this.state]);
    const parts = [state, this.reading.element, this.ledger];
    const status = wrap('div.status', parts);
    const actions = wrap('div.actions', [
      this.instance.chip,
      this.refresh,
      this.toggle,
      this.rollBack,
      this.compare,
      this.review,
    ]);
    const title = wrap('div.title', [this.name]);
    const details = wrap('div.title.details', [this.automatic, this.description]);
    const top = wrap('div.top', [title, details, status, actions]);
    this.element = wrap('header', [top, this.instance.element, this.message]);
  }

  get dialogs(): readonly HTMLElement[] {
    return [this.rests.dialog.element, this.instance.ask.element];
  }

  update({ server, tracking, clock, isWhole, hasPicture, message, reading, offered }: HeaderInput): void {
    this.tracking = tracking;
    // Until the server has answered, the page knows only the label that it has in VS Code.
    setText(
      this.name,
      server?.name ?? document.getElementById('app')?.dataset['serverLabel'] ?? t('Checkpoint Health'),
    );
    setText(this.description, server?.description ?? '');
    setText(this.automatic, writeAutomatic(server));
    const known = findKnownTracking({ server, tracking });
    this.dot.dataset['state'] =
      known === null || known.isLastSeen || known.unverified !== null ? 'reading' : known.state;
    setText(this.state, describeTrackingState(known, clock));
    setText(this.ledger, describeLedger(tracking));
    // Takes the place of state and ledger, so that nothing below moves.
    const lostFocus = this.reading.update(
      reading && {
        text: `${reading.title}: ${reading.text}`,
        isGoing: reading.isGoing === true,
        action: reading.action && {
          label: reading.action.label,
          act: () => this.act(reading.action!.does),
        },
      },
    );
    this.state.hidden = reading !== null;
    this.ledger.hidden = reading !== null || this.ledger.textContent === '';
    setText(this.toggle, isRunning(tracking) ? t('Stop tracking') : t('Start tracking'));
    this.toggle.setAttribute('aria-disabled', String(isBusy(tracking)));
    this.toggle.hidden = offered === 'startTracking' || findShownObstacle(tracking) !== null;
    this.refresh.hidden = offered === 'refresh' || tracking?.record !== undefined;
    this.nextWave = server?.nextWave ?? null;
    setText(
      this.review,
      this.nextWave === null ? t('Review script…') : t('Review wave {0}…', formatCount(this.nextWave.wave)),
    );
    const instance = server?.instance ?? null;
    this.review.classList.toggle('primary', instance?.isAdvised === true);
    this.updateObjection(instance);
    this.rests.update({ words: instance?.words ?? null, tracking, clock });
    const awaited = hasPicture ? describeAwaited(known) : null;
    this.instance.update({
      instance,
      // No verdict comes that would need the room.
      isWhole: isWhole && !holdsCheckpointsOnly(known),
      awaited,
      obstacle: tracking?.obstacle ?? null,
    });
    showText(this.message, message);
    if (lostFocus) this.takeFocus();
  }

  /**
   * While something speaks against the next wave, its review is not offered here: the pane and the command palette have
   * it.
   */
  private updateObjection(instance: InstanceView | null): void {
    const state = instance?.state;
    const isObjected = state === 'stop' || state === 'just switched' || state === 'missed';
    this.lastWave = instance?.lastWave ?? null;
    const { wave, databaseIds } = this.lastWave ?? { wave: null, databaseIds: [] };
    this.review.hidden = isObjected;
    this.rollBack.hidden = !isObjected || databaseIds.length === 0;
    setText(
      this.rollBack,
      wave === null ? t('Roll back the last change…') : t('Roll back wave {0}…', formatCount(wave)),
    );
    this.compare.hidden = state !== 'stop' && state !== 'missed';
    this.compare.classList.toggle('primary', state === 'stop');
    setText(this.compare, state === 'stop' ? t('Show the limit') : t('Show Before / after'));
  }

  /** Takes the focus after a control with the focus went away. */
  takeFocus(): void {
    (
      [this.toggle, this.refresh, this.compare, this.rollBack].find(({ hidden }) => !hidden) ?? this.review
    ).focus();
  }
}

const isRunning = (tracking: TrackingView | null): boolean =>
  tracking?.state === 'tracking' || tracking?.state === 'stopping';
const isBusy = (tracking: TrackingView | null): boolean =>
  !tracking || tracking.state === 'starting' || tracking.state === 'stopping';
