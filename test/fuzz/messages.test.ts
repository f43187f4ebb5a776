import assert from 'node:assert/strict';
import Ajv, { type ValidateFunction } from 'ajv';
import { createReviewDraft } from '../../src/core/review/review-draft';
import { STRIP_SERIES } from '../../src/core/timeline/strip-samples';
import type {
  FromErrorLog,
  FromReview,
  ToErrorLog,
  ToExtension,
  ToReview,
  ToWebview,
} from '../../src/protocol';
import schemas from '../../src/protocol.schema.json';
import * as received from '../../src/received';
import { createChance, pick } from '../core/errorlog/disturbed-log';
import { SENT_TO_DASHBOARD, SENT_TO_ERROR_LOG, SENT_TO_REVIEW } from '../webview/fake-sent';
import { fuzzCases } from './cases';
import { disturb, STRANGE } from './disturbed-value';

type Typed = { readonly type: string };
/** One message of each kind; the type says if one is missing. */
type OneOfEach<Message extends Typed> = {
  readonly [Kind in Message['type']]: Message & { readonly type: Kind };
};

const bytes = new ArrayBuffer(8);
const draft = { ...createReviewDraft([5, 6], [5]), waveOf: [[6, 2]] as const };
const errorLogFile = { type: 'errorLogFile', name: 'ERRORLOG', totalBytes: 8, fromByte: 0, bytes } as const;
const failed = { type: 'failed', message: 'x is not a function' } as const;
const window = { beginUtcMs: 1, endUtcMs: 2 };

const toExtension: OneOfEach<ToExtension> = {
  ready: { type: 'ready', captureId: null, generation: 0, rows: 0 },
  received: { type: 'received', captureId: 'c', generation: 1, rows: 70_000 },
  invoke: { type: 'invoke', command: 'setChangeMoment', databaseIds: [5, -6] },
  export: {
    type: 'export',
    format: 'csv',
    what: 'page',
    pageId: 'errorLog',
    tableId: 'groups',
    window,
    side: null,
    databaseIds: [5],
  },
  save: { type: 'save', format: 'png', name: 'timeline', bytes },
  cancelReading: { type: 'cancelReading' },
  pauseReading: { type: 'pauseReading' },
  readOn: { type: 'readOn' },
  errorLogFile,
  failed,
};
const fromReview: OneOfEach<FromReview> = {
  ready: { type: 'ready' },
  choose: { type: 'choose', draft },
  readAgain: { type: 'readAgain' },
  open: { type: 'open', revision: 1 },
  openRecord: { type: 'openRecord', revision: 1 },
  compare: { type: 'compare', revision: 1 },
  failed,
};
const fromErrorLog: OneOfEach<FromErrorLog> = {
  ready: { type: 'ready' },
  markdown: { type: 'markdown' },
  readErrorLog: { type: 'readErrorLog' },
  save: { type: 'save', format: 'svg', name: 'groups', bytes },
  errorLogFile,
  failed,
};
const marks = { type: 'marks', marks: [], older: [], undated: 0 } as const;
const toWebview: readonly ToWebview[] = [
  ...(SENT_TO_DASHBOARD as readonly ToWebview[]),
  marks,
  { type: 'evidenceState', reading: { text: 'Reading the error log' }, stopped: null },
  { type: 'errorLogTaken', bytes: null },
  { type: 'reveal', databaseId: -5 },
];

const toErrorLog: readonly ToErrorLog[] = [
  ...(SENT_TO_ERROR_LOG as readonly ToErrorLog[]),
  { type: 'errorLogTaken', bytes: 1 },
];

interface End {
  readonly name: keyof typeof schemas;
  readonly read: received.MessageReader<unknown>;
  readonly samples: readonly Typed[];
}

const ends: readonly End[] = [
  { name: 'ToWebview', read: received.readToWebview, samples: toWebview },
  { name: 'ToReview', read: received.readToReview, samples: SENT_TO_REVIEW as readonly ToReview[] },
  { name: 'ToErrorLog', read: received.readToErrorLog, samples: toErrorLog },
  { name: 'ToExtension', read: received.readToExtension, samples: Object.values(toExtension) },
  { name: 'FromReview', read: received.readFromReview, samples: Object.values(fromReview) },
  { name: 'FromErrorLog', read: received.readFromErrorLog, samples: Object.values(fromErrorLog) },
];

/** The same schema read by another program, with what we add to JSON Schema said once more. */
function createOracle(): (name: keyof typeof schemas) => ValidateFunction {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true });
  const isBuffer = (value: unknown): value is ArrayBuffer =>
    Object.prototype.toString.call(value) === '[object ArrayBuffer]';
  ajv.addKeyword({ keyword: 'buffer', validate: (_: true, value: unknown) => isBuffer(value) });
  ajv.addKeyword({
    keyword: 'maxBytes',
    validate: (most: number, value: unknown) => isBuffer(value) && value.byteLength <= most,
  });
  ajv.addKeyword({
    keyword: 'bytesEach',
    validate: (
      each: object,
      value: unknown,
      _schema: unknown,
      at?: { readonly parentData: Readonly<Record<string, number>> },
    ) =>
      Object.entries(each).every(
        ([field, size]) => isBuffer(value) && value.byteLength === size * (at?.parentData[field] ?? NaN),
      ),
  });
  return (name) => ajv.compile(schemas[name]);
}

