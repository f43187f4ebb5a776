import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages';

export const REPORT_PATH = 'sql/ssms/checkpoint-health.rdl';

/** One column of a table: a field of its data set. Widths in inches. */
interface Column {
  readonly field: string;
  readonly title: string;
  readonly width: number;
  readonly isNumber?: boolean;
}

/** A table over one file of sql/ssms, whose text it carries with its template parameters filled. */
interface Table {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly values?: Readonly<Record<string, string>>;
  /** Shown in place of rows. */
  readonly empty: string;
  readonly columns: readonly Column[];
}

const column = (field: string, title: string, width: number): Column => ({ field, title, width });
const number = (field: string, title: string): Column => ({ field, title, width: 0.85, isNumber: true });

/** In the order of the page. */
export const TABLES: readonly Table[] = [
  {
    name: 'FlaggedDatabases',
    title:
      'Databases whose checkpoints are automatic, or whose target is unusual. A database is listed for its setting; only what was measured says whether it does harm.',
    file: 'flagged-databases.sql',
    empty: 'Every database that this login sees has a target recovery time of 60 seconds.',
    columns: [
      column('server_name', 'Server', 1.6),
      column('database_name', 'Database', 2.2),
      number('target_seconds', 'Target (s)'),
      column('finding', 'Finding', 2.4),
      column('look_first', 'Look first', 2.2),
      column('recovery_model', 'Recovery', 0.9),
    ],
  },
  {
    name: 'TrackingState',
    title: "The event session of Checkpoint Health. Lost events and buffers are the server's own counters.",
    file: 'tracking-state.sql',
    empty: 'Nothing is known.',
    columns: [
      column('session_state', 'State', 2.4),
      column('started_local', 'Started (server time)', 1.6),
      number('lost_events', 'Lost events'),
      number('lost_buffers', 'Lost buffers'),
      column('event_files', 'Event files', 2.2),
      column('recorded_databases', 'Databases', 2.2),
    ],
  },
  {
    name: 'Databases',
    title:
      'What checkpoints took, of the first 100,000 events recorded. pNN is the nearest rank; what did not pair is in no figure (run checkpoint-durations.sql for it).',
    file: 'checkpoint-durations.sql',
    values: { rows: '100000' },
    empty: 'No checkpoint was recorded, or nothing could be read: run checkpoint-durations.sql, whose last result set says why.',
    columns: [
      number('database_id', 'Id'),
      column('database_name', 'Database (named now)', 2.6),
      number('checkpoints', 'Checkpoints'),
      number('per_hour', 'Per hour'),
      number('average_ms', 'Average (ms)'),
      number('p50_ms', 'p50 (ms)'),
      number('p95_ms', 'p95 (ms)'),
      number('p99_ms', 'p99 (ms)'),
      number('maximum_ms', 'Max (ms)'),
      number('total_seconds', 'Total (s)'),
    ],
  },
];

/** The T-SQL of a table, as the report carries it. */
export function readCommandText({ file, values = {} }: Table): string {
  const text = readFileSync(join(root, 'sql/ssms', file), 'utf8');
  return text.replace(/<([a-z_]+), [a-z0-9()]+, ([^,<>]*)>/g, (_, name: string, byDefault: string) => values[name] ?? byDefault);
}

/** The custom report for SSMS, as a document of RDL 2008/01: the oldest that later versions of SSMS open. */
export function writeReport(): string {
  const [bodies, height] = layOutTables();
  return `<?xml version="1.0" encoding="utf-8"?>
<Report xmlns="http://schemas.microsoft.com/sqlserver/reporting/2008/01/reportdefinition">
  <Description>Checkpoint Health: databases with automatic checkpoints, the state of tracking, and what checkpoints took. Written by tools/ssms-report from the files of sql/ssms.</Description>
  <AutoRefresh>0</AutoRefresh>
  <DataSources>
    <DataSource Name="Server">
      <ConnectionProperties>
        <DataProvider>SQL</DataProvider>
        <ConnectString />
      </ConnectionProperties>
    </DataSource>
  </DataSources>
  <DataSets>
${TABLES.map(writeDataSet).join('\n')}
  </DataSets>
  <Body>
    <ReportItems>
${writeTextbox('Title', 'Checkpoint Health', 'bold', 0, 8)}
${bodies.join('\n')}
    </ReportItems>
    <Height>${height.toFixed(2)}in</Height>
  </Body>
  <Width>11in</Width>
  <Page>
    <PageHeight>8.5in</PageHeight>
    <PageWidth>12in</PageWidth>
    <LeftMargin>0.4in</LeftMargin>
    <RightMargin>0.4in</RightMargin>
    <TopMargin>0.4in</TopMargin>
    <BottomMargin>0.4in</BottomMargin>
  </Page>
</Report>
`;
}

