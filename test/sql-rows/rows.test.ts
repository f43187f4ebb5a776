/**
 * Our read queries, translated to DuckDB by two programs of others, over modelled catalog views: a regression check of our own logic (joins, conditions, which rows
 * and columns). It is no evidence about SQL Server: views, types and comparison are modelled here, and the translators know T-SQL in part. `gaps.ts` says what they cannot do.
 */
import assert from 'node:assert/strict';
import { fillTemplate } from '../../src/core/script/template';
import { readTemplates } from '../../src/texts';
import { prepareOrSkip } from '../pending';
import { bridgeGaps, GAPS, type Translator } from './gaps';
import { type AskedRows, ModelledCatalog } from './modelled-catalog';
import { prepareTranslator, type Translation } from './translators';
import type { ModelledServer } from './modelled-server';
import { forwarder, primary, secondary } from './servers/availability';
import { caseSensitive, mountPoints, oddNames, offline, readOnly, restoring, standby } from './servers/databases';
import { standalone } from './servers/standalone';
import { systemOnly } from './servers/system';

/** The table of modelled servers: one row each, with what every read must say of it. */
const MODELLED_SERVERS: Readonly<Record<string, ModelledServer>> = {
  standalone,
  'primary replica': primary,
  'secondary replica': secondary,
  'forwarder of a distributed availability group': forwarder,
  'read-only database': readOnly,
  'standby database': standby,
  'offline database': offline,
  'restoring database': restoring,
  'system databases alone': systemOnly,
  'mount points': mountPoints,
  'odd names': oddNames,
  'case-sensitive collation': caseSensitive,
};

type Read = keyof typeof readTemplates;
const READS = Object.keys(readTemplates) as Read[];
const TRANSLATORS: readonly Translator[] = ['polyglot', 'sqlglot'];

/** Cells joined as the table of servers has them. */
const show = (rows: AskedRows): readonly string[] => rows.map((row) => row.map((cell) => cell ?? '~').join('|'));

/** The SELECT without its header: a translator would carry it along. */
const textOf = (read: Read): string => bridgeGaps(fillTemplate(readTemplates[read], {}).replace(/^\/\*[\s\S]*?\*\//, ''));

describe('The table of modelled servers', () => {
  it('says of every read what its rows are, on one server at least and not only that there are none', () => {
    const expected = Object.values(MODELLED_SERVERS).flatMap((server) => Object.entries(server.expected));
    const withRows = new Set(expected.filter(([, rows]) => rows.length > 0).map(([read]) => read));
    assert.deepEqual(
      READS.filter((read) => !withRows.has(read)),
      [],
    );
    assert.deepEqual(
      expected.map(([read]) => read).filter((read) => !READS.includes(read as Read)),
      [],
    );
  });
});

for (const translator of TRANSLATORS)
  describe(`The read queries over modelled catalog views, by ${translator}`, function () {
    this.timeout(60_000);
    let translations: ReadonlyMap<string, Translation>;
    let samples: readonly Translation[];
    const catalogs = new Map<string, ModelledCatalog>();

    before(async function () {
      const translate = await prepareOrSkip(this, () => prepareTranslator(translator));
      const given = await translate([...READS.map(textOf), ...GAPS.flatMap(({ sample }) => [sample, bridgeGaps(sample)])]);
      translations = new Map(READS.map((read, at) => [read, given[at] as Translation]));
      samples = given.slice(READS.length);
      for (const [kind, server] of Object.entries(MODELLED_SERVERS)) catalogs.set(kind, await ModelledCatalog.create(server));
    });
    after(() => catalogs.forEach((catalog) => catalog.close()));

    const sqlOf = (translation: Translation | undefined): string =>
      translation !== undefined && 'sql' in translation ? translation.sql : assert.fail(JSON.stringify(translation));

    it('are translated, every one', () => {
      assert.deepEqual(
        [...translations].filter(([, translation]) => 'refusal' in translation),
        [],
      );
    });

    for (const [kind, { expected }] of Object.entries(MODELLED_SERVERS))
      it(`give the expected rows: ${kind}`, async () => {
        for (const [read, rows] of Object.entries(expected))
          assert.deepEqual(show((await catalogs.get(kind)?.ask(sqlOf(translations.get(read)))) ?? []), rows, read);
      });

    GAPS.forEach(({ name, means }, at) =>
      it(`have a gap that is bridged here: ${name}`, async () => {
        const [plain, bridged] = samples.slice(2 * at) as [Translation, Translation];
        const catalog = catalogs.get('standalone') as ModelledCatalog;
        const answer = 'sql' in plain ? await catalog.ask(plain.sql).catch((error: Error) => error.message) : plain.refusal;
        assert.notDeepEqual(answer, [[means]], 'the translator can do it now: take the gap out');
        assert.deepEqual(await catalog.ask(sqlOf(bridged)), [[means]]);
      }),
    );
  });
