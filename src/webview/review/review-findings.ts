/** What stands for or against the change on this server, and what could not be asked. Sources are links where they have an address. */
import type { Finding, Source } from '../../core/advice/finding';
import { nameSeverity, type ReviewPage } from '../../core/picture/review-page';
import { createElement } from '../elements';

export class ReviewFindings {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private shown = '';

  constructor(private readonly document: Document) {
    this.list = createElement(document, 'ul');
    this.element = createElement(document, 'section', {
      class: 'findings',
      attributes: { 'aria-label': 'Before you change it', hidden: '' },
      children: [createElement(document, 'h2', { text: 'Before you change it' }), this.list],
    });
  }

  update({ findings, unseen }: Pick<ReviewPage, 'findings' | 'unseen'>): void {
    const text = JSON.stringify([findings, unseen]);
    if (text === this.shown) return;
    this.shown = text;
    this.element.hidden = findings.length + unseen.length === 0;
    this.list.replaceChildren(
      ...findings.map((finding) => this.createFinding(finding)),
      ...unseen.map((sentence) => this.createUnseen(sentence)),
    );
  }

  private createFinding({ rule, severity, sentence, remedy, sources }: Finding): HTMLElement {
    const { document } = this;
    return createElement(document, 'li', {
      attributes: { 'data-rule': rule, 'data-severity': severity },
      children: [
        createElement(document, 'b', { text: `${nameSeverity(severity)}: ` }),
        createElement(document, 'span', { text: sentence }),
        ...(remedy === null ? [] : [createElement(document, 'span', { text: ` ${remedy}` })]),
        ...(sources.length === 0 ? [] : [this.createSources(sources)]),
      ],
    });
  }

  private createSources(sources: readonly Source[]): HTMLElement {
    const parts = sources.flatMap((source, at) => [...(at === 0 ? [] : [', ']), this.createSource(source)]);
    return createElement(this.document, 'div', { class: 'dim sources', children: ['Source: ', ...parts] });
  }

  /** Only addresses of the web become links: a text of ours is no reason to follow anything else. */
  private createSource({ title, url }: Source): HTMLElement {
    if (url === null || !/^https:\/\//.test(url)) return createElement(this.document, 'span', { text: title });
    return createElement(this.document, 'a', { text: title, attributes: { href: url } });
  }

  private createUnseen(sentence: string): HTMLElement {
    return createElement(this.document, 'li', {
      attributes: { 'data-severity': 'unseen' },
      children: [createElement(this.document, 'b', { text: 'Not observable: ' }), createElement(this.document, 'span', { text: sentence })],
    });
  }
}
