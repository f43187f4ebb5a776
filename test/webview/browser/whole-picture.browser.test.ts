/**
 * Whatever was captured, however it is shown: each checkpoint in view has pixels of its lane, each such pixel has a
 * checkpoint, and cards, saved picture, spoken text and table say the same. PICTURES=<n> tries more captures.
 */
import assert from 'node:assert/strict';
import { GAP_KINDS } from '../../../src/core/session/gap';
import { COLOUR_STEPS } from '../../../src/core/timeline/duration-levels';
import { makeVisible } from '../../../src/core/visible';
import { createColourRamp } from '../../../src/webview/kit/colour-ramp';
import type { DatabaseChange } from '../../../src/core/task/change-moment';
import type { Gap, ToWebview } from '../../../src/protocol';
import { changeOf } from '../../core/task/changed';
import {
  BEGIN_UTC_MS,
  createRandom,
  FAKE_SERVER,
  type FakeCheckpoint,
  fakeDatabases,
  fakeMessages,
  fakeTracking,
} from '../fake-capture';
import { describePages, type OpenedPage, type PageOptions } from '../page';
import { compareSavedLanes, findPlot, pressKeys, readCard, savePicture } from '../timeline-on-page';
import { THEME_NAMES } from '../themes';

const PICTURES = Number(process.env['PICTURES'] ?? 3);
const MINUTE = 60_000;
const DATABASES = 14;
/** CSS pixels by which a narrow checkpoint may be drawn wider, and by which places are rounded. */
const NEAR_PX = 4;

interface Shown {
  readonly checkpoints: readonly FakeCheckpoint[];
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  readonly gaps: readonly Gap[];
  readonly changes: readonly DatabaseChange[];
  readonly utcOffsetMinutes: number;
}

/** Alike at their begin, right to left, with an emoji where a name is cut, with what breaks SQL, HTML and lines. */
const NAMES = [
  'Customer_Reporting_Archive_Of_All_Regions_2019_'.repeat(2),
  'a]b\'c"--',
  '<b>{0}',
  'سجل \u202e🗄️ 12',
];

/** A capture of minutes or of weeks, with gaps from a millisecond to hours, some beside or over a checkpoint. */
function makeCapture(random: () => number): Shown {
  const spanMs = MINUTE * 10 ** (1 + random() * 3.6);
  const endUtcMs = Math.round(BEGIN_UTC_MS + spanMs);
  const within = (): number => Math.round(BEGIN_UTC_MS + random() * spanMs);
  const length = (): number => Math.round(Math.min(spanMs / 4, 10 ** (random() * 6.5)));
  const anywhere = Array.from({ length: 1 + Math.floor(random() * 120) }, () => {
    const durationMs = length();
    const database = Math.floor(random() * (DATABASES - 1));
    return { database, durationMs, beginUtcMs: Math.min(within(), endUtcMs - durationMs) };
  });
  // Alone in a lane: where a view begins, and where one ends.
  const atEdges = [0, 0.2, 0.7].map((share) => {
    const beginUtcMs = Math.ceil(BEGIN_UTC_MS + (endUtcMs - BEGIN_UTC_MS) * share);
    return { database: DATABASES - 1, durationMs: 1, beginUtcMs };
  });
  const checkpoints = [...anywhere, ...atEdges].sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  const gaps = Array.from({ length: Math.floor(random() * 6) }, (): Gap => {
    // Half of them right before a checkpoint.
    const near = checkpoints[Math.floor(random() * checkpoints.length)]!.beginUtcMs;
    const beginUtcMs = random() < 0.5 ? within() : Math.max(BEGIN_UTC_MS, near - length());
    const kind = GAP_KINDS[Math.floor(random() * GAP_KINDS.length)]!;
    return { kind, beginUtcMs, endUtcMs: Math.min(endUtcMs, beginUtcMs + 1 + length()), reason: '' };
  });
  const changes = Array.from({ length: Math.floor(random() * 4) }, () =>
    changeOf(5 + Math.floor(random() * DATABASES), random() < 0.3 ? endUtcMs : within(), {
      source: 'error log',
    }),
  ).sort((a, b) => a.atUtcMs - b.atUtcMs);
  const utcOffsetMinutes = [-570, 0, 60, 345, 780][Math.floor(random() * 5)]!;
  return { checkpoints, gaps, changes, utcOffsetMinutes, beginUtcMs: BEGIN_UTC_MS, endUtcMs };
}

