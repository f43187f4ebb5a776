import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import type { NamedText } from '../../tools/tsql-check/check';

/**
 * Fills SSMS template parameters `<name, type, default>` with their defaults, as Ctrl+Shift+M does when nothing is
 * typed (docs/facts.md, Hosts 6).
 */
export function fillWithDefaults(template: string): string {
  return template.replace(/<[^<>,]+,[^<>,]*,([^<>,]*)>/g, (_, value: string) => value.trim());
}

/** Every file of sql/, filled so; its name is its path from there. */
export function listSqlFiles(): NamedText[] {
  const folder = join(root, 'sql');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' } as { encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: fillWithDefaults(readFileSync(join(folder, name), 'utf8')) }));
}