describe('A message between the extension and a page', () => {
  const samples = ends.flatMap(({ name, read, samples: own }) =>
    own.map((message) => ({ name, read, message })),
  );
  for (const [at, { name, read, message }] of samples.entries())
    it(`is taken as it is where the protocol has it: ${message.type} ${name}, ${at + 1}`, () => {
      assert.equal(read(message), message);
    });

  const columns = { type: 'columns', captureId: 'c', generation: 1, fromRow: 0, rows: 1, ofRows: 1 };
  const row = {
    beginUtcMs: new ArrayBuffer(8),
    durationMs: new ArrayBuffer(4),
    database: new ArrayBuffer(2),
    caller: new ArrayBuffer(1),
  };
  const refused: readonly (readonly [
    said: string,
    read: received.MessageReader<unknown>,
    message: object,
  ])[] = [
    [
      'says how many rows it holds with a fraction',
      received.readToExtension,
      { ...toExtension.ready, rows: 0.5 },
    ],
    [
      'says that it holds fewer rows than none',
      received.readToExtension,
      { ...toExtension.received, rows: -1 },
    ],
    ['names databases by a number', received.readToExtension, { ...toExtension.invoke, databaseIds: 5 }],
    ['names databases by texts', received.readToExtension, { ...toExtension.invoke, databaseIds: ['5'] }],
    [
      'asks for a command that no page may ask for',
      received.readToExtension,
      { ...toExtension.invoke, command: 'removeTracking' },
    ],
    ['saves a text as a picture', received.readToExtension, { ...toExtension.save, bytes: '<svg/>' }],
    [
      'carries more of a file than 1 MB',
      received.readToExtension,
      { ...errorLogFile, bytes: new ArrayBuffer(1_000_001) },
    ],
    ['chooses without a draft', received.readFromReview, { type: 'choose' }],
    [
      'chooses a fraction of a wave',
      received.readFromReview,
      { type: 'choose', draft: { ...draft, waveOf: [[6, 0.5]] } },
    ],
    ['has columns that are shorter than its rows', received.readToWebview, { ...columns, ...row, rows: 2 }],
    [
      'has a column of another length',
      received.readToWebview,
      { ...columns, ...row, database: new ArrayBuffer(4) },
    ],
    [
      'has a view in place of a buffer',
      received.readToWebview,
      { ...columns, ...row, beginUtcMs: new Float64Array(1) },
    ],
    ['has marks that are no list', received.readToWebview, { ...marks, marks: {} }],
    ['is of another page', received.readToErrorLog, { type: 'reveal', databaseId: 5 }],
  ];
  for (const [said, read, message] of refused)
    it(`is dropped if it ${said}`, () => {
      assert.equal(read(message), null);
    });

  it('may hold as many columns as the extension sends at once, and the series of each sample', () => {
    const rows = 66_000;
    const most = {
      beginUtcMs: new ArrayBuffer(8 * rows),
      durationMs: new ArrayBuffer(4 * rows),
      database: new ArrayBuffer(2 * rows),
      caller: new ArrayBuffer(rows),
    };
    assert.ok(received.readToWebview({ ...columns, ...most, rows, ofRows: rows }));
    const times = { beginUtcMs: new ArrayBuffer(16), endUtcMs: new ArrayBuffer(16) };
    const values = new ArrayBuffer(2 * 4 * STRIP_SERIES.length);
    assert.ok(received.readToWebview({ type: 'samples', replaces: true, samples: 2, ...times, values }));
  });

  it('is named in one short sentence where it is dropped, whatever it is', () => {
    for (const strange of [
      ...STRANGE,
      { type: 'x'.repeat(1_000_000) },
      { type: { toString: null } },
      Object.create(null),
    ])
      assert.match(
        received.describeDropped(strange),
        /^A message was dropped because it breaks the protocol: .{0,60}\.$/,
      );
  });

  it('is taken or dropped just as another reader of the same schema says, however it was disturbed', function () {
    this.timeout(0);
    const oracle = createOracle();
    const chance = createChance(20261127);
    const counts = { taken: 0, dropped: 0 };
    for (const { name, read, samples: own } of ends) {
      const validate = oracle(name);
      for (let left = fuzzCases / 5; left > 0; left--) {
        const message = disturb(chance, pick(chance, own));
        const isTaken = read(message) !== null;
        assert.equal(isTaken, validate(message), `${name}: ${JSON.stringify(message)?.slice(0, 2_000)}`);
        counts[isTaken ? 'taken' : 'dropped']++;
      }
    }
    assert.ok(counts.taken > fuzzCases / 100 && counts.dropped > fuzzCases / 10, JSON.stringify(counts));
  });
});
