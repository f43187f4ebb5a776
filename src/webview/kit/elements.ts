/**
 * Builds elements without markup. Names of databases are data: they only ever become text, and invisible characters in
 * them are made visible.
 */
import { isRightToLeft, listSigns, makeVisible } from '../../core/visible';

type Child = Node | string | null;

/** Names of attributes; others begin with `aria-` or `data-`. */
type Attribute =
  | ('autocomplete' | 'colspan' | 'for' | 'hidden' | 'href' | 'id' | 'inputmode' | 'max' | 'min' | 'name')
  | ('novalidate' | 'placeholder' | 'role' | 'scope' | 'spellcheck' | 'tabindex' | 'type' | 'value')
  | `${'aria' | 'data'}-${string}`;

/** Beside the content, attributes by name; null leaves one out. */
interface ElementSpec extends Readonly<Partial<Record<Attribute, string | null>>> {
  /** Behind those that stand at the tag. */
  readonly class?: string;
  /** Texts that are read (text, title, texts among children, labels) are made visible; other attributes stay exact. */
  readonly text?: string;
  readonly title?: string;
  readonly children?: readonly Child[];
  readonly onClick?: () => void;
}

type Tag = keyof HTMLElementTagNameMap;
/** A tag with its classes behind it: `div.title.details`. */
type Selector = Tag | `${Tag}.${string}`;
type TagOf<S extends Selector> = S extends `${infer T extends Tag}.${string}` ? T : S & Tag;

export function createElement<S extends Selector>(
  selector: S,
  { class: others, text, title, children = [], onClick, ...attributes }: ElementSpec = {},
): HTMLElementTagNameMap[TagOf<S>] {
  const [tag, ...own] = selector.split('.') as [TagOf<S>, ...string[]];
  const element = document.createElement(tag);
  const classes = others === undefined ? own : [...own, others];
  if (classes.length > 0) element.className = classes.join(' ');
  if (text !== undefined) setText(element, text);
  if (title !== undefined) setTitle(element, title);
  for (const [name, value] of Object.entries(attributes))
    if (name === 'aria-label' && typeof value === 'string') setLabel(element, value);
    else if (typeof value === 'string') element.setAttribute(name, value);
  const shown = children.filter((child) => child !== null);
  element.append(...shown.map((child) => (typeof child === 'string' ? makeVisible(child) : child)));
  if (onClick) element.addEventListener('click', onClick);
  return element;
}

/** An element around others. */
export const wrap = (selector: Selector, children: readonly Child[]): HTMLElement =>
  createElement(selector, { children });

interface Place {
  readonly leftPx?: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A button with a visible name. */
export function createButton(text: string, onClick: () => void, spec: ElementSpec = {}): HTMLButtonElement {
  return createElement('button', { type: 'button', ...spec, text, onClick });
}

/** Screen readers announce its text when it changes. */
export const createLiveRegion = (): HTMLElement =>
  createElement('div.visually-hidden', { 'aria-live': 'polite', role: 'status' });

export type Pair = readonly [term: string, value: string];

export const createPairs = (pairs: readonly Pair[]): readonly HTMLElement[] =>
  pairs.flatMap(([term, value]) => [
    createElement('dt', { text: term }),
    createElement('dd', { text: value }),
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
export const createClose = (name: string, title: string, onClick: () => void): HTMLButtonElement =>
  createButton('✕', onClick, { class: 'quiet', title, 'aria-label': name });

/** A button that looks like a link, and opens a dialog. */
export const createDialogLink = (text: string, onClick: () => void): HTMLButtonElement =>
  createButton(text, onClick, { class: 'link', 'aria-haspopup': 'dialog' });

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
  element.replaceChildren(...parts.map((part) => createElement('span', { text: part.join('') })));
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
  document.addEventListener('pointerdown', press, { capture: true });
}

/** Like `setText`, for the text shown on hover. */
export function setTitle(element: HTMLElement, text: string): void {
  const shown = makeVisible(text);
  if (element.title !== shown) element.title = shown;
}