const nameOf = (databaseId: number): string => `${NAMES[databaseId % NAMES.length]}${databaseId}`;

/** The messages of a page that shows a capture. */
function sendCapture({ checkpoints, gaps, changes, utcOffsetMinutes, beginUtcMs, endUtcMs }: Shown) {
  const databases = fakeDatabases(DATABASES, DATABASES).map((one, i) => ({ ...one, name: nameOf(i + 5) }));
  const tracking = fakeTracking(checkpoints.length, { observation: { beginUtcMs, endUtcMs, gaps } });
  const server = { ...FAKE_SERVER, utcOffsetMinutes };
  const parts = { tracking: { tracking }, changes: { changes }, server: { server } };
  return fakeMessages(databases, checkpoints).map(
    (message): ToWebview =>
      Object.assign({}, message, parts[message.type as keyof typeof parts]) as ToWebview,
  );
}

/** For each lane in view: the columns (device pixels from the left of the canvas) in which a bar's colour is. */
function readColumns({ page }: OpenedPage, ramp: readonly string[]) {
  return page.evaluate((colours) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.lanes-canvas')!;
    const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const wanted = new Set(colours.map((colour) => parseInt(colour.slice(1), 16)));
    const ratio = canvas.width / canvas.getBoundingClientRect().width;
    const top = canvas.getBoundingClientRect().top;
    return [...document.querySelectorAll<HTMLElement>('.lane-name')].map((name) => {
      const box = name.getBoundingClientRect();
      const [from, end] = [box.top - top, box.bottom - top].map((y) => Math.round(y * ratio));
      const columns = Array.from({ length: width }, (_, x) => x).filter((x) => {
        for (let y = Math.max(0, from!); y < Math.min(height, end!); y++) {
          const at = 4 * (y * width + x);
          if (wanted.has((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!)) return true;
        }
        return false;
      });
      return { databaseId: Number(name.dataset['databaseId']), columns, ratio };
    });
  }, ramp);
}

