/** The tabs over the pages (WAI-ARIA, tabs): one stop for Tab; arrows, Home and End move and show the page at once. */
import { createButton, createElement } from './elements';

export interface TabSpec<Id extends string> {
  readonly id: Id;
  readonly name: string;
  /** What the tab shows; becomes its panel. */
  readonly panel: HTMLElement;
}

export class TabList<Id extends string> {
  readonly element: HTMLElement;
  private readonly buttons = new Map<Id, HTMLButtonElement>();

  constructor(
    label: string,
    private readonly tabs: readonly TabSpec<Id>[],
    private readonly onShow: (id: Id) => void,
  ) {
    for (const { id, name, panel } of tabs) {
      this.buttons.set(
        id,
        createTab(id, name, () => onShow(id)),
      );
      panel.id = panelIdOf(id);
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', tabIdOf(id));
    }
    this.element = createElement('div.tabs', {
      role: 'tablist',
      'aria-label': label,
      children: [...this.buttons.values()],
    });
    this.element.addEventListener('keydown', (event) => this.move(event));
  }

  show(shown: Id): void {
    for (const { id, panel } of this.tabs) {
      const isShown = id === shown;
      const button = this.buttons.get(id)!;
      button.setAttribute('aria-selected', String(isShown));
      button.tabIndex = isShown ? 0 : -1;
      panel.hidden = !isShown;
    }
  }

  private move(event: KeyboardEvent): void {
    const count = this.tabs.length;
    const now = [...this.buttons.values()].findIndex((button) => button === event.target);
    const targets = new Map(
      Object.entries({
        ArrowRight: (now + 1) % count,
        ArrowLeft: (now + count - 1) % count,
        Home: 0,
        End: count - 1,
      }),
    );
    const target =
      now < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey
        ? undefined
        : targets.get(event.key);
    const tab = target === undefined ? undefined : this.tabs[target];
    if (!tab) return;
    event.preventDefault();
    this.onShow(tab.id);
    this.buttons.get(tab.id)!.focus();
  }
}

const tabIdOf = (id: string): string => `tab-${id}`;
const panelIdOf = (id: string): string => `panel-${id}`;

function createTab(id: string, name: string, onClick: () => void): HTMLButtonElement {
  return createButton(name, onClick, {
    class: 'tab',
    role: 'tab',
    id: tabIdOf(id),
    'aria-controls': panelIdOf(id),
  });
}
