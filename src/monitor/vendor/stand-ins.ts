/** Names that stand for others in a capture for a vendor: the same one wherever the same name was. */

/**
 * Databases of SQL Server itself, and of Amazon RDS: every server has them, and what they are is decided by these
 * names.
 */
const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  '',
  'master',
  'tempdb',
  'model',
  'msdb',
  'mssqlsystemresource',
  'rdsadmin',
  '_Total',
]);

export const NAMED_KINDS = ['SERVER', 'DATABASE', 'GROUP', 'VOLUME', 'FILE', 'ID'] as const;
export type NamedKind = (typeof NAMED_KINDS)[number];

export class StandIns {
  private readonly byKind = new Map<NamedKind, Map<string, string>>();

  /** What stands for this name: `DATABASE-17`. System databases keep theirs. */
  readonly of = (kind: NamedKind, name: string): string => {
    if (kind === 'DATABASE' && SYSTEM_NAMES.has(name)) return name;
    const known = this.byKind.get(kind) ?? new Map<string, string>();
    this.byKind.set(kind, known);
    const found =
      known.get(name) ?? (kind === 'ID' ? numberGuid(known.size + 1) : `${kind}-${known.size + 1}`);
    known.set(name, found);
    return found;
  };

  /** Each name with what stands for it, in the order in which they came. */
  list(kind: NamedKind): readonly (readonly [name: string, standIn: string])[] {
    return [...(this.byKind.get(kind) ?? [])];
  }
}

function numberGuid(number: number): string {
  return `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
}
