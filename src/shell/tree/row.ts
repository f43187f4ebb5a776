/** One row of the pane as a value: everything that is shown of it, and what commands need to know. */
import type { Group } from '../../core/advice/verdict';
import { makeVisible } from '../../core/visible';
import type { CommandId } from '../kit/command-table';

type RowKind =
  | 'notice'
  | 'server'
  | 'connecting'
  | 'failure'
  | 'tracking'
  | 'verdict'
  | 'stopSign'
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
  /** A codicon that VS Code 1.79 has. */
  readonly name: string;
  /** A theme colour; never the only sign of anything. */
  readonly colour?: string;
}

export interface Row {
  readonly kind: RowKind;
  /** Stable: the editor remembers by it what is open and selected. */
  readonly id: string;
  readonly serverId: string;
  readonly label: string;
  readonly description: string;
  /** Plain text: names in it are never taken for markup. */
  readonly tooltip: string;
  readonly icon: RowIcon | null;
  /** What the menus of the manifest ask for. */
  readonly context: string;
  readonly expand: 'never' | 'closed' | 'open';
  /** What a screen reader says. */
  readonly spoken: string;
  readonly group: Group | null;
  readonly databaseId: number | null;
  /** Run by a click or Enter. */
  readonly command: CommandId | null;
}

type Given = Pick<Row, 'kind' | 'id' | 'serverId' | 'label'> &
  Partial<Omit<Row, 'tooltip'>> & {
    /** In lines: an end of a line inside of one of them is somebody's name. */
    readonly tooltip?: readonly string[];
  };

/** A row with the parts that are not given left empty, and its texts as they are read. */
export function createRow(given: Given): Row {
  const { label, description = '' } = given;
  const said = joinTexts(label, description);
  return {
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

/** Whether a command was invoked with one of our rows; everything else is a node of some other extension. */
export function isRow(target: unknown): target is Row {
  if (typeof target !== 'object' || target === null) return false;
  const row = target as Partial<Row>;
  return (
    typeof row.kind === 'string' && typeof row.serverId === 'string' && typeof row.context === 'string' && typeof row.spoken === 'string'
  );
}
