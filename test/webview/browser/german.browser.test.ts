import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_IDS } from '../../../src/webview/model/view-state';
import { FAKE_CHECKPOINTS } from '../fake-capture';
import type * as fakeSent from '../fake-sent';
import { createEnglishFinder, inLanguage, listTexts, readTexts } from '../in-language';
import { findOverlaps } from '../../pictures/overlaps';
import { describePages, type OpenedPage, type PageOptions } from '../page';
import { pointAt, pressKeys } from '../timeline-on-page';

const ignore = (): void => undefined;
/** A large window, what VS Code leaves to the page in one of 1280 by 720, and a narrow pane. */
const SIZES = [
  [1440, 900],
  [932, 628],
  [560, 900],
] as const;
const folder = join(__dirname, '..', '..', '..', 'artifacts', 'screenshots', 'german');

const texts = readTexts('de') ?? {};
/** Not before German is shipped: a language that is half there is not. */
const isShipped = Object.keys(texts).length > 0;

(isShipped ? describePages : ignore)('The pages in German', (openPage) => {
  let sent: typeof fakeSent;
  let findEnglish: ReturnType<typeof createEnglishFinder>;

  before(() => {
    mkdirSync(folder, { recursive: true });
    /* oxlint-disable-next-line typescript/no-require-imports -- loaded again in German */
    sent = inLanguage(texts, () => require('../fake-sent') as typeof fakeSent);
    findEnglish = createEnglishFinder(texts);
  });

  const open = (options: PageOptions): Promise<OpenedPage> => openPage({ height: 900, ...options, texts });

  async function look(name: string, options: PageOptions): Promise<void> {
    const english = new Set<string>();
    for (const [width, height] of SIZES) {
      const opened = await open({ ...options, width, height });
      await opened.page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: width < 860 });
      for (const text of findEnglish(await listTexts(opened))) english.add(text);
      assert.equal(await opened.widthPx(), width, 'nothing scrolls the page sideways');
      assert.deepEqual(await findOverlaps(opened), [], 'nothing lies over anything');
    }
    assert.deepEqual([...english], [], 'still in English');
  }

  it('are held to a measure that finds English texts', async () => {
    assert.ok(findEnglish(await listTexts(await openPage())).length > 50);
  });

  for (const page of PAGE_IDS)
    it(`say everything in German where the page was given German: ${page}`, () =>
      look(page, { messages: sent.SENT_TO_DASHBOARD, state: { page, selectedDatabaseId: 8 } }));

  it('say everything in German where the page was given German: what opens over the timeline', async () => {
    const opened = await open({ messages: sent.SENT_TO_DASHBOARD, state: { selectedDatabaseId: 8 } });
    const english = new Set<string>();
    const check = async (name: string): Promise<void> => {
      await opened.page.screenshot({ path: join(folder, `${name}.png`) });
      for (const text of findEnglish(await listTexts(opened))) english.add(text);
    };
    await pointAt(opened, FAKE_CHECKPOINTS.find(({ database }) => database === 0)!.beginUtcMs, 0);
    await check('card');
    await pressKeys(opened, 'm', ...Array<string>(12).fill('ArrowRight'), 'ArrowDown', 'Enter');
    await check('measure');
    await pressKeys(opened, 'l');
    await check('checkpoints');
    await opened.press('Escape', '?');
    await check('keys');
    assert.deepEqual([...english], [], 'still in English');
  });

  it('say everything in German where the page was given German: the review of a switch', () =>
    look('review', { entry: 'review', messages: sent.SENT_TO_REVIEW }));

  it('say everything in German where the page was given German: an error log without a server', () =>
    look('error-log', { entry: 'errorLog', messages: sent.SENT_TO_ERROR_LOG }));
});
