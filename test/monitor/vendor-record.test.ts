import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeCapture, encodeCapture } from '../../src/captures/capture-format';
import type { KeptRecord } from '../../src/core/capture/capture-record';
import type { EvidencePage, EvidencePages } from '../../src/core/pages/evidence-page';
import { finishSteps } from '../../src/core/steps';
import {
  ANSWERS_SECTION,
  decodeAnswers,
  encodeAnswers,
  type RecordedAnswer,
} from '../../src/monitor/queries/recorded-answers';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { findRule } from '../../src/monitor/vendor/renamed-answers';
import { renameRecord, writeNames } from '../../src/monitor/vendor/vendor-record';
import { root } from '../../tools/packages';
import { commandNames, hostileNames } from '../core/script/hostile-names';
import { open, shortTimers } from './opened-record';
import { gapOf } from '../core/gap-of';

const sample =
  finishSteps(decodeCapture(readFileSync(join(root, 'media/sample.checkpoints')))).capture ??
  assert.fail('no sample');
/** Short ones, some that are part of others or of a word of an error log, and what breaks what is not careful. */
const short = [
  'a',
  'Sales',
  'Sales_2019',
  'for',
  'bufs',
  'spid7s',
  "O'Brien",
  'Süd\u202Egnp',
  '数据库',
  'DATABASE-1',
];
const planted = [...hostileNames, ...commandNames, ...short];

const readAnswers = ({ sections }: KeptRecord): readonly RecordedAnswer[] =>
  finishSteps(
    decodeAnswers(sections.find(({ name }) => name === ANSWERS_SECTION)?.bytes ?? assert.fail('no answers')),
  ) ?? [];

/** The bytes of the capture for a vendor, and what stands for what in it. */
function write(record: KeptRecord): { readonly bytes: Uint8Array; readonly names: string } {
  const vendor = finishSteps(renameRecord(record, 'Label of the user'));
  return {
    bytes: finishSteps(encodeCapture({ ...vendor.record, serverLabel: vendor.serverLabel })),
    names: writeNames(vendor.standIns),
  };
}

