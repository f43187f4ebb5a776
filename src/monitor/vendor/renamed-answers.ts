/** What a server answered, without its names: each column has a rule, and what has none is left out. */
import { createLineRenamer, keepWord } from '../../core/errorlog/renamed-line';
import { readMessageTemplates } from '../../core/errorlog/error-log-answer';
import { t } from '../../core/language';
import type { Cell } from '../../hosts/host';
import type { RecordedAnswer } from '../queries/recorded-answers';
import type { NamedKind, StandIns } from './stand-ins';

/** `number`, `time`, `word`: kept if the cell looks like one, else left out. A kind of name: what stands for it. */
type Rule = 'number' | 'time' | 'word' | 'sign' | 'argument' | 'process' | 'line' | 'left out' | NamedKind;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...listColumns('SERVER', 'server_name primary_replica'),
  ...listColumns('DATABASE', 'database_name counter_instance'),
  ...listColumns('GROUP', 'group_name member_group'),
  ...listColumns('VOLUME', 'volume_name'),
  ...listColumns('ID', 'group_database_id'),
  ...listColumns(
    'time',
    'now_utc started_local created_local begin_local end_local first_local last_local begins_local log_date',
  ),
  ...listColumns(
    'word',
    `product_version product_level edition state_name recovery_model log_reuse_wait updateability role_name member_role setting_name backup_type`,
  ),
  ...listColumns(
    'number',
    `engine_edition utc_offset_minutes database_id source_database_id in_availability_group configured in_use caught_number trace_flag
    quarter_hours noise_rows ordinal log_number made_here used_percent backoffs file_type files data_files log_files untyped_files data_writes
    data_reads log_writes vlf_count replicas log_flushes write_transactions checkpoint_pages background_writer_pages lazy_writes page_writes
    database_pages message_id language_id`,
  ),
  ['path_separator', 'sign'],
  ['argument', 'argument'],
  ['process_info', 'process'],
  ['log_text', 'line'],
  ...listColumns('left out', 'login_name caught_message message_text'),
]);

/** Names of columns with a bit or a number and its unit. */
const NUMBERED = /^(can|has|is)_|_(bytes|kb|mb|ms|seconds|waits)$/;

/** The rule of a column of sql/read; undefined: it has none, and is left out. */
export function findRule(column: string): Rule | undefined {
  return RULES.get(column) ?? (NUMBERED.test(column) ? 'number' : undefined);
}

const SHAPES: Readonly<Partial<Record<Rule, RegExp>>> = {
  number: /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/,
  time: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,7})?$/,
  sign: /^[\\/]$/,
  process: /^(?:spid\d{1,6}s?|Server|Logon|Backup)$/,
};

/** The answers in which each name is replaced by what stands for it. Texts of errors are left out. */
export function renameAnswers(
  answers: readonly RecordedAnswer[],
  standIns: StandIns,
): readonly RecordedAnswer[] {
  const templates = answers
    .filter(({ name }) => name === 'message-templates')
    .flatMap((answer) => readMessageTemplates(answer).values);
  const renameLine = createLineRenamer(templates, {
    database: (name) => standIns.of('DATABASE', name),
    file: (path) => standIns.of('FILE', path),
  });
  const renameCell = (column: string, cell: Cell): Cell => {
    if (cell === null) return null;
    const rule = findRule(column);
    switch (rule) {
      case undefined:
      case 'left out':
        return LEFT_OUT;
      case 'line':
        return renameLine(cell);
      case 'word':
        return /^[\d.]{1,40}$/.test(cell) ? cell : keepWord(cell);
      case 'argument':
        return renameArgument(cell, standIns);
      case 'number':
      case 'time':
      case 'sign':
      case 'process':
        return SHAPES[rule]?.test(cell) === true ? cell : LEFT_OUT;
      default:
        return standIns.of(rule, cell);
    }
  };
  return answers.map(({ name, asked, columns, rows, failure }) => ({
    name,
    // Our own text. It holds times and numbers, and no name: reads that take a name are not recorded.
    asked,
    columns,
    rows:
      name === 'message-templates'
        ? []
        : rows.map((row) => row.map((cell, at) => renameCell(columns[at] ?? '', cell))),
    failure: failure && {
      reason: failure.reason,
      number: failure.number,
      message: t('The text of the error was left out.'),
    },
  }));
}

const LEFT_OUT = 'left out';

/** A trace flag stays; a path is one, and nothing else is known. */
function renameArgument(argument: string, standIns: StandIns): string {
  if (/^-[Tt]\d{1,6}$|^-k ?\d{1,6}$|^-[a-zA-Z]$/.test(argument)) return argument;
  const [, option, path = ''] = /^(-[del]) ?(.+)$/s.exec(argument) ?? [];
  return option === undefined ? LEFT_OUT : `${option}${standIns.of('FILE', path)}`;
}

function listColumns(rule: Rule, columns: string): readonly (readonly [string, Rule])[] {
  return columns.split(/\s+/).map((column) => [column, rule]);
}
