import assert from 'node:assert/strict';
import { drawSvg, createSvg, writeSvg } from '../../../src/webview/charts/svg-tree';
import { cutText } from '../../../src/webview/charts/chart-texts';
import { createButton, createElement, setLabel, setText, setTitle } from '../../../src/webview/kit/elements';
import { listInvisible } from '../../core/invisible-characters';
import { unseenNames } from '../../core/script/hostile-names';

/** As much of an element as is written to here. */
class FakeElement {
  readonly attributes: Record<string, string> = {};
  readonly children: (FakeElement | string)[] = [];
  textContent = '';
  title = '';
  className = '';
  written = 0;

  setAttribute(name: string, value: string): void {
    this.written++;
    this.attributes[name] = value;
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }

  append(...children: readonly (FakeElement | string)[]): void {
    this.children.push(...children);
  }

  addEventListener(): void {}
}

const page = { createElement: () => new FakeElement(), createElementNS: () => new FakeElement() };
const read = (element: Element): FakeElement => element as unknown as FakeElement;

/** Everything that a reader or a screen reader gets of an element. */
function listShown(element: FakeElement): readonly string[] {
  const own = [element.textContent, element.title, element.attributes['aria-label'] ?? ''];
  return [
    ...own,
    ...element.children.flatMap((child) => (typeof child === 'string' ? [child] : listShown(child))),
  ].filter((text) => text !== '');
}

function givePage(): void {
  before(() => Object.assign(globalThis, { document: page }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));
}

describe('An element of a page, whatever the names are', () => {
  givePage();

  it('shows nothing that cannot be seen: text, title, texts among children and label', () => {
    for (const strange of unseenNames) {
      const element = createElement('div', {
        title: strange,
        'aria-label': strange,
        children: [strange, createButton(strange, () => undefined)],
      });
      setText(read(element).children[1] as unknown as Element, `${strange}!`);
      const shown = listShown(read(element));
      assert.equal(shown.length, 4);
      for (const text of shown) assert.ok(listInvisible(text).length === 0 && text.includes('<U+'), text);
    }
  });

  it('keeps values, ids and data exact: what is told to the extension and kept by the page is the name itself', () => {
    const { attributes } = read(
      createElement('option', { value: 'a\u202Eb', 'data-key': 'a\u200Bb', id: null }),
    );
    assert.deepEqual(attributes, { value: 'a\u202Eb', 'data-key': 'a\u200Bb' });
  });

  it('is written to only where its text is another one, so that selections and screen readers are left alone', () => {
    const element = new FakeElement();
    for (let times = 0; times < 2; times++) {
      setText(element as unknown as Element, 'a\u202Eb');
      setTitle(element as unknown as HTMLElement, 'a\u202Eb');
      setLabel(element as unknown as Element, 'a\u202Eb');
    }
    assert.deepEqual(
      [element.textContent, element.title, element.attributes['aria-label'], element.written],
      ['a<U+202E>b', 'a<U+202E>b', 'a<U+202E>b', 1],
    );
  });
});

describe('A chart, whatever the names are', () => {
  givePage();

  it('shows nothing that cannot be seen, on the page and in its file, and keeps its keys', () => {
    for (const strange of unseenNames) {
      const tree = createSvg('svg', {}, [
        createSvg('g', { 'aria-label': strange, 'data-key': strange }, [createSvg('text', {}, strange)]),
      ]);
      const drawn = read(drawSvg(tree));
      const shown = listShown(drawn);
      assert.equal(shown.length, 2);
      for (const text of shown) assert.ok(listInvisible(text).length === 0 && text.includes('<U+'), text);
      assert.equal((drawn.children[0] as FakeElement).attributes['data-key'], strange);
      assert.deepEqual(listInvisible(writeSvg(tree).replace(/\n/g, '')), []);
    }
  });

  it('measures a name as it is read, cuts it in its middle, and halves no emoji', () => {
    const measure = { sizePx: 12, widthPx: (text: string) => [...text].length };
    assert.equal(cutText('a\u202Eb', 10, measure), 'a<U+202E>b');
    assert.equal(cutText('a\u202Eb', 9, measure), 'a<U+…2E>b');
    assert.equal(cutText('👩\u200D💻 of mine', 5, measure), '👩\u200D💻…e');
  });
});
