/** One row of the pane as a value: all that is shown of it, and what commands need to know. */
import type { Group } from '../../core/advice/verdict-names';
import { makeVisible } from '../../core/visible';
import type { CommandId } from '../kit/command-table';

type RowKind =
  | 'notice'
  | 'server'
  | 'connecting'
  | 'failure'
  | 'tracking'
  | 'verdict'
  | 'nearestLimit'
  | 'waves'
  | 'automatic'
  | 'model'
  | 'finding'
  | 'findings'
  | 'limits'
  | 'limit'
  | 'filter'
  | 'group'
  | 'database'
  | 'more';

export interface RowIcon {
  /** A codicon of VS Code 1.79. */
  readonly name: string;
  /** A theme colour; never the only sign of anything. */
  readonly colour?: string;
}

export interface Row {
  readonly kind: RowKind;
  /** Stable, because the editor uses it to remember what is open and selected. */
  readonly id: string;
  readonly serverId: string;
  readonly label: string;
  readonly description: string;
  /** Plain text: names in it are never read as markup. */
  readonly tooltip: string;
  readonly icon: RowIcon | null;
  /** The value that menus in the manifest test. */
  readonly context: string;
  readonly expand: 'never' | 'closed' | 'open';
  /** What a screen reader says. */
  readonly spoken: string;
  readonly group: Group | null;
  readonly databaseId: number | null;
  /** Runs on a click or Enter. */
  readonly command: CommandId | null;
}

type Given = Pick<Row, 'kind' | 'serverId' | 'label'> &
  Partial<Omit<Row, 'tooltip'>> & {
    /** Absent: a server has one such row. */
    readonly id?: string;
    /** Lines. A line break inside one of them is part of a name. */
    readonly tooltip?: readonly string[];
  };

/** A row with the parts that are missing left empty, and its texts ready to be shown. */
export function createRow(given: Given): Row {
  const { label, description = '' } = given;
  const said = joinTexts(label, description);
  return {
    id: `${given.serverId}/${given.kind}`,
    icon: null,
    context: given.kind,
    expand: 'never',
    group: null,
    databaseId: null,
    command: null,
    ...given,
    label: makeVisible(label),
    description: makeVisible(description),
    tooltip: (given.tooltip ?? [said]).map(makeVisible).join('\n'),
    spoken: makeVisible(given.spoken ?? said),
  };
}

function joinTexts(label: string, description: string): string {
  return description === '' ? label : `${label}: ${description}`;
}

/** Whether a command got one of our rows. Everything else is a node of another extension. */
export function isRow(target: unknown): target is Row {
  if (typeof target !== 'object' || target === null) return false;
  const row = target as Partial<Row>;
  return (
    typeof row.kind === 'string' &&
    typeof row.serverId === 'string' &&
    typeof row.context === 'string' &&
    typeof row.spoken === 'string'
  );
}
