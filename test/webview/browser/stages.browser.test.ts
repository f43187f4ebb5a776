import assert from 'node:assert/strict';
import type { TimeMark } from '../../../src/core/timeline/time-marks';
import type { ToWebview } from '../../../src/protocol';
import {
  columnsMessage,
  END_UTC_MS,
  FAKE_CHECKPOINTS,
  FAKE_SERVER,
  fakeDatabases,
  fakeMessages,
  fakeTracking,
} from '../fake-capture';
import { FAKE_MARKS, FAKE_SAMPLES } from '../fake-samples';
import { fakeEvidence } from '../fake-evidence';
import { fakeReview } from '../fake-review';
import { PAGE_IDS } from '../../../src/webview/model/view-state';
import { describePages, type OpenedPage } from '../page';

const MARK: TimeMark = {
  kind: 'backup',
  beginUtcMs: END_UTC_MS - 600_000,
  endUtcMs: END_UTC_MS - 300_000,
  database: null,
  databaseId: null,
  text: 'A full backup.',
};

const tracking = (
  part: Parameters<typeof fakeTracking>[1],
  checkpoints = FAKE_CHECKPOINTS.length,
): ToWebview => ({
  type: 'tracking',
  tracking: fakeTracking(checkpoints, part),
});

/** What comes one after the other where a window is opened that an earlier one kept a capture for. */
const STAGES: readonly (readonly [string, readonly ToWebview[]])[] = [
  [
    'what was kept',
    [
      {
        type: 'server',
        server: { ...FAKE_SERVER, description: '', automatic: 0, databases: 0, instance: null },
      },
      tracking({
        state: 'stopped',
        unverified: { toUtcMs: END_UTC_MS, utcOffsetMinutes: 60 },
        lostEvents: null,
        lostBuffers: null,
      }),
      { type: 'databases', captureId: 'capture-1', databases: fakeDatabases(400, 45) },
      columnsMessage(FAKE_CHECKPOINTS),
    ],
  ],
  [
    'its server, before it was judged',
    [{ type: 'server', server: { ...FAKE_SERVER, instance: null } }, tracking({})],
  ],
  ['what is being read', [tracking({ reading: { events: 67_784, isPaused: false } })]],
  ['checkpoints on their way', [tracking({}, FAKE_CHECKPOINTS.length + 50_000)]],
  ['the verdict', [{ type: 'server', server: FAKE_SERVER }, tracking({})]],
  ['marks', [{ type: 'marks', marks: [MARK], older: [], undated: 0 }]],
];

