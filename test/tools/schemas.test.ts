import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_ATTEMPTS } from '../../cli/src/collect/attempts';
import { encodeState } from '../../cli/src/collect/server-state';
import { openOwnInstallation } from '../../cli/src/servers/installation';
import type { ForecastWave, KeptForecast } from '../../src/core/advice/forecast';
import type { LimitLook } from '../../src/core/advice/limits';
import { finishSteps } from '../../src/core/steps';
import type { DatabaseChange } from '../../src/core/task/change-moment';
import { encodeWriteWork } from '../../src/core/write-work/write-work-bytes';
import { WriteWorkLog } from '../../src/core/write-work/write-work-log';
import { SCHEMA_VERSION, TABLES } from '../../src/lake/tables';
import { writeNoted } from '../../src/monitor/evidence/kept-changes';
import { schemaFiles, writeSchemas } from '../../tools/build/schemas';
import { root } from '../../tools/packages';
import { encodeCapture, makeFollowingCapture } from '../captures/kept-captures';
import { makeFolder } from '../temporary-folder';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('The schemas of data from outside', () => {
  // The compiler reads all of src.

  for (const one of schemaFiles)
    it(`are made of the types as they are: ${one.file}. If not, run npm run schemas`, () => {
      assert.equal(read(one.file), writeSchemas(one));
    });
});

type Form = readonly [version: number, form: unknown];

/** What fields a value has, and of which type. */
function describeForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(describeForm);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value)
    .map(([name, field]) => [name, describeForm(field)])
    .sort();
}

/** By the first line of a file. @param schema of what that does not show */
function formOf(file: Uint8Array, schema = ''): Form {
  const header = JSON.parse(Buffer.from(file).toString('utf8').split('\n')[0] ?? '') as Readonly<
    Record<string, unknown>
  >;
  const listed = [header['sections'] ?? [], header['tables'] ?? []] as { readonly name: string }[][];
  const names = listed.map((each) => each.map(({ name }) => name));
  return [header['version'] as number, [describeForm(header), names, schema === '' ? '' : read(schema)]];
}

async function formOfSession(): Promise<Form> {
  const folder = makeFolder();
  await openOwnInstallation({ XDG_CONFIG_HOME: folder }, 'linux').keepStarted({
    mark: '1f'.repeat(16),
    startedLocalMs: 1,
    definitionId: 1,
  });
  const sessions = join(folder, 'checkpoint-health/sessions');
  const form = formOf(readFileSync(join(sessions, readdirSync(sessions)[0] ?? '')));
  return form;
}

const POLICY = JSON.parse(read('media/checkpoint-policy.schema.json'), (name, value: unknown) =>
  name === 'description' ? undefined : value,
) as { readonly properties: { readonly version: { readonly enum: number[] } } };
const CHANGE: Required<DatabaseChange> = {
  databaseId: 5,
  atUtcMs: 2,
  notBeforeUtcMs: 1,
  source: 'user',
  fromSeconds: 0,
  toSeconds: 60,
};
const WAVES: Required<ForecastWave>[] = [{ low: 0, high: 1, likely: 0.4, databaseIds: [7] }];
const FORECAST: Required<KeptForecast> = {
  madeUtcMs: 3,
  renewedUtcMs: 4,
  fromUtcMs: 1,
  toUtcMs: 2,
  now: 0.9,
  bound: 0.3,
  waves: WAVES,
};
const LOGS = { logUsedShare: 0.6, logUsedBy: 'Sales', logs: [{ database: 'Sales', usedShare: 0.6 }] };
const LOOK: Required<LimitLook> = {
  atUtcMs: 4,
  ...LOGS,
  redoQueueKb: 1,
  redoQueueBy: '',
  backoffs: 12,
  targetMisses: 2,
};
const NOTHING = {
  facts: {},
  answersUtcMs: 0,
  attempts: NO_ATTEMPTS,
  log: null,
  beginsUtcMs: null,
  capture: null,
};

/** A digest of what a file of each version looks like that is kept, since each has one. */
const KNOWN = {
  'a capture': { 2: '20a26bb7fe0c6aca', 3: '6f17bcc775881751' },
  'write work': { 1: '0448497f8ec01184' },
  'changes and the forecast of a server': { 1: '0655d6dc31ae8fad' },
  'how to go on with a server of a lake': { 2: '3a5de94e535eecd3' },
  'a lake': { 2: 'e9a5b21419f1e9e0', 3: '0d27358936c39182', 4: '1b09873c80a27b2e' },
  'a session that the command line started': { 1: 'e0d8fa7a15c2e502' },
  'a policy': { 1: '88f610017ae9b8b6' },
} as const;

describe('The form of what is kept', () => {
  const FORMS: Readonly<Record<keyof typeof KNOWN, () => Form | Promise<Form>>> = {
    'a capture': () => formOf(encodeCapture(makeFollowingCapture()), 'src/captures/state.schema.json'),
    'write work': () => formOf(finishSteps(encodeWriteWork(new WriteWorkLog()))),
    'changes and the forecast of a server': () => [
      1,
      writeNoted([CHANGE], { plans: [FORECAST], looks: [LOOK] }, []).map(({ bytes }) =>
        describeForm(JSON.parse(Buffer.from(bytes).toString())),
      ),
    ],
    'how to go on with a server of a lake': () =>
      formOf(encodeState(NOTHING), 'cli/src/collect/state.schema.json'),
    'a lake': () => [SCHEMA_VERSION, TABLES],
    'a session that the command line started': formOfSession,
    'a policy': () => [Math.max(...POLICY.properties.version.enum), POLICY],
  };
  for (const [name, find] of Object.entries(FORMS))
    it(`is another only under another version: ${name}. If it changed, raise the version, read the one before, and keep a file of it in the tests`, async () => {
      const [version, form] = await find();
      const digest = createHash('sha256').update(JSON.stringify(form)).digest('hex').slice(0, 16);
      const known: Readonly<Record<number, string>> = KNOWN[name as keyof typeof KNOWN];
      assert.deepEqual([version, digest], [version, known[version]]);
      assert.equal(version, Math.max(...Object.keys(known).map(Number)), 'the newest is written');
    });
});
