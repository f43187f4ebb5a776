/**
 * One answer: whatever a reader opens says the same of a server, before the first wave of a switch, between waves, and
 * after a rollback.
 */
import assert from 'node:assert/strict';
import { createRandom } from '../../simulator/scenarios/random';
import { explainDatabase } from '../../src/core/answers/server-answer';
import { formatCount, formatPercent } from '../../src/core/format';
import { formatRange, formatShortRange } from '../../src/core/pages/forecast-words';
import { GAP_KINDS } from '../../src/core/session/gap';
import { at, type Moment, tell } from './story';

const SITES = 5;
const STATES = ['mostly free', 'queue at times', 'saturated'];

const P = '((?:[<>] )?[\\d.]+ %)';
const pattern = (text: string): RegExp => new RegExp(text.replace('P', P), 'g');
const BUSY = [
  'Busy (?:at least )?P of \\d',
  'P busy(?! after| now so)',
  'now it is P',
  'busy now: P',
  'task was busy P of the',
].map(pattern);
/** Figures of the time since the last change, and of all the time. */
const SINCE = ['The whole server[^\n]* → P \\|\n', 'missed: busy P after'].map(pattern);
const WHOLE = [pattern('checkpoint task was busy P of \\d')];
const AUTOMATIC = [
  '(\\d+) of \\d+ (?:databases )?automatic\\b',
  '(\\d+) of \\d+ databases use automatic',
  '\\| (\\d+) of \\d+ \\|',
].map(pattern);
const STILL = pattern('(\\d+) databases? (?:is|are) still automatic');
const ADVISED = [
  pattern(
    'With (?:these )?(\\d+) (?:of them )?on indirect checkpoints, the task should be busy [^;.]*%(?: possible)?\\.',
  ),
];
const ADVICE =
  /Nothing to do|No harm seen|should be (busy )?(likely )?\d|in the proposed switch|Verdict: Switch/;

/** A figure wherever it is printed, each with the surface. */
function read({ texts }: Moment, patterns: readonly RegExp[]): readonly string[] {
  return Object.entries(texts).flatMap(([surface, text]) =>
    patterns.flatMap((one) => [...text.matchAll(one)].map(([, figure = '']) => `${figure} in ${surface}`)),
  );
}

function assertSame(told: readonly string[], expected: string): void {
  const others = told.filter((one) => !one.startsWith(`${expected} in `));
  assert.deepEqual(others, [], `not ${expected}`);
}

