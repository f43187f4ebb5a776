import assert from 'node:assert/strict';
import { forecastWaves } from '../../../src/core/advice/forecast';
import type { Instance, InstanceVerdict, RunWave } from '../../../src/core/advice/instance';
import { describeInstance, joinWords } from '../../../src/core/pages/instance-words';
import type { LogWrites } from '../../../src/core/advice/known-of-database';
import type { Verdict } from '../../../src/core/advice/verdict';
import { databaseOf, factsOf } from '../advice/facts-of';
import { judgeTask, longestRunOf, manyOf, NOTHING_ADVISED, taskOf } from '../advice/task-of';
import { HOUR_MS } from '../../../src/core/time';

function say(
  instance: Instance,
  more: Partial<InstanceVerdict> = {},
  names: Readonly<Record<number, string>> = {},
) {
  const { task } = instance;
  const advised = more.advised ?? [...instance.feeders];
  const waves = [advised.slice(0, 3), advised.slice(3, 28), advised.slice(28)]
    .filter((ids) => ids.length > 0)
    .map((databaseIds, at) => ({ wave: at + 1, databaseIds }));
  const forecast = task === null || advised.length === 0 ? null : forecastWaves({ ...instance, task }, waves);
  const facts = factsOf(
    Object.entries(names).map(([id, name]) => databaseOf({ databaseId: Number(id), name })),
  );
  const reason = 'Log writes take 41 ms during its checkpoints, 3 ms otherwise.';
  const verdicts = new Map((more.hurting ?? []).map((id) => [id, { databaseId: id, reason } as Verdict]));
  const whole = { ...NOTHING_ADVISED, advised, forecast, ...instance, ...more };
  return describeInstance(whole, facts, verdicts);
}

const spread = taskOf({
  ...manyOf(3, 5, { share: 0.2, mostShare: 0.3 }),
  ...manyOf(73, 10, { share: 0.004, mostShare: 0.006 }),
  ...manyOf(96, 100, { share: 0.0008, mostShare: 0.0024, count: 156 }),
});

