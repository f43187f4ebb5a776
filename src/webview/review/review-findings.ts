/**
 * The findings for and against the change, counted by kind in one line. Those to look at first stand below it as
 * sentences; the others need a click. Sources with an address are links.
 */
import type { Finding, Source } from '../../core/advice/finding';
import { formatCount } from '../../core/format';
import type { ReviewFinding } from '../../core/review/review-findings';
import type { ReviewPage } from '../../core/review/review-page';
import { createButton, createElement, wrap } from '../kit/elements';
import { t, endSentence } from '../../core/language';

type Kind = Finding['severity'] | 'unseen';

const KINDS: readonly {
  readonly kind: Kind;
  readonly mark: string;
  readonly words: string;
  /** Of one; absent: the same. */
  readonly one?: string;
}[] = [
  { kind: 'blocks', mark: '■', words: t('blocking') },
  { kind: 'look first', mark: '▲', words: t('look first') },
  { kind: 'inform', mark: '●', words: t('good to know') },
  {
    kind: 'unseen',
    mark: '○',
    words: t('checks skipped (no permission)'),
    one: t('check skipped (no permission)'),
  },
];
/** Of the findings to look at first, this many need no click. */
const FIRST = 3;

export class ReviewFindingsView {
  readonly element: HTMLElement;
  private readonly line: HTMLElement;
  private readonly list: HTMLElement;
  private readonly open = new Set<Kind>();
  private given: Pick<ReviewPage, 'findings' | 'unseen'> | null = null;
  private shown = '';

  constructor() {
    this.line = createElement('div.finding-counts');
    this.list = createElement('ul', { id: 'findings' });
    this.element = createElement('section.findings', {
      'aria-label': t('Before you change it'),
      children: [this.line, this.list],
    });
  }

  update({ findings, unseen }: Pick<ReviewPage, 'findings' | 'unseen'>): void {
    const text = JSON.stringify([findings, unseen]);
    if (text === this.shown) return;
    this.shown = text;
    this.given = { findings, unseen };
    this.line.replaceChildren(...KINDS.map((kind) => this.createCount(kind)));
    this.showList();
  }

  private createCount({ kind, mark, words, one = words }: (typeof KINDS)[number]): HTMLElement {
    const count = this.count(kind);
    const children = [
      this.createMark(mark, count > 0 ? kind : 'none'),
      createElement('b', { text: formatCount(count) }),
      ` ${count === 1 ? one : words}`,
    ];
    if (count <= (isFirst(kind) ? FIRST : 0)) return wrap('span.count', children);
    const button = createButton('', () => this.toggle(kind, button), {
      class: 'count link',
      'aria-expanded': String(this.open.has(kind)),
      'aria-controls': 'findings',
    });
    button.append(...children);
    return button;
  }

  private count(kind: Kind): number {
    if (this.given === null) return 0;
    return kind === 'unseen' ? this.given.unseen.length : this.given.findings.counts[kind];
  }

  private toggle(kind: Kind, button: HTMLElement): void {
    if (!this.open.delete(kind)) this.open.add(kind);
    button.setAttribute('aria-expanded', String(this.open.has(kind)));
    this.showList();
  }

  private showList(): void {
    if (this.given === null) return;
    const { findings, unseen } = this.given;
    const items = KINDS.flatMap(({ kind, mark }) => {
      const isOpen = this.open.has(kind);
      if (kind === 'unseen')
        return isOpen
          ? unseen.map((sentence) => this.createItem(kind, mark, t('Not observable'), [sentence]))
          : [];
      const own = findings.listed
        .filter(({ severity }) => severity === kind)
        .slice(0, isOpen ? undefined : isFirst(kind) ? FIRST : 0);
      return own.map((finding) => this.createFinding(finding, mark));
    });
    this.list.replaceChildren(...items);
    this.list.hidden = items.length === 0;
  }

  private createFinding(
    { rule, severity, about, sentence, remedy, sources }: ReviewFinding,
    mark: string,
  ): HTMLElement {
    const texts = [
      about === null ? sentence : `${about}: ${sentence}`,
      ...(remedy === null ? [] : [remedy]),
    ].map(endSentence);
    const element = this.createItem(severity, mark, null, [texts.join(' '), ...this.createSources(sources)]);
    element.dataset['rule'] = rule;
    return element;
  }

  private createItem(
    kind: Kind,
    mark: string,
    label: string | null,
    children: readonly (Node | string)[],
  ): HTMLElement {
    return createElement('li', {
      'data-severity': kind,
      children: [
        this.createMark(mark, kind),
        ...(label === null ? [] : [createElement('b', { text: `${label}: ` })]),
        ...children,
      ],
    });
  }

  private createMark(text: string, kind: Kind | 'none'): HTMLElement {
    return createElement('span.mark', { text, 'aria-hidden': 'true', 'data-kind': kind });
  }

  private createSources(sources: readonly Source[]): readonly (Node | string)[] {
    if (sources.length === 0) return [];
    const parts = sources.flatMap((source, at) => [...(at === 0 ? [] : [', ']), this.createSource(source)]);
    return [wrap('span.dim.sources', [` ${t('Source:')} `, ...parts])];
  }

  /** Only https addresses become links; any other text stays text. */
  private createSource({ title, url }: Source): HTMLElement {
    if (url === null || !/^https:\/\//.test(url)) return createElement('span', { text: title });
    return createElement('a', { text: title, href: url });
  }
}

const isFirst = (kind: Kind): boolean => kind === 'blocks' || kind === 'look first';