describe('a capture for a vendor', () => {
  let named: ServerMonitor;
  let renamed: ServerMonitor;
  let pages: readonly [EvidencePages, EvidencePages];
  const { bytes, names } = write(sample);

  before(async () => {
    named = await open(readFileSync(join(root, 'media/sample.checkpoints')), shortTimers);
    renamed = await open(bytes, shortTimers);
    pages = [await named.gatherEvidence(), await renamed.gatherEvidence()];
  });
  after(async () => {
    await named.dispose();
    await renamed.dispose();
  });

  it('has no name of the server, of a database, of a path or of a volume in any of its bytes', () => {
    const databases = sample.databases.map(({ name }) => name ?? '').filter((name) => name !== 'msdb');
    const all = readAnswers(sample).filter(({ name }) => name === 'database-facts');
    const everyDatabase = all.flatMap(({ columns, rows }) =>
      rows.map((row) => row[columns.indexOf('database_name')] ?? ''),
    );
    const others = [
      'SAMPLE-SQL07',
      'Sample:',
      'Label of the user',
      'MSSQL15',
      'C:\\',
      'L:\\',
      '.xel',
      '.mdf',
    ];
    const secrets = [...databases, ...everyDatabase.slice(4), ...others];
    assert.ok(secrets.length > 60);
    assert.deepEqual(findAll(bytes, secrets), []);
  });

  it('opens with the same checkpoints, times, databases by id and verdicts', () => {
    const [was, is] = [named, renamed].map(({ snapshot, capture }) => ({
      failure: snapshot.failure,
      rows: capture?.columns.rows,
      begins: capture?.columns.beginUtcMs,
      durations: capture?.columns.durationMs,
      observation: capture?.observation,
      ledger: capture?.ledger(),
      databases: snapshot.facts?.databases.map((database) => ({ ...database, name: '' })),
      state: snapshot.instance?.state,
      advised: snapshot.instance?.advised,
      verdicts: [...snapshot.verdicts].map(([id, { verdict, group }]) => [id, verdict, group]),
    }));
    assert.equal(is?.failure, null);
    assert.deepEqual(is, was);
  });

  it('shows the same figures on every page', () => {
    const [was, is] = pages.map((each) => JSON.stringify(listFigures(each)));
    assert.ok((was ?? '').length > 10_000);
    assert.equal(is, was);
  });

  it('calls the same name the same everywhere, and tells the user which is which', () => {
    const erp = /\| (DATABASE-\d+) \| Datum\\_ERP \|/.exec(names)?.[1] ?? assert.fail(names);
    const ids = [named, renamed].map(
      ({ snapshot }) =>
        snapshot.facts?.databases.find(({ name }) => name === 'Datum_ERP' || name === erp)?.databaseId,
    );
    assert.equal(ids[1], ids[0]);
    assert.match(names, /\| SERVER-1 \| SAMPLE-SQL07 \|/);
    for (const { name } of renamed.capture?.databases ?? [])
      assert.match(name ?? '', /^DATABASE-\d+$|^msdb$/);
  });

  it('has no name that was planted in any text that a server or an earlier version may have given', () => {
    for (const name of planted) {
      const { bytes: written } = write(plant(sample, name));
      // A short one is a part of many words: it counts where it stands by itself.
      const found = name.length > 4 ? [name] : [`'${name}'`, `[${name}]`, `"${name}"`, `database ${name} `];
      if (name !== 'DATABASE-1') assert.deepEqual(findAll(written, found), [], name);
      assert.deepEqual(findAll(written, ['PlantedSecret']), [], name);
    }
  });

  it('has a rule for every column of every read that is recorded', () => {
    const notRecorded = [
      'event-session.sql',
      'checkpoint-events.sql',
      'adoptable-sessions.sql',
      'ring-buffer.sql',
      'central-servers.sql',
    ];
    const files = readdirSync(join(root, 'sql/read')).filter((file) => !notRecorded.includes(file));
    const columns = files.flatMap((file) => {
      const text = readFileSync(join(root, 'sql/read', file), 'utf8').replace(/\/\*[^]*?\*\//g, '');
      return [...text.slice(text.lastIndexOf('SELECT TOP')).matchAll(/^ {4}([a-z_]+) = /gm)].map(
        ([, column = '']) => column,
      );
    });
    assert.ok(columns.length > 120, String(columns.length));
    const without = columns.filter((column) => findRule(column) === undefined);
    assert.deepEqual(without, []);
  });
});

/** The same record with this name, and a mark, wherever a text of the server can hold one. */
function plant(record: KeptRecord, name: string): KeptRecord {
  const secret = `PlantedSecret ${name}`;
  const [first] = record.databases;
  const answers = readAnswers(record).map((answer) => {
    const isLog = answer.name === 'error-log' && answer.rows.length > 1;
    const rows = answer.rows.map((row) =>
      row.map((cell, at) => plantCell(answer.columns[at] ?? '', cell, first?.name ?? '', name)),
    );
    return { ...answer, rows: isLog ? [...rows, ...plantLines(answer, name, secret)] : rows };
  });
  const failed = { name: 'accelerated-recovery', asked: null, columns: [], rows: [] };
  const failure = {
    reason: 'queryFailed',
    message: `The database '${name}' (${secret}) cannot be opened.`,
    number: 916,
  } as const;
  const others = record.sections.filter((section) => section.name !== ANSWERS_SECTION);
  const all = [...answers.filter((answer) => answer.name !== failed.name), { ...failed, failure }];
  const state = record.state ?? assert.fail('no state');
  const gap = gapOf('failover', 1, 2, `Another server, ${secret}, answered in its place.`);
  const malformed = [
    {
      ...({} as (typeof state.plain.malformed)[number]),
      excerpt: secret,
      fileName: secret,
      fileOffset: null,
    },
  ];
  return {
    ...record,
    serverName: secret,
    databases: record.databases.map((database) => (database === first ? { ...database, name } : database)),
    observation: record.observation && { ...record.observation, gaps: [...record.observation.gaps, gap] },
    state: { ...state, plain: { ...state.plain, malformed, gaps: [...state.plain.gaps, gap] } },
    sections: [
      ...others,
      { name: 'a section of a later version', bytes: Buffer.from(secret) },
      { name: ANSWERS_SECTION, bytes: finishSteps(encodeAnswers(all)) },
    ],
  };
}

function plantCell(column: string, cell: string | null, old: string, name: string): string | null {
  if (cell === old) return name;
  if (column === 'server_name' || column === 'caught_message' || column === 'login_name')
    return `PlantedSecret ${name}`;
  if (column === 'volume_name') return `C:\\PlantedSecret\\${name}\\`;
  return column === 'argument' && cell?.startsWith('-d') === true ? `-dC:\\PlantedSecret\\${name}.mdf` : cell;
}

function plantLines({ columns, rows }: RecordedAnswer, name: string, secret: string): RecordedAnswer['rows'] {
  const texts = [
    `Setting database option target_recovery_time to 60 for database '${name}'.`,
    `Setting database option DIRECTORY_NAME to ${secret} for database '${name}'.`,
    `Recovery is writing a checkpoint in database '${name}' (7). This is an informational message only.`,
    `Recovery completed for database ${name} (database ID 7) in 3 second(s) (analysis 1 ms, redo 2 ms, undo 3 ms.) This is an informational message only.`,
    `SQL Server has encountered 2 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [D:\\PlantedSecret\\x.mdf] in database [${name}] (7).`,
    `Buffer Pool scan took 14 seconds: database ID 7, command '<${secret}>', operation '<${secret}>', scanned buffers 5, total iterated buffers 6, wait time 0 ms.`,
    `DirtyPageMgr::ForceCatchupOrFlushCache of ${secret}: cleaned up 166 dirty pages in 4 ms for db 19`,
    `Login failed for user '${secret}'. Reason: Failed to open the explicitly specified database '${name}'.`,
    `Starting up database '${secret}'.`,
    `${secret} '${name}'`,
  ];
  const last = rows.at(-1) ?? assert.fail('no rows');
  return texts.map((text) =>
    last.map((cell, at) =>
      columns[at] === 'log_text' ? text : columns[at] === 'process_info' ? `spid7s${secret}` : cell,
    ),
  );
}

function findAll(bytes: Uint8Array, secrets: readonly string[]): readonly string[] {
  const whole = Buffer.from(bytes);
  return secrets.filter((secret) => {
    // As it is, and as it stands in a text of JSON.
    const written = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    ];
    return written.some((each) => whole.includes(each, 0, 'utf8') || whole.includes(each, 0, 'utf16le'));
  });
}

/** The figures of all pages, without their texts. */
function listFigures(pages: EvidencePages): readonly unknown[] {
  return Object.entries(pages).map(([name, page]: [string, EvidencePage]) => [
    name,
    page.tables.map(({ id, rows }) => [
      id,
      rows.length,
      rows.flatMap(({ cells }) => cells.map(({ value }) => (typeof value === 'number' ? value : null))),
    ]),
  ]);
}