describePages('A dashboard whose parts arrive one after the other', (open) => {
  for (const [width, height] of [
    [1280, 900],
    [1600, 1000],
  ] as const)
    it(`keeps the same lanes in sight, in the same place, ${width} by ${height}`, async () => {
      const opened = await open({ messages: [], width, height });
      const seen: (readonly [string, Sight])[] = [];
      for (const [stage, messages] of STAGES) {
        await opened.send(...messages);
        seen.push([stage, await measure(opened)]);
      }
      const [, first] = seen[0] ?? assert.fail();
      assert.ok(first.lanes > 5);
      for (const [stage, { top, lanes }] of seen) {
        assert.equal(lanes, first.lanes, `${stage}: lanes in sight, ${JSON.stringify(seen)}`);
        assert.ok(Math.abs(top - first.top) <= 1, `${stage}: top of the lanes, ${JSON.stringify(seen)}`);
      }
    });

  // What VS Code leaves to the page beside its pane, in windows of 1280 by 720 and of 1440 by 900.
  for (const [width, height, rows] of [
    [932, 628, 5],
    [1092, 808, 7],
  ] as const)
    it(`has 250 pixels of whole lanes and ${rows} whole rows of the table, and cuts nothing, ${width} by ${height}`, async () => {
      const long = (index: number): string =>
        `Archive of the ${index}th customer, kept until the year of the audit`;
      const databases = fakeDatabases(400, 45).map((one, index) =>
        index % 5 === 0 ? { ...one, name: long(index) } : one,
      );
      const messages = [...fakeMessages(databases), FAKE_SAMPLES, FAKE_MARKS];
      for (const selectedDatabaseId of [null, 8]) {
        const opened = await open({ messages, width, height, state: { selectedDatabaseId } });
        const seen = await opened.page.evaluate(() => {
          const isWhole = (element: Element): boolean =>
            element.getBoundingClientRect().bottom <= innerHeight;
          const cut = [
            ...document.querySelectorAll<HTMLElement>(
              'header *, .toolbar *, .databases-scroll, .page, aside *',
            ),
          ].filter(
            ({ clientWidth, scrollWidth, className }) =>
              clientWidth > 0 && scrollWidth > clientWidth && className !== 'visually-hidden',
          );
          return {
            rows: [...document.querySelectorAll('.picture tbody tr')].filter(isWhole).length,
            lanes: document.querySelector('.lanes')!.clientHeight,
            cut: cut.map(
              ({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} in ${clientWidth}`,
            ),
            advice: [...document.querySelectorAll('aside button')].every(isWhole),
          };
        });
        assert.ok(seen.rows >= rows, `${seen.rows} rows`);
        assert.ok(seen.lanes >= 250 && seen.lanes % 20 === 0, `lanes of ${seen.lanes} pixels`);
        assert.deepEqual([seen.cut, seen.advice, await opened.widthPx()], [[], true, width]);
      }
    });

  for (const [width, height] of [
    [932, 628],
    [1092, 808],
  ] as const)
    it(`scrolls no page sideways, ${width} by ${height}`, async () => {
      const messages = [
        ...fakeMessages(),
        FAKE_SAMPLES,
        { type: 'evidence', evidence: fakeEvidence() } as const,
      ];
      for (const page of PAGE_IDS) {
        const opened = await open({ messages, width, height, state: { page } });
        const cut = await opened.page
          .locator('.page')
          .evaluateAll((pages) =>
            pages.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth).filter((px) => px > 0),
          );
        assert.deepEqual(cut, [], page);
      }
      const opened = await open({ entry: 'review', width, height, messages: fakeReview() });
      await opened.page
        .locator('h1')
        .evaluate((name) => (name.textContent = 'Review scripts — a server with a name of some length'));
      assert.equal(await opened.widthPx(), width);
    });

  it('says what is kept as of when it is, and that a verdict is still to come', async () => {
    const opened = await open({ messages: STAGES[0]![1] });
    assert.match(
      (await opened.page.locator('.status').innerText()).trim(),
      /^As of 2\d{3}-\d\d-\d\d \d\d:\d\d, not verified yet/,
    );
    assert.equal(
      await opened.page.locator('.instance h2').textContent(),
      'The verdict comes when the server answers',
    );
    await opened.send(...STAGES[1]![1]);
    assert.equal(await opened.page.locator('.instance h2').textContent(), 'Judging…');
  });

  it('opens a saved capture at the wave that changed the most, and leads from there to before / after', async () => {
    const file = tracking({ state: 'stopped', record: { utcOffsetMinutes: 60 } });
    const opened = await open({
      messages: fakeMessages().map((message) => (message.type === 'tracking' ? file : message)),
    });
    assert.equal(
      await opened.page.locator('.toolbar .num').first().textContent(),
      '2026-11-21 14:05 – 14:35',
    );
    assert.match(await opened.page.locator('.hint').innerText(), /^At 14:20, 1 database was changed\./);
    // What has no room in the head drops out whole: no part of it is broken and shown up to there.
    for (const width of [1392, 1240, 1092, 1060, 1030, 1000, 965, 932]) {
      await opened.page.setViewportSize({ width, height: 808 });
      const broken = await opened.page.locator('.details > *, .status > *').evaluateAll((parts) => {
        const isBroken = (part: Element): boolean => {
          const [{ top, bottom, right }, row] = [
            part.getBoundingClientRect(),
            part.parentElement!.getBoundingClientRect(),
          ];
          return top < row.bottom - 1 && (bottom > row.bottom + 1 || right > row.right + 1);
        };
        return parts.filter(isBroken).map(({ textContent }) => textContent);
      });
      assert.deepEqual(broken, [], `${width}`);
    }
    await opened.click(opened.button('See Before / after'));
    assert.equal(await opened.tab('Before / after').getAttribute('aria-selected'), 'true');
  });

  it('waits for no server where it is of a saved capture, and says what is not in the file', async () => {
    const message = 'This file has checkpoints only, not what the server said of its databases.';
    const [server, , ...rest] = STAGES[0]![1];
    const obstacle = {
      brief: 'a saved capture',
      missing: [],
      sentence: 'There is no server behind it.',
      grant: null,
    };
    const file = tracking({ state: 'stopped', message, record: { utcOffsetMinutes: 60 }, obstacle });
    const sizes = { width: 1440, height: 900 };
    const { page, panel } = await open({ messages: [server!, file, ...rest], ...sizes });
    assert.equal(await page.locator('.instance h2').textContent(), 'This file has no verdict');
    assert.equal(await page.locator('header .message').textContent(), message);
    const [title, told] = await Promise.all(
      ['.instance h2', 'header .message'].map((part) => page.locator(part).boundingBox()),
    );
    const emptyPixels = (told?.y ?? NaN) - (title?.y ?? NaN) - (title?.height ?? NaN);
    assert.ok(emptyPixels < 20, `${emptyPixels} empty pixels where no verdict comes`);
    assert.match(await page.locator('header .status').innerText(), /· Saved capture, no server behind it/);
    await page.getByRole('tab', { name: 'I/O' }).click();
    assert.equal(await panel.locator('.notice h2').textContent(), 'Not in this file');
    assert.doesNotMatch(
      await page.locator('body').innerText(),
      /server answers|server to answer|not verified|Start tracking/,
    );
  });
});

interface Sight {
  readonly top: number;
  /** How many lanes of 20 pixels have room. */
  readonly lanes: number;
}

function measure(opened: OpenedPage): Promise<Sight> {
  return opened.page.locator('.lanes').evaluate((lanes) => {
    const { top, height } = lanes.getBoundingClientRect();
    return { top, lanes: Math.floor(height / 20) };
  });
}
