/** The marks of a chart as a list for keys and pointer: Tab reaches one, arrows, Home and End move, Enter and the space bar select. */
interface MarkEvents {
  /** What lies under the pointer or has the focus; null: nothing. */
  onRead(key: string | null): void;
  onSelect(key: string): void;
}

export class MarkList {
  private reachable: string | null = null;

  constructor(
    private readonly holder: HTMLElement,
    private readonly events: MarkEvents,
  ) {
    holder.addEventListener('focusin', (event) => this.reach(keyOf(event.target)));
    holder.addEventListener('focusout', () => events.onRead(null));
    holder.addEventListener('pointerover', (event) => events.onRead(keyOf(event.target) ?? this.focused()));
    holder.addEventListener('pointerleave', () => events.onRead(this.focused()));
    holder.addEventListener('click', (event) => this.choose(keyOf(event.target)));
    holder.addEventListener('keydown', (event) => this.press(event));
  }

  /** Puts a chart that was drawn again in place of the one before. The focus stays with its mark, or goes to the first one. */
  replace(chart: SVGElement): void {
    const focused = this.focused();
    this.holder.replaceChildren(chart);
    const marks = this.list();
    if (!marks.some((mark) => mark.dataset['key'] === this.reachable)) this.reachable = marks[0]?.dataset['key'] ?? null;
    this.showReachable();
    if (focused !== null) marks.find((mark) => mark.dataset['key'] === this.reachable)?.focus({ preventScroll: true });
  }

  select(keys: ReadonlySet<string>): void {
    for (const mark of this.list()) mark.setAttribute('aria-selected', String(keys.has(mark.dataset['key'] ?? '')));
  }

  private list(): readonly SVGElement[] {
    return [...this.holder.querySelectorAll<SVGElement>('[role=option]')];
  }

  private focused(): string | null {
    const active = this.holder.ownerDocument.activeElement;
    return active && this.holder.contains(active) ? keyOf(active) : null;
  }

  private reach(key: string | null): void {
    this.reachable = key;
    this.showReachable();
    this.events.onRead(key);
  }

  private showReachable(): void {
    for (const mark of this.list()) mark.tabIndex = mark.dataset['key'] === this.reachable ? 0 : -1;
  }

  private choose(key: string | null): void {
    if (key !== null) this.events.onSelect(key);
  }

  private press(event: KeyboardEvent): void {
    const marks = this.list();
    const at = marks.findIndex((mark) => mark === event.target);
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: marks.length - 1,
    };
    if (event.key === 'Enter' || event.key === ' ') this.choose(keyOf(event.target));
    else if (event.key in targets) marks[targets[event.key]!]?.focus();
    else return;
    event.preventDefault();
  }
}

const keyOf = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest<SVGElement>('[role=option]')?.dataset['key'] ?? null) : null;