describePages('The whole picture, of any capture', (open) => {
  for (let seed = 1; seed <= PICTURES; seed++)
    it(`shows each checkpoint in view, nothing else, and the same in cards, a saved picture and words: ${seed}`, async () => {
      const random = createRandom(seed);
      const capture = makeCapture(random);
      const theme = THEME_NAMES[seed % THEME_NAMES.length]!;
      const pixelRatio = [1, 1.25, 2][seed % 3]!;
      const { beginUtcMs, endUtcMs, changes, checkpoints, utcOffsetMinutes } = capture;
      const spanMs = endUtcMs - beginUtcMs;
      const window =
        seed % 2 === 0
          ? null
          : { beginUtcMs: beginUtcMs + spanMs * 0.2, endUtcMs: beginUtcMs + spanMs * 0.7 };
      const width = 700 + Math.floor(random() * 900);
      const shown: PageOptions = {
        messages: sendCapture(capture),
        theme,
        pixelRatio,
        width,
        height: 900,
        state: { window, follows: false, figuresOf: 'view' },
      };
      const opened = await open(shown);
      const ramp = createColourRamp(theme, COLOUR_STEPS);
      const lanes = await readColumns(opened, ramp);
      const plot = await findPlot(opened);
      const left = await opened.page.evaluate(
        () => document.querySelector('.lanes-canvas')!.getBoundingClientRect().left,
      );
      const { beginUtcMs: from, endUtcMs: to } = window ?? capture;
      const place = (utcMs: number): number =>
        plot.leftPx - left + Math.min(1, Math.max(0, (utcMs - from) / (to - from))) * plot.widthPx;
      const inView = checkpoints.filter(
        (one) => one.beginUtcMs < to && one.beginUtcMs + one.durationMs > from,
      );
      for (const [at, { databaseId, columns, ratio }] of lanes.entries()) {
        const own = inView
          .filter(({ database }) => database + 5 === databaseId)
          .map((one) => ({
            ...one,
            begin: place(one.beginUtcMs),
            end: place(one.beginUtcMs + one.durationMs),
          }));
        const pixels = columns.map((column) => column / ratio);
        for (const { begin, end, beginUtcMs: utcMs } of own)
          assert.ok(
            pixels.some((x) => x >= begin - NEAR_PX && x <= end + NEAR_PX),
            `${databaseId}: nothing is drawn of the checkpoint at ${new Date(utcMs).toISOString()}`,
          );
        for (const x of pixels)
          assert.ok(
            own.some(({ begin, end }) => x >= begin - NEAR_PX && x <= end + NEAR_PX),
            `${databaseId}: no checkpoint at ${x} pixels`,
          );
        const [one] = own.sort((a, b) => b.durationMs - a.durationMs);
        if (one === undefined) continue;
        const y = plot.topPx + (at + 0.5) * plot.laneHeightPx;
        // Not on the edge of the plot itself, which may lie between two pixels.
        await opened.page.mouse.move(Math.max(plot.leftPx + 1, left + (one.begin + one.end) / 2), y);
        await opened.settle();
        const card = await readCard(opened);
        const day = new Date(one.beginUtcMs + utcOffsetMinutes * MINUTE).toISOString().slice(0, 10);
        assert.equal(card?.[0], makeVisible(nameOf(databaseId)), 'the card is of the checkpoint');
        assert.ok(card[2]?.startsWith(day), `${card[2]}: the server's day is ${day}`);
        const longest = opened.page.locator(
          `tbody [data-database-id="${databaseId}"] [data-column=maximumMs]`,
        );
        if (one.beginUtcMs >= from && one.beginUtcMs < to && !card.some((line) => line.includes('left out')))
          assert.equal(await longest.textContent(), card[1], 'the table says the same');
      }
      const { length } = checkpoints;
      const spoken = (await opened.page.locator('#timeline-summary').textContent()) ?? '';
      assert.ok(spoken.startsWith(`${length} checkpoint${length === 1 ? '' : 's'} in`), spoken);
      await opened.page.mouse.move(5, 5);
      await savePicture(opened, 'SVG');
      assert.deepEqual(await compareSavedLanes(opened, ramp), []);
      for (const moment of window ? [] : new Set(changes.map(({ atUtcMs }) => atUtcMs))) {
        await pressKeys(opened, 'n');
        const told = changes.filter(({ atUtcMs }) => atUtcMs === moment);
        const card = (await readCard(opened))?.[0];
        assert.equal(
          card,
          told.map(({ databaseId }) => `${makeVisible(nameOf(databaseId))} → 60 s`).join('; '),
        );
      }
      const databaseIds = Array.from({ length: DATABASES }, (_, i) => i + 5);
      const measured = { beginUtcMs: Math.round(from), endUtcMs: Math.round(to), databaseIds };
      const again = await open({ ...shown, state: { ...(shown.state as object), measured } });
      const card = again.page.getByRole('region', { name: 'Measured' });
      const count = Number((await card.locator('dd').first().textContent())?.replace(',', ''));
      const leftOut = /(\d+) checkpoints? may/.exec((await card.textContent()) ?? '')?.[1] ?? 0;
      const begun = checkpoints.filter((one) => one.beginUtcMs >= from && one.beginUtcMs < to);
      assert.equal(count + Number(leftOut), begun.length, 'the measure counts what lies in view');
      // Lower than its lanes, which scroll under pinned ones.
      const pinned = databaseIds.slice(0, 2);
      const low = await open({ ...shown, height: 500, state: { ...(shown.state as object), pinned } });
      await low.page
        .locator('.lanes')
        .evaluate((element, px) => (element.scrollTop = px), 1 + ((seed * 7) % 50));
      await low.settle();
      await savePicture(low, 'SVG');
      assert.deepEqual(await compareSavedLanes(low, ramp), []);
    });
});
