/**
 * Builds elements without markup. Names of databases are data: they only ever become text, and invisible characters in
 * them are made visible.
 */
import { isRightToLeft, listSigns, makeVisible } from '../../core/visible';

type Child = Node | string | null;

interface ElementSpec {
  readonly class?: string;
  /** Texts that are read (text, title, texts among children, labels) are made visible; other attributes stay exact. */
  readonly text?: string;
  readonly title?: string;
  /** Attributes by name; null leaves one out. */
  readonly attributes?: Readonly<Record<string, string | null>>;
  readonly children?: readonly Child[];
  readonly onClick?: () => void;
}

export function createElement<K extends Tag>(
  document: Document,
  tag: K,
  spec: ElementSpec = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (spec.class !== undefined) element.className = spec.class;
  if (spec.text !== undefined) setText(element, spec.text);
  if (spec.title !== undefined) setTitle(element, spec.title);
  for (const [name, value] of Object.entries(spec.attributes ?? {}))
    if (name === 'aria-label' && value !== null) setLabel(element, value);
    else if (value !== null) element.setAttribute(name, value);
  const children = (spec.children ?? []).filter((child): child is Node | string => child !== null);
  element.append(...children.map((child) => (typeof child === 'string' ? makeVisible(child) : child)));
  if (spec.onClick) element.addEventListener('click', spec.onClick);
  return element;
}

type Tag = keyof HTMLElementTagNameMap;

/** An element around others, with its classes behind its tag: `div.title.details`. */
export function wrap(
  document: Document,
  selector: Tag | `${Tag}.${string}`,
  children: readonly Child[],
): HTMLElement {
  const [tag, ...classes] = selector.split('.') as [Tag, ...string[]];
  return createElement(document, tag, { ...(classes.length > 0 && { class: classes.join(' ') }), children });
}

interface Place {
  readonly leftPx?: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A button with a visible name. */
export function createButton(
  document: Document,
  text: string,
  onClick: () => void,
  spec: ElementSpec = {},
): HTMLButtonElement {
  return createElement(document, 'button', {
    ...spec,
    text,
    onClick,
    attributes: { type: 'button', ...spec.attributes },
  });
}

/** Screen readers announce its text when it changes. */
export const createLiveRegion = (document: Document): HTMLElement =>
  createElement(document, 'div', {
    class: 'visually-hidden',
    attributes: { 'aria-live': 'polite', role: 'status' },
  });

export type Pair = readonly [term: string, value: string];

export const createPairs = (document: Document, pairs: readonly Pair[]): readonly HTMLElement[] =>
  pairs.flatMap(([term, value]) => [
    createElement(document, 'dt', { text: term }),
    createElement(document, 'dd', { text: value }),
  ]);

/** Gives a canvas its size in device pixels; clears it only if the size changes. */
export function sizeCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  pixelRatio: number,
): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${width / pixelRatio}px`;
  canvas.style.height = `${height / pixelRatio}px`;
}

/** A button that closes something. */
export const createClose = (
  document: Document,
  name: string,
  title: string,
  onClick: () => void,
): HTMLButtonElement =>
  createButton(document, '✕', onClick, { class: 'quiet', title, attributes: { 'aria-label': name } });

/** A button that looks like a link, and opens a dialog. */
export const createDialogLink = (document: Document, text: string, onClick: () => void): HTMLButtonElement =>
  createButton(document, text, onClick, { class: 'link', attributes: { 'aria-haspopup': 'dialog' } });

/** Places an element, in CSS pixels. */
export function placeElement(element: HTMLElement, { leftPx = 0, topPx, widthPx, heightPx }: Place): void {
  element.style.transform = `translate(${leftPx}px, ${topPx}px)`;
  element.style.width = `${widthPx}px`;
  element.style.height = `${heightPx}px`;
}

/** Sets text only if it differs, so that selections and screen readers are left alone. */
export function setText(element: Element, text: string): void {
  const shown = makeVisible(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/** Signs of a long name that stay in sight at its end, since names often begin alike. */
const END_SIGNS = 10;

/** Like `setText`, for a name: with the class `name` it is cut in its middle where it has no room. */
export function setName(element: Element, name: string): void {
  const shown = makeVisible(name);
  if (element.textContent === shown) return;
  const signs = listSigns(shown);
  element.classList.add('name');
  // In two parts, one from right to left would have them in the wrong order.
  if (signs.length <= 2 * END_SIGNS || isRightToLeft(shown)) return setText(element, name);
  const parts = [signs.slice(0, -END_SIGNS), signs.slice(-END_SIGNS)];
  element.replaceChildren(
    ...parts.map((part) => createElement(element.ownerDocument, 'span', { text: part.join('') })),
  );
}

/** Like `setText`, and hides the element if there is nothing to say. */
export function showText(element: HTMLElement, text: string | null): void {
  setText(element, text ?? '');
  element.hidden = text === null || text === '';
}

/** Like `setText`, for the name that a screen reader says. */
export function setLabel(element: Element, text: string): void {
  const shown = makeVisible(text);
  if (element.getAttribute('aria-label') !== shown) element.setAttribute('aria-label', shown);
}

/** Calls back when the pointer has left. A lifted finger stays where it was, until the next press elsewhere. */
export function listenToLeave(element: HTMLElement, onLeave: () => void): void {
  element.addEventListener('pointerleave', ({ pointerType }) => pointerType !== 'touch' && onLeave());
  const press = ({ target }: Event): unknown => element.contains(target as Node) || onLeave();
  element.ownerDocument.addEventListener('pointerdown', press, { capture: true });
}

/** Like `setText`, for the text shown on hover. */
export function setTitle(element: HTMLElement, text: string): void {
  const shown = makeVisible(text);
  if (element.title !== shown) element.title = shown;
}
