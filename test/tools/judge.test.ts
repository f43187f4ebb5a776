import assert from 'node:assert/strict';
import { captureOfSite } from '../../tools/judge/capture';
import { evidenceOfSite } from '../../tools/judge/evidence';
import { factsOfSite } from '../../tools/judge/facts';
import { judgeSite } from '../../tools/judge/judge';
import { readSite, type Site, SiteError } from '../../tools/judge/site';

const fromMs = Date.UTC(2026, 2, 2, 8);
const minuteMs = 60_000;
const plain = {
  name: 'two',
  databases: [
    { id: 5, name: 'A', targetSeconds: 0 },
    { id: 6, name: 'B', targetSeconds: 0 },
  ],
  observedFromMs: fromMs,
  observedToMs: fromMs + 60 * minuteMs,
};

const siteOf = (more: object): Site => readSite({ ...plain, ...more });
/** At this many minutes, of this many milliseconds. */
const checkpoint = (id: number, minute: number, takesMs: number, cause = 'automatic'): unknown[] => {
  return [id, fromMs + minute * minuteMs, fromMs + minute * minuteMs + takesMs, cause];
};

function capture(more: object): NonNullable<ReturnType<typeof captureOfSite>> {
  const site = siteOf(more);
  const record = captureOfSite(site, factsOfSite(site));
  assert.ok(record !== null);
  return record;
}

type Row = readonly [databaseId: number, minute: number, milliseconds: number];

/** Sorted, because two tasks end in any order. */
function rowsOf({ columns, databases }: ReturnType<typeof capture>): readonly Row[] {
  const rows = Array.from({ length: columns.rows }, (_, row): Row => [
    databases[columns.database[row] ?? 0]?.databaseId ?? 0,
    ((columns.beginUtcMs[row] ?? 0) - fromMs) / minuteMs,
    columns.durationMs[row] ?? 0,
  ]);
  return rows.sort(([, a, aMs], [, b, bMs]) => a - b || aMs - bMs);
}

