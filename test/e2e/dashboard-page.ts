/** The dashboard in the real editor as a reader knows it: what is in view, selected, measured, said and focused. Nothing is read that is not on the page. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Locator } from 'playwright-core';
import { eventually } from './eventually';
import type { Host } from './host';

export type PageName = 'Timeline' | 'Databases' | 'Before / after' | 'I/O' | 'Error log';
export const PAGE_NAMES: readonly PageName[] = ['Timeline', 'Databases', 'Before / after', 'I/O', 'Error log'];

/** The time in view as the bar above the page writes it, on whatever clock: to the second where it is shorter than ten minutes. */
interface TimeInView {
  readonly beginMs: number;
  readonly endMs: number;
}

const TIME = /^(\d{4}-\d\d-\d\d) ([\d:.]+) – (?:(\d{4}-\d\d-\d\d) )?([\d:.]+)$/;

/** @throws AssertionError where it is no time as the page writes it */
function readTimeInView(text: string): TimeInView {
  const [, day = '', begin = '', otherDay = day, end = ''] = TIME.exec(text) ?? assert.fail(`no time in view: ${JSON.stringify(text)}`);
  return { beginMs: Date.parse(`${day}T${begin}Z`), endMs: Date.parse(`${otherDay}T${end}Z`) };
}

export class DashboardPage {
  constructor(
    readonly host: Host,
    /** Where more than one is on screen: which. */
    private readonly frame: () => FrameLocator = () => host.webview(),
  ) {}

  get(selector: string): Locator {
    return this.frame().locator(selector);
  }

  /** What is on the page that is shown. */
  panel(): Locator {
    return this.frame().getByRole('tabpanel').filter({ visible: true });
  }

  button(name: string | RegExp): Locator {
    return this.frame().getByRole('button', { name });
  }

  async show(page: PageName): Promise<void> {
    const tab = this.frame().getByRole('tab', { name: page, exact: true });
    await tab.click();
    await this.get(`[role=tab][aria-selected=true]`).filter({ hasText: page }).waitFor();
  }

  async pageShown(): Promise<string> {
    return (await this.get('[role=tab][aria-selected=true]').textContent()) ?? '';
  }

  async timeText(): Promise<string> {
    return (await this.get('.toolbar .group .num').first().textContent()) ?? '';
  }

  /** Name of the lane that is selected; null: none is in sight. */
  async selectedLane(): Promise<string | null> {
    const names = await this.get('.lane-name.selected').allTextContents();
    return names[0] ?? null;
  }

  /** Names of the lanes in sight, from the top. */
  laneNames(): Promise<string[]> {
    return this.get('.lane-name').evaluateAll((names) =>
      names
        .map((name) => ({ text: name.textContent ?? '', top: name.getBoundingClientRect().top }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
  }

  measureCard(): Locator {
    return this.get('.measure-card');
  }

  /** Exact moments of what is measured, and how many lanes and checkpoints the card tells of. */
  async measured(): Promise<TimeInView & { readonly lanes: number; readonly checkpoints: string }> {
    const card = this.measureCard();
    await card.locator('dd').first().waitFor();
    const edges = await this.get('.measure-handle').evaluateAll((handles) =>
      handles.map((handle) => Number(handle.getAttribute('aria-valuenow'))),
    );
    const lanes = Number(/^(\d+) lanes?,/.exec((await card.locator('strong').textContent()) ?? '')?.[1]);
    return { beginMs: edges[0]!, endMs: edges[1]!, lanes, checkpoints: (await card.locator('dd').first().textContent()) ?? '' };
  }

  async focusLanes(): Promise<void> {
    await this.get('.lanes').focus();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.host.page.keyboard.press(key);
  }

  /** Takes something of a menu of the bar above the page. @param menu title of its button */
  async takeFromMenu(menu: string, id: string): Promise<void> {
    await this.get(`.toolbar button[title="${menu}"]`).click();
    const item = this.get(`.menu:visible [data-id="${id}"]`);
    // A choice of several leaves the menu open; any other closes it, and then there is no item to ask.
    const staysOpen = (await item.getAttribute('role')) === 'menuitemcheckbox';
    await item.click();
    if (staysOpen) await this.press('Escape');
  }

  /** What of a menu is chosen. */
  async chosenIn(menu: string): Promise<readonly string[]> {
    await this.get(`.toolbar button[title="${menu}"]`).click();
    const chosen = await this.get('.menu:visible [aria-checked=true]').evaluateAll((items) =>
      items.map((item) => item.getAttribute('data-id') ?? ''),
    );
    await this.press('Escape');
    return chosen;
  }

  /** Some time in the midst, with nothing selected, measured, filtered or hovered, and the focus on the lanes. Gives what is in view then. */
  async beginInTheMidst(): Promise<TimeInView> {
    const { page } = this.host;
    const filter = this.get('input[type=search]');
    if ((await filter.inputValue()) !== '') await filter.fill('');
    const title = await boxOf(this.get('h1'));
    await page.mouse.move(title.x + 2, title.y + 2);
    await this.get('.lanes').evaluate((lanes) => (lanes.scrollTop = 0));
    await this.focusLanes();
    await this.press('Escape', 'Escape', 'Escape', 'Escape', 'f');
    await eventually(async () => assert.equal(await this.get('.zoom [aria-disabled=true]').count(), 1, 'all is in view'));
    const whole = await this.timeText();
    await this.press('w', 'w', 'w', 'w');
    await eventually(async () => assert.notEqual(await this.timeText(), whole));
    return this.standing();
  }

  /** The time in view once it stays the same for some frames. */
  async standing(): Promise<TimeInView> {
    for (let before = '', now = await this.timeText(); ; [before, now] = [now, await this.timeText()]) {
      if (before === now) return readTimeInView(now);
      await sleep(120);
    }
  }
}

async function boxOf(
  locator: Locator,
): Promise<{ readonly x: number; readonly y: number; readonly width: number; readonly height: number }> {
  return (await locator.boundingBox()) ?? assert.fail('it is not on the page');
}
