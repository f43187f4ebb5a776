/** The scripts that would be opened, as tabs, with line numbers; parts that few readers need are folded. */
import type { PreviewPart, ScriptPreview } from '../../core/review/script-preview';
import { createButton, createElement, setText, wrap } from '../kit/elements';
import { TabList } from '../kit/tab-list';
import { t } from '../../core/language';

const TABS: readonly { readonly id: ScriptPreview['id']; readonly name: string }[] = [
  { id: 'switch', name: t('Switch') },
  { id: 'rollback', name: t('Rollback') },
  { id: 'record', name: t('Change record') },
];

export class ReviewPreview {
  readonly element: HTMLElement;
  private readonly panels = new Map<ScriptPreview['id'], HTMLElement>();
  private readonly tabs: TabList<ScriptPreview['id']>;
  private readonly length: HTMLElement;
  private shown: ScriptPreview['id'] = 'switch';
  private previews: readonly ScriptPreview[] | null = null;

  constructor() {
    for (const { id } of TABS) this.panels.set(id, createElement('div.code', { tabindex: '0' }));
    const tabs = TABS.map(({ id, name }) => ({ id, name, panel: this.panels.get(id)! }));
    this.tabs = new TabList(t('What would be opened'), tabs, (id) => this.show(id));
    this.length = createElement('span.dim.num');
    const bar = wrap('div.preview-bar', [this.tabs.element, this.length]);
    this.element = createElement('section.review-preview', {
      'aria-label': t('Preview of the scripts'),
      children: [bar, ...this.panels.values()],
    });
    this.show('switch');
  }

  update(previews: readonly ScriptPreview[]): void {
    if (previews === this.previews) return;
    const before = this.previews;
    this.previews = previews;
    for (const [id, panel] of this.panels) {
      const preview = previews.find((one) => one.id === id);
      if (before !== null && JSON.stringify(preview) === JSON.stringify(before.find((one) => one.id === id)))
        continue;
      panel.replaceChildren(...(preview === undefined ? [this.createEmpty()] : this.createParts(preview)));
    }
    this.show(this.shown);
  }

  private show(id: ScriptPreview['id']): void {
    this.shown = id;
    this.tabs.show(id);
    setText(this.length, this.previews?.find((one) => one.id === id)?.length ?? '');
  }

  private createEmpty(): HTMLElement {
    return createElement('p.dim', {
      text: t('No script to show. Tick a database that can be changed.'),
    });
  }

  private createParts({ id, parts }: ScriptPreview): readonly HTMLElement[] {
    const lines = parts.flatMap((part) => part.lines ?? []);
    const coloured =
      id === 'record'
        ? lines.map((text): readonly ScriptPiece[] => [{ kind: 'plain', text }])
        : colourScript(lines);
    let next = 0;
    return parts.map((part) => {
      const own = part.lines === null ? [] : coloured.slice(next, (next += part.lines.length));
      return part.kind === 'fold' ? this.createFold(part, own) : this.createLines(part, own);
    });
  }

  private createLines({ kind, from }: PreviewPart, lines: readonly (readonly ScriptPiece[])[]): HTMLElement {
    const children = lines.map((pieces, at) =>
      createElement('div', {
        'data-line': String(from + at),
        children: pieces.map(({ kind: name, text }) =>
          name === 'plain' ? text : createElement('span', { class: name, text }),
        ),
      }),
    );
    return createElement('div', { class: kind === 'change' ? 'lines change' : 'lines', children });
  }

  /** A part too long to be sent stays folded, and says so. */
  private createFold(part: PreviewPart, lines: readonly (readonly ScriptPiece[])[]): HTMLElement {
    if (part.lines === null)
      return createElement('div.fold.dim', {
        text: t('⋯ {0}: open the script to read them', part.words),
      });
    const button = createButton(
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

/** T-SQL in the editor's colours, as far as a preview needs them: comments, strings and keywords. */
interface ScriptPiece {
  readonly kind: 'plain' | 'comment' | 'string' | 'keyword';
  readonly text: string;
}

const KEYWORDS =
  'ALTER|AND|AS|BEGIN|BY|CASE|CATCH|CLOSE|CURSOR|DATABASE|DECLARE|DEFAULT|ELSE|END|EXEC|EXECUTE|EXISTS|FETCH|FROM|GO|IF|IN|INSERT|INTO|IS|JOIN|LOCAL|NEXT|NOT|NOWAIT|NULL|OFF|ON|OPEN|OR|ORDER|PRIMARY|KEY|PRINT|RAISERROR|RETURN|SELECT|SET|TABLE|THEN|TOP|TRY|UPDATE|VALUES|WAITFOR|WHEN|WHERE|WHILE|WITH';
const TOKEN = new RegExp(String.raw`(/\*)|(--.*)|(N?'(?:[^']|'')*'?)|\b(${KEYWORDS})\b`, 'i');

/** Each line in pieces that make up the line. A comment may span many lines. */
export function colourScript(lines: readonly string[]): readonly (readonly ScriptPiece[])[] {
  let isComment = false;
  return lines.map((line) => {
    const pieces: ScriptPiece[] = [];
    let rest = line;
    while (rest !== '') {
      const match = isComment ? null : TOKEN.exec(rest);
      if (!isComment && match === null) {
        pieces.push({ kind: 'plain', text: rest });
        break;
      }
      const before = match?.index ?? 0;
      if (before > 0) pieces.push({ kind: 'plain', text: rest.slice(0, before) });
      const opens = match?.[1] !== undefined;
      if (isComment || opens) {
        const end = rest.indexOf('*/', before + (opens ? 2 : 0));
        isComment = end < 0;
        const to = end < 0 ? rest.length : end + 2;
        pieces.push({ kind: 'comment', text: rest.slice(before, to) });
        rest = rest.slice(to);
      } else {
        const text = match?.[0] ?? '';
        pieces.push({
          kind: match?.[2] !== undefined ? 'comment' : match?.[3] !== undefined ? 'string' : 'keyword',
          text,
        });
        rest = rest.slice(before + text.length);
      }
    }
    return pieces;
  });
}
