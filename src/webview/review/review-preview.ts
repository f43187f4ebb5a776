/** The scripts that would be opened, as tabs, and one of several of a kind by its title: folded to what a reader looks for, with the numbers of their lines. */
import type { ReviewPage } from '../../core/picture/review-page';
import type { PreviewPart, ScriptPreview } from '../../core/picture/script-preview';
import { createButton, createElement, setText } from '../elements';
import { TabList } from '../tab-list';
import { colourScript, type ScriptPiece } from './script-colours';

const TABS: readonly { readonly id: ScriptPreview['id']; readonly name: string }[] = [
  { id: 'switch', name: 'Switch' },
  { id: 'rollback', name: 'Rollback' },
  { id: 'record', name: 'Change record' },
];

const KINDS = { switch: 'change', rollback: 'rollback', record: null } as const;

export class ReviewPreview {
  readonly element: HTMLElement;
  private readonly choice: HTMLSelectElement;
  private readonly panels = new Map<ScriptPreview['id'], HTMLElement>();
  private readonly tabs: TabList<ScriptPreview['id']>;
  private readonly length: HTMLElement;
  private shown: ScriptPreview['id'] = 'switch';
  private page: ReviewPage | null = null;
  /** What each tab shows. */
  private readonly drawn = new Map<ScriptPreview['id'], ScriptPreview | undefined>();
  /** Which of several scripts a tab shows, by its place in the list of the page; absent: the first one. */
  private readonly chosen = new Map<ScriptPreview['id'], number>();

  /** @param onAsk for the preview of a script that did not come with the page */
  constructor(
    private readonly document: Document,
    private readonly onAsk: (script: number) => void,
  ) {
    for (const { id } of TABS) this.panels.set(id, createElement(document, 'div', { class: 'code', attributes: { tabindex: '0' } }));
    const tabs = TABS.map(({ id, name }) => ({ id, name, panel: this.panels.get(id)! }));
    this.tabs = new TabList(document, 'What would be opened', tabs, (id) => this.show(id));
    this.length = createElement(document, 'span', { class: 'dim num' });
    this.choice = createElement(document, 'select', { attributes: { 'aria-label': 'Which script to show', hidden: '' } });
    this.choice.addEventListener('change', () => this.choose(Number(this.choice.value)));
    const bar = createElement(document, 'div', { class: 'preview-bar', children: [this.tabs.element, this.choice, this.length] });
    this.element = createElement(document, 'section', {
      class: 'review-preview',
      attributes: { 'aria-label': 'Preview of the scripts' },
      children: [bar, ...this.panels.values()],
    });
    this.show('switch');
  }

  /** Another plan has other scripts: each tab begins with its first one. */
  update(page: ReviewPage, isCurrent: boolean): void {
    this.element.classList.toggle('stale', !isCurrent);
    if (page === this.page) return;
    this.page = page;
    this.chosen.clear();
    for (const { id } of TABS) this.draw(id, this.findFirst(id));
    this.show(this.shown);
  }

  /** The script that was asked for; another one may be chosen by now. */
  receive(script: number, preview: ScriptPreview): void {
    if (this.chosen.get(preview.id) !== script) return;
    this.draw(preview.id, preview);
    this.show(this.shown);
  }

  private choose(script: number): void {
    const id = this.shown;
    this.chosen.set(id, script);
    if (script === this.listScripts(id)[0]?.script) this.receive(script, this.findFirst(id)!);
    else this.onAsk(script);
  }

  private draw(id: ScriptPreview['id'], preview: ScriptPreview | undefined): void {
    const isDrawn = this.drawn.has(id) && JSON.stringify(this.drawn.get(id)) === JSON.stringify(preview);
    this.drawn.set(id, preview);
    if (!isDrawn) this.panels.get(id)!.replaceChildren(...(preview === undefined ? [this.createEmpty()] : this.createParts(preview)));
  }

  private show(id: ScriptPreview['id']): void {
    this.shown = id;
    this.tabs.show(id);
    const scripts = this.listScripts(id);
    this.choice.hidden = scripts.length < 2;
    this.choice.replaceChildren(
      ...scripts.map(({ script, title }) => createElement(this.document, 'option', { text: title, attributes: { value: String(script) } })),
    );
    if (scripts[0] !== undefined) this.choice.value = String(this.chosen.get(id) ?? scripts[0].script);
    setText(this.length, this.drawn.get(id)?.length ?? '');
  }

  private findFirst(id: ScriptPreview['id']): ScriptPreview | undefined {
    return this.page?.previews.find((one) => one.id === id);
  }

  private listScripts(id: ScriptPreview['id']): readonly { readonly script: number; readonly title: string }[] {
    return (this.page?.scripts ?? []).flatMap(({ title, kind }, script) => (kind === KINDS[id] ? [{ script, title }] : []));
  }

  private createEmpty(): HTMLElement {
    return createElement(this.document, 'p', { class: 'dim', text: 'Nothing would be opened: no database is ticked that can be changed.' });
  }

  private createParts({ id, parts }: ScriptPreview): readonly HTMLElement[] {
    const lines = parts.flatMap((part) => part.lines ?? []);
    const coloured = id === 'record' ? lines.map((text): readonly ScriptPiece[] => [{ kind: 'plain', text }]) : colourScript(lines);
    let next = 0;
    return parts.map((part) => {
      const own = part.lines === null ? [] : coloured.slice(next, (next += part.lines.length));
      return part.kind === 'fold' ? this.createFold(part, own) : this.createLines(part, own);
    });
  }

  private createLines({ kind, from }: PreviewPart, lines: readonly (readonly ScriptPiece[])[]): HTMLElement {
    const { document } = this;
    const children = lines.map((pieces, at) =>
      createElement(document, 'div', {
        attributes: { 'data-line': String(from + at) },
        children: pieces.map(({ kind: name, text }) => (name === 'plain' ? text : createElement(document, 'span', { class: name, text }))),
      }),
    );
    return createElement(document, 'div', { class: kind === 'change' ? 'lines change' : 'lines', children });
  }

  /** What is too long to be sent stays closed, and says so. */
  private createFold(part: PreviewPart, lines: readonly (readonly ScriptPiece[])[]): HTMLElement {
    const { document } = this;
    if (part.lines === null) return createElement(document, 'div', { class: 'fold dim', text: `⋯ ${part.words}: open it to read them` });
    const button = createButton(
      document,
      `⋯ ${part.words}`,
      () => {
        const opened = this.createLines(part, lines);
        opened.tabIndex = -1;
        button.replaceWith(opened);
        opened.focus({ preventScroll: true });
      },
      { class: 'fold link' },
    );
    return button;
  }
}