describe('One answer on every surface', () => {
  let stories: readonly Awaited<ReturnType<typeof tell>>[] = [];
  before(async () => {
    stories = await Promise.all(Array.from({ length: SITES }, (_, seed) => tell(seed)));
  });

  /** At every moment; a failure says which, and what the head said. */
  function check(title: string, of: (moment: Moment) => void): void {
    it(title, () => {
      for (const moment of stories.flatMap(({ moments }) => moments))
        try {
          of(moment);
        } catch (error) {
          throw new Error(`${moment.name}: ${moment.texts.head}\n${String(error)}`);
        }
    });
  }

  it('is asked of servers in every state, with everything that can speak against a wave', () => {
    const all = stories.flatMap(({ moments }) =>
      moments.flatMap(({ instance }) => [instance.state, instance.objection?.kind ?? 'none']),
    );
    for (const one of [...STATES, 'cannot tell yet', 'stop', 'missed', 'just switched', 'none'])
      assert.ok(new Set<string>(all).has(one), one);
    const waves = stories.flatMap(({ moments }) =>
      moments.flatMap(({ review }) => review.forecast?.waves ?? []),
    );
    assert.deepEqual(
      new Set(waves.map(({ likely }) => likely === undefined)),
      new Set([false, true]),
      'with a likely value, and without',
    );
  });

  check('says in one figure how busy the task is', (moment) => {
    const { task, neededMs, sinceUtcMs } = moment.instance;
    if (neededMs > 0) return;
    const told = read(moment, [...BUSY, ...(sinceUtcMs === null ? WHOLE : SINCE)]);
    assert.ok(told.length >= 3, told.join());
    assertSame(told, formatPercent(task?.busyShare ?? NaN));
  });

  check('says in one figure what each database takes of the task', ({ texts, stored, page, instance }) => {
    if (instance.neededMs > 0) return;
    for (const { databaseId, name, share } of page.rows.slice(0, 5)) {
      const [, shown = '', tooltip = ''] =
        new RegExp(`^${name} \\| ([^|]*) \\|\n.*\n(?:(.*?) of the task)?`, 'm').exec(texts.pane) ?? [];
      const [, answered = ''] =
        pattern('turns?, P of the time; late').exec(explainDatabase(stored, databaseId)) ?? [];
      const own = share === null ? ['', ''] : [formatPercent(share), formatPercent(share)];
      if (shown.includes('%') || share === null) assert.deepEqual([tooltip, answered], own, name);
      if (shown.includes('%')) assert.equal(shown.split(' · ')[0], own[0]);
    }
  });

  check(
    'counts the figures of each database in the time that the table shows',
    ({ page, sides, texts, statistics, record }) => {
      const { columns } = record();
      const pieces = sides?.since ?? [-Infinity, Infinity];
      const isShown = (begin: number): boolean =>
        pieces.some((from, i) => i % 2 === 0 && begin >= from && begin < (pieces[i + 1] ?? 0));
      for (const { databaseId, name, medianMs } of page.rows) {
        const rows = Array.from({ length: columns.rows }, (_, row) => row).filter(
          (row) => columns.database[row] === databaseId - 5,
        );
        const own = rows
          .filter((row) => isShown(columns.beginUtcMs[row] ?? 0))
          .map((row) => columns.durationMs[row] ?? 0);
        const median = own.sort((a, b) => a - b)[Math.ceil(own.length / 2) - 1] ?? null;
        assert.deepEqual([medianMs, statistics.get(databaseId)?.count ?? 0], [median, own.length], name);
        assert.match(texts.report, new RegExp(`\\| ${name} .*\\| ${formatCount(own.length)} \\|`), name);
      }
    },
  );

  check(
    'gives each wave one number, its databases and one forecast',
    ({ instance, view, page, review, texts, isProposed }) => {
      assert.equal(view.forecast, instance.forecast);
      if (instance.forecast === null || !isProposed) return;
      const waves = instance.next === null ? instance.forecast.waves : instance.forecast.waves.slice(0, 1);
      assert.deepEqual(review.forecast?.waves, waves);
      const answered = [
        ...texts.plan.matchAll(/^- Wave (\d+), (\d+) databases?: .*?\. Busy after this wave: (.*)\.$/gm),
      ];
      const recorded = [...texts.record.matchAll(/^\| (\d+) \| (\d+) \| ([^|]+%(?: possible)?) \|$/gm)];
      const wanted = waves.map((one) => [one.wave, one.databases, formatRange(one)].join());
      for (const told of [answered, recorded])
        assert.deepEqual(
          told.map((one) => one.slice(1).join()),
          wanted,
        );
      const last = waves[waves.length - 1] ?? assert.fail();
      assert.ok(texts.review.includes(`should be busy ${formatRange(last)}; now`), texts.review);
      assert.ok(
        texts.script.includes(`should be busy ${formatRange(last)} after the last wave`),
        texts.script,
      );
      if (waves.length === 1)
        assert.equal(page.title.startsWith(`Wave ${last.wave}: `), last.wave > 1, page.title);
      const proposed = [...texts.record.matchAll(/^\| (\d+) \| [^|]+ \| \d+ \| [^|]+ \| 0 \| 60 \|/gm)].map(
        ([, wave]) => Number(wave),
      );
      const rows = page.rows.flatMap(({ wave }) => wave ?? []);
      for (const told of [proposed, rows])
        assert.deepEqual(new Set(told), new Set(waves.map(({ wave }) => wave)));
      if (waves.length > 1)
        assert.ok(texts.script.includes(`DECLARE @wave int = ${waves[0]?.wave};`), texts.script);
    },
  );

  check('advises as many databases everywhere, and counts the same automatic ones', (moment) => {
    const { instance, page, view, verdicts, findings } = moment;
    assertSame(read(moment, [...AUTOMATIC, STILL]), `${instance.automatic}`);
    assert.equal(view.isAdvised, instance.advised.length > 0);
    const switches = [...verdicts.values()].filter(({ verdict }) => verdict === 'Switch').length;
    assert.equal(findings.filter(({ rule }) => rule === 'database-switch').length, switches);
    if (instance.advised.length === 0) return;
    assertSame(read(moment, ADVISED), `${instance.advised.length}`);
    const inReview = page.rows.filter(({ state }) => state === 'in').map(({ databaseId }) => databaseId);
    assert.deepEqual(new Set(inReview), new Set(instance.next?.databaseIds ?? instance.advised));
  });

  check(
    'says after a change in one figure when there is a result',
    ({ instance: { objection }, facts, view, texts }) => {
      if (objection?.kind !== 'just switched') return;
      const minutes = Math.ceil(((objection.last.resultUtcMs ?? NaN) - facts.server.nowUtcMs) / 60_000);
      assert.match(texts.pane, new RegExp(`${view.words.brief} [^]*Next verdict in ${minutes} min`));
      assert.ok(
        texts['status bar'].includes(view.words.brief) && !texts.head.includes('more.'),
        texts['status bar'],
      );
    },
  );

  check(
    'advises nothing where something speaks against it',
    ({ instance, verdicts, view, page, findings, texts, offers }) => {
      if (instance.objection === null) return;
      const isStop = instance.objection.kind === 'stop';
      assert.ok([...verdicts.values()].every(({ verdict }) => verdict !== 'Switch'));
      assert.ok(findings.every(({ rule }) => rule !== 'database-switch'));
      assert.deepEqual([view.isAdvised, view.forecast, page.forecast, offers], [false, null, null, []]);
      for (const [surface, text] of Object.entries(texts)) assert.doesNotMatch(text, ADVICE, surface);
      assert.equal(page.findings.counts.blocks, isStop ? 1 : 0);
      if (page.scripts.length > 0) assert.equal(texts.script.includes('@anyway = 1'), isStop);
    },
  );

  check(
    'says that no harm was seen only without a hold, a database to watch, slow I/O and log writes that wait',
    ({ texts, judgeWith }) => {
      if (!texts.head.includes('No harm seen')) return;
      const known = (more: object) => {
        const calm = {
          flushCache: null,
          failures: 0,
          slowIos: 0,
          logLatency: null,
          scanMs: null,
          toRedoMb: null,
        };
        return { known: new Map([[5, { ...calm, ...more }]]) };
      };
      const hold = { id: 'pages', brief: '', text: '', isUp: true } as const;
      const logWrites = {
        kind: 'answered',
        during: { averageMs: 40 },
        outside: { averageMs: 2 },
        use: {},
      } as never;
      for (const more of [{ hold }, { logWrites }, known({ slowIos: 2 }), known({ failures: 1 })])
        assert.doesNotMatch(judgeWith(more).text, /no harm/i);
    },
  );

  check(
    'calls no task free of which only a part is recorded, and knows no more of it',
    ({ judgeWith, facts, instance, record }) => {
      const half = new Set(facts.databases.map(({ databaseId }) => databaseId).filter((id) => id % 2 === 0));
      const part = judgeWith(
        { recorded: half },
        record([], (id) => half.has(id)),
      );
      if (part.partly === null) return;
      assert.ok(
        part.state !== 'mostly free' && STATES.indexOf(part.state) <= STATES.indexOf(instance.state),
        part.state,
      );
      assert.doesNotMatch(part.text, ADVICE);
    },
  );

  check('knows no more with another gap, whatever its kind', ({ judgeWith, instance, minutes, record }) => {
    const random = createRandom(minutes, 33);
    const [kind, from] = [
      GAP_KINDS[random.whole(0, GAP_KINDS.length - 1)] ?? 'unknown',
      random.between(0, minutes - 3),
    ];
    const blind = judgeWith({}, record([{ kind, beginUtcMs: at(from), endUtcMs: at(from + 3), reason: '' }]));
    assert.ok(blind.observedMs <= instance.observedMs && blind.neededMs >= instance.neededMs);
    assert.ok(STATES.includes(instance.state) || !STATES.includes(blind.state), blind.state);
  });

  it('keeps number, databases and forecast of a wave that was run, whatever comes later, and takes no rollback for a wave', () => {
    for (const { moments, first } of stories) {
      const kept = moments.flatMap(({ forecast }) => forecast?.waves ?? [])[0];
      for (const { name, forecast, minutes, pages, instance } of kept === undefined
        ? []
        : moments.filter((one) => one.minutes > 62)) {
        assert.deepEqual(forecast?.waves[0], { ...kept, databaseIds: first }, name);
        const row =
          pages.beforeAfter.tables.find(({ id }) => id === 'waves')?.rows[0]?.cells.map(({ text }) => text) ??
          [];
        if (minutes < 145)
          assert.deepEqual(
            [row[0], row[2], row[3]],
            ['Wave 1', `${first.length}`, kept && formatShortRange(kept)],
            name,
          );
        if (minutes < 120) assert.equal(instance.lastWave?.wave, 1, name);
        if (minutes > 145) assert.equal(instance.lastWave?.wave, null, name);
      }
    }
  });
});