const ROW_IN = 0.22;

function layOutTables(): readonly [readonly string[], number] {
  let top = 0.4;
  const parts = TABLES.map((table) => {
    const part = [writeTextbox(`${table.name}Title`, table.title, 'normal', top, 11), writeTablix(table, top + 0.4)].join('\n');
    top += 1.4;
    return part;
  });
  return [parts, top];
}

function writeDataSet(table: Table): string {
  const fields = table.columns.map(
    ({ field }) => `        <Field Name="${field}">
          <DataField>${field}</DataField>
        </Field>`,
  );
  return `    <DataSet Name="${table.name}">
      <Fields>
${fields.join('\n')}
      </Fields>
      <Query>
        <DataSourceName>Server</DataSourceName>
        <CommandText>${escapeXml(readCommandText(table))}</CommandText>
      </Query>
    </DataSet>`;
}

function writeTextbox(name: string, value: string, weight: 'bold' | 'normal', top: number, width: number): string {
  return `      <Textbox Name="${name}">
        <CanGrow>true</CanGrow>
        ${writeParagraphs(value, weight, weight === 'bold' ? '14pt' : '9pt')}
        <Top>${top.toFixed(2)}in</Top>
        <Left>0in</Left>
        <Height>0.3in</Height>
        <Width>${width}in</Width>
      </Textbox>`;
}

function writeTablix({ name, columns, empty }: Table, top: number): string {
  const widths = columns.map(({ width }) => `            <TablixColumn><Width>${width}in</Width></TablixColumn>`);
  const header = columns.map(({ field, title }) => writeCell(`${name}_${field}_header`, title, 'bold', false));
  const details = columns.map(({ field, isNumber }) =>
    writeCell(`${name}_${field}`, `=Fields!${field}.Value`, 'normal', isNumber === true),
  );
  const total = columns.reduce((sum, { width }) => sum + width, 0);
  return `      <Tablix Name="${name}Table">
        <TablixBody>
          <TablixColumns>
${widths.join('\n')}
          </TablixColumns>
          <TablixRows>
            <TablixRow><Height>${ROW_IN}in</Height><TablixCells>${header.join('')}</TablixCells></TablixRow>
            <TablixRow><Height>${ROW_IN}in</Height><TablixCells>${details.join('')}</TablixCells></TablixRow>
          </TablixRows>
        </TablixBody>
        <TablixColumnHierarchy>
          <TablixMembers>${columns.map(() => '<TablixMember />').join('')}</TablixMembers>
        </TablixColumnHierarchy>
        <TablixRowHierarchy>
          <TablixMembers>
            <TablixMember><KeepWithGroup>After</KeepWithGroup><RepeatOnNewPage>true</RepeatOnNewPage></TablixMember>
            <TablixMember><Group Name="${name}Rows" /></TablixMember>
          </TablixMembers>
        </TablixRowHierarchy>
        <NoRowsMessage>${escapeXml(empty)}</NoRowsMessage>
        <DataSetName>${name}</DataSetName>
        <Top>${top.toFixed(2)}in</Top>
        <Left>0in</Left>
        <Height>${(2 * ROW_IN).toFixed(2)}in</Height>
        <Width>${total.toFixed(2)}in</Width>
      </Tablix>`;
}

function writeCell(name: string, value: string, weight: 'bold' | 'normal', isNumber: boolean): string {
  const align = isNumber ? '<TextAlign>Right</TextAlign>' : '';
  return `<TablixCell><CellContents><Textbox Name="${name}"><CanGrow>true</CanGrow>${writeParagraphs(value, weight, '8pt', align)}<Style><Border><Color>LightGrey</Color><Style>Solid</Style></Border><PaddingLeft>2pt</PaddingLeft><PaddingRight>2pt</PaddingRight></Style></Textbox></CellContents></TablixCell>`;
}

function writeParagraphs(value: string, weight: 'bold' | 'normal', size: string, align = ''): string {
  const bold = weight === 'bold' ? '<FontWeight>Bold</FontWeight>' : '';
  const style = `<Style><FontFamily>Tahoma</FontFamily><FontSize>${size}</FontSize>${bold}</Style>`;
  return `<Paragraphs><Paragraph><TextRuns><TextRun><Value>${escapeXml(value)}</Value>${style}</TextRun></TextRuns><Style>${align}</Style></Paragraph></Paragraphs>`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