describe('What is said of the instance', () => {
  it('is that the task is almost never free, how often a turn comes, who feeds the queue and what the task should be without them', () => {
    const words = say(judgeTask(spread));
    assert.equal(words.title, 'The checkpoint task is almost never free.');
    const text = joinWords(words);
    assert.match(text, /Busy 97 % of 8 h\. 172 databases take turns, a typical one every \d+ minutes\./);
    assert.match(
      text,
      /76 feed the queue\. With these 76 on indirect checkpoints, the task should be busy 7\.4 to 24 %\./,
    );
    assert.match(text, /Waves 1 to 2 alone change little: waiting databases use the time they free\.$/);
    assert.equal(words.brief, '97 % busy');
  });

  it('is to stop while a limit is exceeded: what was measured, and nothing that the task alone would advise', () => {
    const brief = 'pages written per MB of log 816';
    const objection = {
      kind: 'stop',
      limit: { id: 'pages', brief, text: `${brief}, limit 740`, isUp: true },
    } as const;
    for (const task of [spread, taskOf(manyOf(2, 5, { share: 0.01, late: 0 }))]) {
      const words = say(judgeTask(task), { advised: [], forecast: null, objection });
      assert.deepEqual(
        [words.title, words.brief],
        ['Stop: pages written per MB of log 816, limit 740.', 'stop, pages written per MB of log 816'],
      );
      assert.match(
        joinWords(words),
        /Busy \d+ % of 8 h\..* Log writes: not known yet\. Do not run the next wave\. If this lasts for 30 minutes, roll the last one back\.$/,
      );
      assert.doesNotMatch(joinWords(words), /Nothing to do|feed the queue|should be busy/);
    }
  });

  it('is that the forecast missed, while nothing worse is known: the next wave is not advised then', () => {
    const missed = { wave: 2, low: 0.37, high: 0.86, busyShare: 0.91 };
    const text = joinWords(say(judgeTask(spread), { objection: { kind: 'missed', missed } }));
    assert.match(
      text,
      /^The forecast missed: busy 91 % after wave 2, forecast 37–86 %\. Busy 97 % of 8 h\. /,
    );
    assert.match(text, /Find out why before the next wave: see Before \/ after\.$/);
    assert.doesNotMatch(text, /should be busy|Nothing to do/);
  });

  it('is which wave was run, when its result comes and to do nothing, as long as too little was seen since', () => {
    const atUtcMs = Date.UTC(2026, 2, 2, 11, 5);
    const [last, dayMs] = [
      { wave: 2, atUtcMs, changed: 9, isSeen: false, databaseIds: [5], resultUtcMs: atUtcMs + 780_000 },
      86_400_000,
    ];
    const seen = judgeTask(taskOf({ 5: { share: 0.1 } }, { observedMs: 300_000 }), { sinceUtcMs: atUtcMs });
    const tell = (more: Partial<RunWave>) =>
      say(seen, {
        objection: { kind: 'just switched', last: { ...last, ...more } },
        busyBefore: 0.92,
        advised: [],
      });
    const words = tell({});
    assert.deepEqual(
      [words.title, words.brief],
      ['Wave 2 ran at 12:05. First result at 12:18.', 'result at 12:18'],
    );
    assert.match(
      joinWords(words),
      /5 minutes seen since the last change\..* Before that the task was busy 92 %\. Do nothing now\.$/,
    );
    const unseen = tell({ wave: null, resultUtcMs: last.resultUtcMs - dayMs });
    assert.equal(unseen.title, '9 databases changed at 12:05. Not measured since then.');
  });

  it('is whether log writes wait, or in a few words why that is not known', () => {
    const use = { samples: 60, during: 20, outside: 30, mixed: 5, unobserved: 5, idle: 0 };
    const side = (averageMs: number) => ({ samples: 20, averageMs });
    const tell = (logWrites: LogWrites): string => joinWords(say(judgeTask(spread), { logWrites }));
    const answered = (during: number, outside: number): LogWrites => ({
      kind: 'answered',
      use,
      sampleMs: 15_000,
      duringShare: 0.5,
      marginMs: null,
      during: side(during),
      outside: side(outside),
    });
    assert.match(
      tell(answered(14, 3)),
      /97 % of 8 h\. .* Log writes wait: 14 ms during checkpoints, 3 ms outside\./,
    );
    assert.match(tell(answered(3, 3)), /Log writes do not wait: 3 ms during checkpoints, 3 ms outside\./);
    assert.match(tell(answered(4, 1)), /Log writes hardly wait: 4 ms/);
    assert.match(
      tell(answered(40, 38)),
      /Log writes are slow, with and without checkpoints: 40 ms during, 38 ms outside\. Look at the log disk\./,
    );
    const free = judgeTask(taskOf(manyOf(3, 5, { share: 0.03, late: 0 })));
    const calmOf = (logWrites: LogWrites): string => joinWords(say(free, { logWrites }));
    assert.match(calmOf(answered(3, 3)), /No checkpoint waited 1 minute or longer\. No harm seen\./);
    for (const writes of ['not sampled', answered(14, 3), answered(40, 38)] as const)
      assert.doesNotMatch(calmOf(writes), /harm/);
    const few = { kind: 'not enough samples', sampleMs: 15_000, leastSamples: 10 } as const;
    assert.match(
      tell({ ...few, use: { ...use, during: 2, outside: 3, samples: 25 } }),
      /Log writes: not known yet, 5 min of samples\./,
    );
    assert.match(tell({ ...few, use: { ...use, outside: 0 } }), /Log writes: no outside, task never free\./);
    assert.match(tell('refused'), /Log writes: this login may not look\./);
  });

  it('is at least what is recorded, where not all automatic databases are: a queue may be told, a free task never', () => {
    const partly = { recorded: 2, of: 312, unread: 0 };
    const busy = say(judgeTask(spread, { partly }), { forecast: null });
    assert.deepEqual(
      [busy.title, busy.brief],
      ['The checkpoint task is almost never free.', 'at least 97 % busy'],
    );
    assert.match(
      joinWords(busy),
      /Busy at least 97 % of 8 h: only 2 of 312 automatic databases are recorded\..*A forecast needs all automatic databases recorded\./,
    );
    const calm = say(judgeTask(taskOf({ 5: { share: 0.001 }, 6: { share: 0.001 } }), { partly }), {
      advised: [],
      forecast: null,
    });
    assert.equal(calm.title, 'Cannot tell: only 2 of 312 automatic databases are recorded.');
    assert.doesNotMatch(joinWords(calm), /free|No checkpoint waited|No harm|Nothing to do/);
  });

  it('is how busy its own waits say it is before anything is tracked: a figure at first, after ten minutes that it is hardly ever free, never that it is free', () => {
    const tell = (share: number, minutes: number, more: Partial<Instance> = {}) =>
      say({ ...judgeTask(null), byWaits: { share, observedMs: minutes * 60_000 }, ...more });
    const early = tell(0.78, 0.5);
    assert.deepEqual([early.title, early.brief], ['Too early to say.', '78 % busy (wait stats)']);
    const said = 'Wait statistics (CHECKPOINT_QUEUE) show the checkpoint task busy 78 % of 30.0 s.';
    assert.ok(joinWords(early).includes(`${said} Start tracking to see which databases.`), joinWords(early));
    assert.match(
      early.rests[0]?.text ?? '',
      /Manual checkpoints do not count\. Not yet tried on a real server\./,
    );
    assert.equal(tell(0.97, 9).title, 'Too early to say.');
    assert.equal(tell(0.97, 10).title, 'Wait statistics: the checkpoint task is almost never free.');
    for (const minutes of [0.5, 60])
      assert.doesNotMatch(joinWords(tell(0.01, minutes)), /free|leave|harm|nothing to do/i);
    const refused = judgeTask(null, { blind: 'this login has no permission to record checkpoints' });
    assert.match(joinWords(tell(0.78, 0.5, refused)), /^Cannot tell: this login .* busy 78 % of 30\.0 s\.$/);
  });

  it('is that it cannot be told who keeps the task busy where its events and its waits of the same time disagree, with both', () => {
    const of = (share: number, byEvents: number, hours = 8): string => {
      const byWaits = { share, observedMs: hours * HOUR_MS };
      return joinWords(
        say(
          { ...judgeTask(taskOf(manyOf(2, 5, { share: byEvents / 2, late: 0 })), { byWaits }), byWaits },
          { advised: [] },
        ),
      );
    };
    const both = /busy 80 % of 8 h\. The events show 20 %\. What else keeps it busy is not known\./;
    assert.match(of(0.8, 0.2), both);
    assert.match(
      of(0.8, 0.2),
      /^Cannot tell: the events and the wait statistics of the checkpoint task disagree\./,
    );
    assert.doesNotMatch(of(0.8, 0.2), /Nothing to do|mostly free/);
    assert.match(
      of(0.05, 0.2),
      /^The checkpoint task is mostly free\. .*The events show 20 %\. Compare both on/,
      'both are below the bound',
    );
    for (const told of [of(0.25, 0.2), of(0.8, 0.2, 0.1)])
      assert.doesNotMatch(told, /cannot be told|CHECKPOINT_QUEUE/, 'of another time');
    assert.match(
      of(0.5, 0.95),
      /^The checkpoint task is almost never free\. .* busy 50 % of 8 h\. The events show 95 %\. Compare both/,
    );
  });

  it('is what the error log has where nothing can be recorded', () => {
    const blind = judgeTask(null, { blind: 'this login has no permission to record checkpoints' });
    const logged = (group: Verdict['group'], ids: readonly number[]) =>
      new Map(ids.map((id) => [id, { databaseId: id, group } as Verdict]));
    assert.equal(say(blind).brief, '');
    const of = (verdicts: ReadonlyMap<number, Verdict>): string => {
      const whole = { ...NOTHING_ADVISED, ...blind };
      return joinWords(describeInstance(whole, factsOf([]), verdicts));
    };
    const title = 'Cannot tell: this login has no permission to record checkpoints.';
    assert.equal(of(logged('Automatic, not measured', [5, 6])), title);
    assert.equal(
      of(logged('Long checkpoints', [5, 6, 7])),
      `${title} The error log reports long checkpoints of 3 databases.`,
    );
  });

  it('is what of the time was of databases that are gone', () => {
    const task = taskOf({ 5: { share: 0.02 } }, { busyShare: 0.91, gone: { databases: 1, share: 0.89 } });
    const text = joinWords(say(judgeTask(task)));
    assert.match(text, /2 databases take turns, .*Databases since dropped or switched took 89 %\./);
    assert.doesNotMatch(text, /Only one database/);
  });

  it('is how long a queue stood where there is one at times, and whether backups ran then', () => {
    const longestRun = longestRunOf(Date.UTC(2026, 2, 1, 21), 38, 40, true);
    const words = say(judgeTask(taskOf(manyOf(5, 5, { share: 0.082, mostShare: 0.1 }), { longestRun })));
    assert.match(
      joinWords(words),
      /queue at times\. Busy 41 % of 8 h, but never free for 38 minutes from 22:00, during backups\. .*5 feed the queue/,
    );
    const calm = say(judgeTask(taskOf(manyOf(5, 5, { share: 0.03 }), { longestRun })));
    assert.equal(calm.brief, 'queue 38 min at 22:00');
    const hogs = new Map([5, 6].map((id) => [id, 0.4]));
    const made = say(
      judgeTask(taskOf(manyOf(5, 5, { share: 0.03 }), { longestRun: { ...longestRun, hogs } })),
      {},
      { 5: 'Hog' },
    );
    assert.match(joinWords(made), /2 databases, Hog first, take 80 % of the longest time without a pause\./);
  });

  it('is to leave a free task as it is, automatic or not', () => {
    const text = joinWords(say(judgeTask(taskOf(manyOf(3, 5, { share: 0.03, late: 0 })))));
    assert.equal(
      text,
      'The checkpoint task is mostly free. Busy 9 % of 8 h. No checkpoint waited 1 minute or longer. Log writes: not known yet. Nothing to do. 312 databases are still automatic; that alone is no reason to change them.',
    );
  });

  it('counts the turns that may have waited, also where the task is free', () => {
    const text = joinWords(
      say(judgeTask(taskOf({ 5: { share: 0.03, late: 18, count: 154 }, 6: { share: 0.03, late: 0 } }))),
    );
    assert.match(text, /Busy 6 % of 8 h\. Up to 18 of 254 checkpoints waited 1 minute or longer\./);
    assert.doesNotMatch(text, /harm/);
  });

  it('says nothing of harm where a database is to be watched', () => {
    const text = joinWords(say(judgeTask(taskOf(manyOf(3, 5, { share: 0.03, late: 0 }))), { watched: 1 }));
    assert.match(
      text,
      /No checkpoint waited 1 minute or longer\. Log writes: not known yet\. 312 databases are still automatic; that alone is no reason to change them\. 1 database to check: its row says why\.$/,
    );
    assert.doesNotMatch(text, /harm/);
  });

  it('is of a wave that cannot be foreseen after which wave it can, and nothing of the one between', () => {
    const longWaits = taskOf({
      ...manyOf(3, 5, { share: 0.02, mostShare: 0.03 }),
      ...manyOf(60, 10, { share: 0.015, mostShare: 0.5 }),
      ...manyOf(5, 100, { share: 0.001, mostShare: 0.02 }),
    });
    const advised = [10, 11, 12, ...Array.from({ length: 57 }, (_, at) => at + 13), 5, 6, 7];
    const waves = [advised.slice(0, 30), advised.slice(30, 50), advised.slice(50)].map((databaseIds, at) => ({
      wave: at + 1,
      databaseIds,
    }));
    const forecast = forecastWaves({ task: longWaits, room: 0, bound: 0.3 }, waves);
    const text = joinWords(say(judgeTask(longWaits), { advised, forecast }));
    assert.match(
      text,
      /The range after wave 1 is wide: other databases may use the time it frees\. After wave 3 it is narrow\.$/,
    );
    const likely = {
      ...forecast,
      waves: forecast.waves.map((one) => ({ ...one, low: 0.25, high: 1, likely: 0.46 })),
    };
    const told = say(judgeTask(longWaits), { advised, forecast: likely });
    assert.match(joinWords(told), /the task should be busy likely 46 %, 25 to 100 % possible\./);
    assert.doesNotMatch(joinWords(told), /cannot be foreseen/);
    assert.ok(told.rests.some(({ name }) => name === 'Likely, 46 %'));
    const onlyWide = joinWords(
      say(judgeTask(longWaits), { advised, forecast: { ...forecast, waves: forecast.waves.slice(0, 1) } }),
    );
    assert.match(onlyWide, /The range after wave 1 is wide: other databases may use the time it frees\.$/);
  });

  it('says once how many were advised before, when that has changed', () => {
    assert.match(
      joinWords(say(judgeTask(spread), { advisedBefore: 26 })),
      /Advised before: 26 databases\. Newer measurements changed that\./,
    );
    assert.doesNotMatch(joinWords(say(judgeTask(spread))), /Advised before/);
  });

  const even = { share: 0.03 };
  const turns = taskOf(manyOf(280, 20, { share: 0.98 / 280, count: 1 }), { observedMs: 12 * 60_000 });
  const all = { changeable: new Set(Array.from({ length: 400 }, (_, at) => at + 20)) };
  const said: [title: string, words: () => ReturnType<typeof say>, expected: RegExp][] = [
    [
      'is that no database stands out where all are alike',
      () => say(judgeTask(taskOf(manyOf(400, 5, { share: 0.98 / 400, count: 28 })))),
      /No database stands out: each takes about 2\.5 s\. The task is free only when all 400 are switched, in 3 waves\. Then it should be busy 0 %\./,
    ],
    [
      'is "never" only where no pause was seen',
      () => say(judgeTask({ ...spread, hasPause: false })),
      /^The checkpoint task is never free\./,
    ],
    [
      'is that there is nothing to do where no database uses automatic checkpoints',
      () => say(judgeTask(taskOf({}, { busyShare: 0 })), { automatic: 0 }),
      /No database here uses automatic checkpoints: nothing to switch\.$/,
    ],
    [
      'names the one that hurts by itself, with its reason',
      () => say(judgeTask(taskOf(manyOf(3, 5, even))), { hurting: [5], advised: [5] }, { 5: 'Kasse_Süd' }),
      /Kasse_Süd hurts on its own\. Log writes take 41 ms during its checkpoints, 3 ms otherwise\.$/,
    ],
    [
      'forecasts nothing while the turn of others may still come, and says how long',
      () => say(judgeTask(turns, all), { forecast: null }),
      /280 feed the queue\. 120 databases had no checkpoint yet: a forecast needs about 12 minutes more\.$/,
    ],
    [
      'names a single feeder',
      () =>
        say(judgeTask(taskOf({ 5: { share: 0.9 }, 6: { share: 0.05, mostShare: 0.1 } })), {}, { 5: 'Hog' }),
      /Hog feeds the queue\. With this one on indirect checkpoints, the task should be busy 4\.9 to 10 %\./,
    ],
    [
      'says of a task that was switched how busy it was before',
      () =>
        say(judgeTask(taskOf(manyOf(25, 5, { share: 0.0148 }), { observedMs: 24 * HOUR_MS })), {
          busyBefore: 0.97,
          sinceUtcMs: 1,
        }),
      /^The checkpoint task has a queue at times\. Busy 37 % of 24 h since the last change; 97 % before the first\. .*25 feed the queue/,
    ],
  ];
  for (const [title, words, expected] of said) it(title, () => assert.match(joinWords(words()), expected));

  it('says what cannot be told yet, and for how long', () => {
    const text = joinWords(say(judgeTask(taskOf(manyOf(3, 5, { share: 0.3 }), { observedMs: 240_000 }))));
    assert.match(
      text,
      /^Too early to say\. 4 minutes seen\. A first verdict needs about 6 minutes more\. .*Ranking starts once there is enough data/,
    );
    assert.equal(
      say(judgeTask(taskOf(manyOf(3, 5, { share: 0.31 }), { observedMs: 240_000 }))).brief,
      '93 % busy so far',
    );
  });

  it('names the scan of memory as the cost where it is most of it', () => {
    const scanning = (scanMs: number) =>
      joinWords(say(judgeTask(taskOf(manyOf(300, 5, { share: 0.003, count: 40 }), { scanMs }))));
    assert.match(
      scanning(1_500),
      /Most of the busy time looks like buffer pool scans: 9 in 10 checkpoints take 1\.5 s or longer\./,
    );
    assert.doesNotMatch(scanning(6_000), /scan/, '256 GB are scanned in a second, not in six');
  });
});
