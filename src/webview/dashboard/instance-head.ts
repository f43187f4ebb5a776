/**
 * The verdict on the instance at the top of the page: in full with its forecast over the timeline; over the other pages
 * and in a low window one line, which its chip unfolds.
 */
import type { TrackingObstacle } from '../../core/capture/tracking-status';
import { formatShortRange } from '../../core/pages/forecast-words';
import type { Words } from '../../core/pages/words';
import type { InstanceView } from '../../protocol';
import { createForecastChart } from '../charts/forecast-chart';
import { Dialog } from '../kit/dialog';
import { createButton, createElement, setText, showText, createDialogLink, wrap } from '../kit/elements';
import { describeObstacle } from './state-notice';
import { t } from '../../core/language';

interface InstanceHeadInput {
  /** null: not judged yet. */
  readonly instance: InstanceView | null;
  readonly isWhole: boolean;
  /**
   * What is said in the place of a verdict still to come; null: none is expected, or there is nothing below that could
   * move.
   */
  readonly awaited: string | null;
  /** What keeps this login from tracking; null: nothing. */
  readonly obstacle: TrackingObstacle | null;
}

interface InstanceHeadEvents {
  onRests(): void;
  /** Follows an event session that is not ours. */
  onFollow(): void;
}

export class InstanceHead {
  readonly element: HTMLElement;
  /** A dialog with what an administrator would have to run. */
  readonly ask: Dialog;
  readonly chip: HTMLButtonElement;
  private readonly title: HTMLElement;
  private readonly brief: HTMLElement;
  private readonly words: HTMLElement;
  private readonly lines: HTMLElement;
  private readonly note: HTMLElement;
  private readonly rests: HTMLElement;
  private readonly ways: HTMLElement;
  private readonly askButton: HTMLElement;
  private readonly askText: HTMLElement;
  private readonly statement: HTMLElement;
  private readonly picture: HTMLElement;
  private shown = '';
  private isUnfolded = false;
  private input: InstanceHeadInput | null = null;

  constructor(events: InstanceHeadEvents) {
    this.title = createElement('h2', { id: 'instance-title' });
    this.brief = createElement('span.first-sentences.num');
    this.chip = createButton('', () => this.unfold(), {
      class: 'quiet chip num',
      'aria-controls': 'instance',
    });
    this.lines = createElement('div.num');
    this.note = createElement('span.dim');
    this.rests = createDialogLink(t('What this rests on'), () => events.onRests());
    this.askText = createElement('p');
    this.statement = createElement('pre.data', { tabindex: '0' });
    this.ask = new Dialog('ask', [this.askText, this.statement]);
    this.askButton = createDialogLink(t('Show what to ask for'), () => this.ask.open(t('What to ask for')));
    const follow = createButton(t('Follow a session that another tool runs'), () => events.onFollow(), {
      class: 'link',
    });
    this.ways = wrap('p.ways', [this.askButton, follow]);
    const note = wrap('p.note-line', [this.note, this.rests]);
    this.words = wrap('div', [this.lines, note, this.ways]);
    this.picture = createElement('div.forecast-place');
    const title = wrap('div.instance-title', [this.title, this.brief]);
    const said = wrap('div', [title, this.words]);
    this.element = createElement('section.instance', {
      id: 'instance',
      'aria-labelledby': 'instance-title',
      children: [said, this.picture],
    });
  }

  update(input: InstanceHeadInput): void {
    this.input = input;
    const key = JSON.stringify([input, this.isUnfolded]);
    if (key === this.shown) return;
    this.shown = key;
    const { instance, obstacle, awaited } = input;
    const isWhole = input.isWhole || (this.isUnfolded && instance !== null);
    this.element.hidden = instance === null && awaited === null;
    this.element.classList.toggle('awaited', instance === null);
    this.element.classList.toggle('whole', isWhole);
    this.chip.hidden = input.isWhole || instance === null;
    this.chip.setAttribute('aria-expanded', String(isWhole));
    if (instance === null) return this.showAwaited(awaited ?? '');
    const { state, words, forecast } = instance;
    setText(this.title, words.title);
    const last = forecast?.waves[forecast.waves.length - 1];
    setText(
      this.chip,
      last === undefined
        ? t('Details')
        : t('Forecast: {0} after wave {1}', formatShortRange(last), last.wave),
    );
    this.words.hidden = !isWhole;
    const lines = [...(state === 'cannot tell' ? listMissing(obstacle) : []), ...words.lines];
    const logFirst = [...lines.filter(isOfLogWrites), ...lines.filter((line) => !isOfLogWrites(line))];
    this.brief.replaceChildren(
      ...(isWhole ? [] : logFirst.map((line) => this.createLine('span', shorten(line, words)))),
    );
    this.lines.replaceChildren(...lines.map((line) => this.createLine('p', line)));
    showText(this.note, words.note);
    this.rests.hidden = words.rests.length === 0;
    this.showWays(state === 'cannot tell' ? obstacle : null);
    this.picture.hidden = !isWhole || forecast === null;
    this.picture.replaceChildren(...(isWhole && forecast !== null ? [createForecastChart(forecast)] : []));
  }

  /** Keeps room for a verdict and its forecast, so that nothing below moves when they come. */
  private showAwaited(text: string): void {
    setText(this.title, text);
    // The room stays with the page, whatever the verdict will be.
    this.element.classList.add('roomy');
    this.brief.replaceChildren();
    this.words.hidden = this.picture.hidden = true;
  }

  private unfold(): void {
    this.isUnfolded = !this.isUnfolded;
    if (this.input) this.update(this.input);
  }

  private createLine(tag: 'p' | 'span', line: readonly Words[]): HTMLElement {
    return wrap(
      tag,
      line.map(({ text, weight }) => (weight === 'strong' ? createElement('b', { text }) : text)),
    );
  }

  private showWays(obstacle: TrackingObstacle | null): void {
    this.ways.hidden = obstacle === null;
    const notice = obstacle === null ? null : describeObstacle(obstacle);
    this.askButton.hidden = notice?.statement === undefined;
    setText(this.askText, notice?.text ?? '');
    setText(this.statement, notice?.statement ?? '');
  }
}

/** `Log writes wait:` stands out at its begin. In one line it comes first: after the state, it is what counts. */
const isOfLogWrites = ([first]: readonly Words[]): boolean =>
  first?.weight === 'strong' && first.text.endsWith(':');

/** In one row with the others a line has room for about this many characters. */
const MOST_SIGNS = 40;

/** Its first sentence; of a long one about how busy the task was, the figure alone: `88 % busy`. */
function shorten(line: readonly Words[], { lines, brief }: InstanceView['words']): readonly Words[] {
  const first = takeFirstSentence(line);
  const isLong = first.reduce((sum, { text }) => sum + text.length, 0) > MOST_SIGNS;
  return isLong && line === lines[0] && brief !== '' ? [{ text: `${brief}.`, weight: 'plain' }] : first;
}

function takeFirstSentence(line: readonly Words[]): readonly Words[] {
  const at = line.findIndex(({ text, weight }) => weight === 'plain' && text.includes('. '));
  const { text = '' } = line[at] ?? {};
  return at < 0
    ? line
    : [...line.slice(0, at), { text: text.slice(0, text.indexOf('. ') + 1), weight: 'plain' }];
}

/** "Missing: ALTER ANY EVENT SESSION." */
function listMissing(obstacle: TrackingObstacle | null): readonly (readonly Words[])[] {
  const { missing } = obstacle ?? { missing: [] };
  return missing.length === 0 ? [] : [[{ text: t('Missing: {0}.', missing.join(', ')), weight: 'plain' }]];
}