describe('A site as the product reads it', () => {
  const back = [5, fromMs + 30 * minuteMs, fromMs + 20 * minuteMs + 500, 'automatic'];
  const across = [5, fromMs + 9 * minuteMs, fromMs + 21 * minuteMs, 'automatic'];
  for (const [title, more, expected, gaps = []] of [
    [
      'has every checkpoint with its own begin and end, in whichever order the file lists them',
      { checkpoints: [checkpoint(6, 3, 500), checkpoint(5, 1, 2500), checkpoint(6, 2, 100, 'indirect')] },
      [
        [5, 1, 2500],
        [6, 2, 100],
        [6, 3, 500],
      ],
    ],
    [
      'keeps checkpoints of one database apart that overlap on two tasks',
      {
        checkpoints: [
          checkpoint(5, 1, 90_000),
          checkpoint(5, 2, 60_000, 'backup'),
          checkpoint(5, 2, 10_000, 'backup'),
        ],
      },
      [
        [5, 1, 90_000],
        [5, 2, 10_000],
        [5, 2, 60_000],
      ],
    ],
    [
      'has nothing of what happened in a gap, and no checkpoint across one',
      {
        gaps: [[fromMs + 10 * minuteMs, fromMs + 20 * minuteMs]],
        checkpoints: [checkpoint(5, 1, 100), across, checkpoint(6, 15, 100), checkpoint(6, 30, 100)],
      },
      [
        [5, 1, 100],
        [6, 30, 100],
      ],
      ['session stopped 600 to 1200'],
    ],
    [
      'pairs by the order of the task where the clock was moved back',
      {
        clockBack: { atMs: fromMs + 30 * minuteMs + 200, byMs: 10 * minuteMs },
        inTaskOrder: true,
        checkpoints: [checkpoint(6, 5, 700), back, checkpoint(6, 21, 300), checkpoint(5, 50, 900)],
      },
      [
        [6, 5, 700],
        [5, 50, 900],
      ],
      ['clock moved back 1170.2 to 1830.2'],
    ],
  ] as readonly (readonly [string, object, readonly Row[], string[]?])[])
    it(title, () => {
      const record = capture(more);
      const secondOf = (utcMs: number): number => (utcMs - fromMs) / 1_000;
      // While the clock was moved, times say nothing.
      const isClear = ([, minute]: Row): boolean => !('clockBack' in more) || minute < 10 || minute > 40;
      assert.deepEqual(rowsOf(record).filter(isClear), expected);
      assert.deepEqual(
        record.observation?.gaps.map(
          (gap) => `${gap.kind} ${secondOf(gap.beginUtcMs)} to ${secondOf(gap.endUtcMs)}`,
        ),
        gaps,
      );
    });

  it('is the same site where it counts from 0, or from long ago', () => {
    const turns = Array.from({ length: 50 }, (_, at) => [
      5 + (at % 2),
      at * minuteMs,
      at * minuteMs + 40_000,
      'automatic',
    ]);
    const at = (beginMs: number): ReturnType<typeof judgeSite> => {
      const checkpoints = turns.map(([id, from, to, cause]) => [
        id,
        Number(from) + beginMs,
        Number(to) + beginMs,
        cause,
      ]);
      return judgeSite(
        siteOf({ observedFromMs: beginMs, observedToMs: beginMs + 50 * minuteMs, checkpoints }),
      );
    };
    assert.equal(at(fromMs).cohort.length, 2);
    for (const beginMs of [0, Date.UTC(2012, 0, 1)]) assert.deepEqual(at(beginMs), at(fromMs));
  });

  it('knows backups by name, unless they may not be read', () => {
    const backups = [{ databaseId: 6, type: 'D', startMs: fromMs + 1500, endMs: fromMs + minuteMs }];
    const read = (more: object) => {
      const site = siteOf({ backups, ...more });
      return evidenceOfSite(site, factsOfSite(site), null).grounds?.backups ?? null;
    };
    assert.deepEqual(read({})?.byName.get('B'), [
      { type: 'full', beginUtcMs: fromMs + 1000, endUtcMs: fromMs + minuteMs, bytes: 0 },
    ]);
    assert.equal(read({ server: { canReadBackups: false } }), null);
  });

  it('reads the error log in the time of the server, unless it may not be read', () => {
    const errorLog = [
      '2026-03-02 10:30:00.12 spid12s     FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 5:0',
      '2026-03-02 10:30:00.12 spid12s                 average writes per second: 4306.30 writes/sec',
    ];
    const read = (server: object) => {
      const site = siteOf({ errorLog, server: { utcOffsetMin: 120, ...server } });
      return evidenceOfSite(site, factsOfSite(site), null).known?.get(5) ?? null;
    };
    assert.equal(read({})?.flushCache?.messages, 1);
    assert.equal(read({ canReadErrorLog: false })?.flushCache, null);
  });
});

describe('A site that is none', () => {
  const wrong: readonly (readonly [what: string, site: object, field: RegExp])[] = [
    ['a name that is missing', { name: undefined }, /^name: a text is wanted; it is missing/],
    [
      'a target that is a text',
      { databases: [{ id: 5, name: 'A', targetSeconds: '0' }] },
      /^databases\[0\]\.targetSeconds: a number/,
    ],
    [
      'an id twice',
      { databases: [plain.databases[0], { ...plain.databases[1], id: 5 }] },
      /^databases\[1\]\.id: 5/,
    ],
    [
      'a cause that nobody knows',
      { checkpoints: [checkpoint(5, 1, 1, 'manuel')] },
      /^checkpoints\[0\]: .*manual/,
    ],
    ['an end before the begin of what was observed', { observedToMs: 0 }, /^observedToMs/],
    ['a flag that is a number', { server: { canRecord: 1 } }, /^server\.canRecord: true or false/],
  ];
  for (const [what, more, field] of wrong) {
    it(`is refused with the name of the field: ${what}`, () => {
      assert.throws(
        () => siteOf(more),
        (error) => error instanceof SiteError && field.test(error.message),
      );
    });
  }
});
