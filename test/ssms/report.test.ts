import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import { readCommandText, TABLES, writeReport } from '../../tools/ssms-report/report';
import { listReportQueries, readReportText } from './report-queries';

const schema = readFileSync(join(__dirname, 'rdl-2008-subset.xsd'), 'utf8');

async function listErrors(contents: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.rdl', contents }], schema: [schema] });
  return errors.map(({ message }) => message);
}

describe('The custom report for SSMS', function () {
  this.timeout(30_000);
  const text = readReportText();

  it('is what its tool writes from the files of sql/ssms: after a change of one, run node --require tsx/cjs tools/ssms-report/main.ts', () => {
    assert.equal(text, writeReport());
    assert.deepEqual(
      listReportQueries(text).map(({ sql }) => sql),
      TABLES.map(readCommandText),
    );
  });

  it('is valid against the part of RDL 2008/01 that it uses', async () => {
    assert.deepEqual(await listErrors(text), []);
  });

  it('would not be valid with a wrong element, without a needed one, with a size of no unit, or with two items of one name', async () => {
    const wrong = [
      text.replace('<AutoRefresh>0</AutoRefresh>', '<AutoRefresh>0</AutoRefresh><Sections />'),
      text.replace(/<DataSetName>Databases<\/DataSetName>/, ''),
      text.replace('<Width>11in</Width>', '<Width>11</Width>'),
      text.replace('Name="DatabasesTable"', 'Name="TrackingStateTable"'),
      text.replace('<KeepWithGroup>After</KeepWithGroup>', '<KeepWithGroup>Behind</KeepWithGroup>'),
    ];
    for (const [i, each] of wrong.entries()) assert.notEqual(each, text, String(i));
    assert.deepEqual(
      (await Promise.all(wrong.map(listErrors))).map((errors) => errors.length > 0),
      wrong.map(() => true),
    );
  });

  it('has a cell, a column and a member for each field, and fits its page', () => {
    for (const { name, columns } of TABLES) {
      const tablix = new RegExp(`<Tablix Name="${name}Table">[\\s\\S]*?</Tablix>`).exec(text)?.[0] ?? '';
      const count = (part: string): number => tablix.split(part).length - 1;
      assert.deepEqual(
        [count('<TablixColumn>'), count('<TablixCell>'), count('<TablixMember />')],
        [columns.length, 2 * columns.length, columns.length],
      );
      for (const { field } of columns) assert.ok(tablix.includes(`<Value>=Fields!${field}.Value</Value>`), field);
      assert.ok(columns.reduce((sum, { width }) => sum + width, 0) <= 11.2, `${name} is wider than the page`);
    }
  });

  it('asks for nothing with a template parameter left in it, and changes nothing but temporary tables', () => {
    for (const { name, sql } of listReportQueries(text)) {
      assert.doesNotMatch(sql, /<[a-z_]+, [a-z0-9()]+,/, name);
      assert.doesNotMatch(sql, /^\s*GO\s*$/im, name);
      assert.doesNotMatch(sql.replace(/\/\*[\s\S]*?\*\//g, ' '), /\b(ALTER|GRANT|EXEC|EXECUTE|RECONFIGURE|USE)\b/, name);
    }
  });
});
