/*
 * Makes the JSON Schemas by which data from outside is read from the types that describe it. `npm run schemas` writes
 * them; a test holds that they are up to date.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';
import { root } from '../packages';

interface SchemaFile {
  readonly file: string;
  /** Where the types stand. */
  readonly source: string;
  readonly types: readonly string[];
}

export const schemaFiles: readonly SchemaFile[] = [
  {
    file: 'src/protocol.schema.json',
    source: 'src/protocol.ts',
    types: ['ToWebview', 'ToReview', 'ToErrorLog', 'ToExtension', 'FromReview', 'FromErrorLog'],
  },
  {
    file: 'src/captures/state.schema.json',
    source: 'src/captures/kept-plain.ts',
    types: ['KeptHeader', 'KeptPlain'],
  },
  {
    file: 'src/core/write-work/write-work.schema.json',
    source: 'src/core/write-work/write-work-log.ts',
    types: ['WriteWorkHeader'],
  },
  {
    file: 'src/monitor/evidence/kept.schema.json',
    source: 'src/monitor/evidence/kept-changes.ts',
    types: ['KeptForecast', 'LimitLook'],
  },
  {
    file: 'src/monitor/queries/answers.schema.json',
    source: 'src/monitor/queries/recorded-answers.ts',
    types: ['RecordedAnswer'],
  },
  {
    file: 'cli/src/collect/state.schema.json',
    source: 'cli/src/collect/state-head.ts',
    types: ['StateHead'],
  },
];

/**
 * The text of a file: an object with one schema for each type, whole in itself, so that each bundle takes only what it
 * reads.
 */
export function writeSchemas({ source, types }: Omit<SchemaFile, 'file'>): string {
  const generator = createGenerator({
    path: join(root, source),
    tsconfig: join(root, 'tsconfig.json'),
    type: '*',
    skipTypeCheck: true,
    topRef: false,
    additionalProperties: true,
    extraTags: ['bytesEach', 'maxBytes'],
  });
  const schemas = types.map((type) => `"${type}": ${writeSchema(generator.createSchema(type))}`);
  return `{\n${schemas.join(',\n')}\n}\n`;
}

/** A definition a line, so that a change can be read. */
function writeSchema(schema: object): string {
  const { definitions = {}, ...own } = JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    rewrite(value),
  ) as {
    readonly definitions?: object;
  };
  const lines = Object.entries(definitions).map(
    ([name, definition]) => `    ${JSON.stringify(name)}: ${JSON.stringify(definition)}`,
  );
  return `{\n${writeFields(own)}  "definitions": {\n${lines.join(',\n')}\n  }\n}`;
}

function writeFields(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
    .join('');
}

/**
 * Leaves out what is for readers of the types, and says of an ArrayBuffer that it is one: JSON Schema knows only what
 * properties it has.
 */
function rewrite(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isLeftOut = (name: string, said: unknown): boolean =>
    FOR_READERS.has(name) && typeof said === 'string';
  const schema = Object.fromEntries(Object.entries(value).filter(([name, said]) => !isLeftOut(name, said)));
  if (JSON.stringify(schema['properties']) !== BUFFER_PROPERTIES) return schema;
  const others = Object.entries(schema).filter(
    ([name]) => !['type', 'properties', 'required'].includes(name),
  );
  return { buffer: true, ...Object.fromEntries(others) };
}

const FOR_READERS: ReadonlySet<string> = new Set(['description', 'title', '$schema']);
const BUFFER_PROPERTIES = '{"byteLength":{"type":"number"}}';

if (require.main === module)
  for (const one of schemaFiles) writeFileSync(join(root, one.file), writeSchemas(one));
