import { installSqlToolsService } from '../../tools/clients/sql-tools-service';
import type { Ability, Cell } from './client';
import { describeConversation } from './conversation';
import { describeObjectExplorer } from './object-explorer';
import { SqlToolsServiceClient } from './sql-tools-service-client';
import { typesSql } from './steps';

const abilities: readonly Ability[] = ['cancel'];

const start = async (): Promise<SqlToolsServiceClient> => new SqlToolsServiceClient(await installSqlToolsService()).initialize();

/** The grid of Azure Data Studio: 0x before binary, uniqueidentifier in lower case. */
function showInGrid(cell: Cell): Cell {
  if (cell === null) return null;
  if (/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(cell)) return cell.toLowerCase();
  if (/^([0-9a-f]{2})+$/.test(cell)) return `0x${cell.toUpperCase()}`;
  return cell;
}

describeConversation('SQL Tools Service', {
  start,
  verifies: false,
  abilities,
  show: showInGrid,
  splitsScripts: true,
  resetsOptions: true,
  // Each also loads the names for its IntelliSense.
  connections: 10,
  // .NET's decimal has 28 digits, and the grid shows 65,535 characters of a value.
  types: typesSql.replace('100000', '30000').replace(/\d+ AS decimal\(38, 0\)/, '1234567890123456789012345678 AS decimal(28, 0)'),
});
describeObjectExplorer('SQL Tools Service', start);
