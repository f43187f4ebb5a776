import { statementsWithin } from './statement-kinds';
import type { Statement } from './statements';
import { sqlError } from '../tds/messages';

/**
 * A batch or procedure may create a #table of one name only once, even in different branches or after a DROP (Microsoft
 * Learn, "CREATE TABLE", "Temporary tables").
 * @throws SqlError 2714.
 */
export function checkTemporaryNames(statements: readonly Statement[], found = new Set<string>()): void {
  for (const statement of statements) {
    const name = statement.kind === 'createTable' ? statement.name[statement.name.length - 1] : undefined;
    if (name !== undefined && found.has(name.toLowerCase()))
      throw sqlError(2714, [name], statement.line, { state: 1 });
    if (name !== undefined) found.add(name.toLowerCase());
    checkTemporaryNames(statementsWithin(statement), found);
  }
}
