/**
 * A button with a menu below it (WAI-ARIA): arrows, Home and End move, Enter and Space choose, Esc and Tab close. An
 * action closes, a choice does not.
 */
import { createButton, createElement, setText, wrap } from './elements';

export interface MenuItem {
  readonly id: string;
  readonly text: string;
  /** One of several, any of several, or an action. */
  readonly kind: 'radio' | 'checkbox' | 'action';
  readonly checked?: boolean;
}

export interface MenuGroup {
  /** What its items are about; shown above them if there are several groups. */
  readonly name: string;
  readonly items: readonly MenuItem[];
}

const ROLES = { radio: 'menuitemradio', checkbox: 'menuitemcheckbox', action: 'menuitem' } as const;

export class MenuButton {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
  private readonly menu: HTMLElement;
  private readonly label: HTMLElement;
  private shown = '';

  constructor(
    /** What the menu is about; the button also shows what is chosen. */
    name: string,
    private readonly onChoose: (id: string) => void,
  ) {
    this.label = createElement('span');
    this.button = createButton('', () => this.toggle(), {
      class: 'quiet',
      title: name,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    });
    const arrow = createElement('span.menu-arrow', { text: '▾', 'aria-hidden': 'true' });
    this.button.append(this.label, arrow);
    this.menu = createElement('div.menu', { role: 'menu', 'aria-label': name, hidden: '' });
    this.element = wrap('span.menu-button', [this.button, this.menu]);
    this.listen();
  }

  /** @param text on the button */
  update(text: string, groups: readonly MenuGroup[]): void {
    setText(this.label, text);
    const key = JSON.stringify(groups);
    if (key === this.shown) return;
    this.shown = key;
    const focused = this.items().findIndex((item) => item === document.activeElement);
    const isOne = groups.length === 1;
    this.menu.replaceChildren(...groups.map((group) => this.createGroup(group, isOne)));
    if (focused >= 0) this.focus(focused);
  }

  private createGroup({ name, items }: MenuGroup, isOnly: boolean): HTMLElement {
    const heading = isOnly ? null : createElement('div.menu-heading', { text: name, 'aria-hidden': 'true' });
    return createElement('div.menu-group', {
      role: 'group',
      'aria-label': name,
      children: [heading, ...items.map((item) => this.createItem(item))],
    });
  }

  private createItem({ id, text, kind, checked = false }: MenuItem): HTMLElement {
    const mark = createElement('span.menu-mark', {
      text: checked ? '✓' : '',
      'aria-hidden': 'true',
    });
    return createElement('div.menu-item', {
      role: ROLES[kind],
      tabindex: '-1',
      'data-id': id,
      'aria-checked': kind === 'action' ? null : String(checked),
      children: [kind === 'action' ? null : mark, createElement('span', { text })],
      onClick: () => this.choose(id, kind),
    });
  }

  private choose(id: string, kind: MenuItem['kind']): void {
    if (kind !== 'checkbox') this.close(true);
    this.onChoose(id);
  }

  private items(): readonly HTMLElement[] {
    return [...this.menu.querySelectorAll<HTMLElement>('.menu-item')];
  }

  private focus(at: number): void {
    const items = this.items();
    items[(at + items.length) % items.length]?.focus();
  }

  private toggle(): void {
    if (this.menu.hidden) this.open(0);
    else this.close(true);
  }

  private open(at: number): void {
    this.menu.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    const { left, bottom } = this.button.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const beyondPx = left + this.menu.offsetWidth + 8 - clientWidth;
    // In a low window its last items are scrolled to.
    this.menu.style.maxHeight = `${Math.max(80, clientHeight - bottom - 8)}px`;
    this.menu.style.left = `${beyondPx > 0 ? -Math.min(beyondPx, left) : 0}px`;
    this.focus(at);
  }

  private close(givesFocusBack: boolean): void {
    this.menu.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
    if (givesFocusBack) this.button.focus();
  }

  private listen(): void {
    this.button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      this.open(event.key === 'ArrowDown' ? 0 : -1);
    });
    this.menu.addEventListener('keydown', (event) => this.pressKey(event));
    // Its place is that of the window as it was.
    window.addEventListener('resize', () => !this.menu.hidden && this.close(true));
    // A click outside of the menu, or Tab.
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!this.menu.hidden && !this.element.contains(relatedTarget as Node | null)) this.close(false);
    });
  }

  private pressKey(event: KeyboardEvent): void {
    const now = this.items().findIndex((item) => item === document.activeElement);
    const targets = new Map(Object.entries({ ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }));
    // Focus goes back to the button, and Tab goes on from there.
    if (event.key === 'Tab') return this.close(true);
    if (event.key === 'Escape') this.close(true);
    else if (event.key === 'Enter' || event.key === ' ') this.items()[now]?.click();
    else if (targets.has(event.key)) this.focus(targets.get(event.key)!);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
