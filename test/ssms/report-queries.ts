import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { root } from '../../tools/packages';
import { REPORT_PATH } from '../../tools/ssms-report/report';

/** One data set of the report, as its file says. */
export interface ReportQuery {
  readonly name: string;
  readonly sql: string;
  /** Columns of the answer that the report shows. */
  readonly fields: readonly string[];
}

interface DataSet {
  readonly '@_Name': string;
  readonly Fields: { readonly Field: readonly { readonly DataField: string }[] };
  readonly Query: { readonly CommandText: string };
}

export function readReportText(): string {
  return readFileSync(join(root, REPORT_PATH), 'utf8');
}

/** What the report asks a server, in the order of its data sets. */
export function listReportQueries(text = readReportText()): readonly ReportQuery[] {
  const parser = new XMLParser({ ignoreAttributes: false, trimValues: false, isArray: (name) => name === 'DataSet' || name === 'Field' });
  const document = parser.parse(text) as { Report: { DataSets: { DataSet: readonly DataSet[] } } };
  return document.Report.DataSets.DataSet.map((set) => ({
    name: set['@_Name'],
    sql: set.Query.CommandText,
    fields: set.Fields.Field.map(({ DataField }) => DataField),
  }));
}
