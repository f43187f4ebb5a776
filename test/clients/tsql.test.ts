import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../simulator/index';
import { installTsql } from '../../tools/clients/run';
import { LoginRefused, type Cell } from './client';
import { describeConversation } from './conversation';
import { TsqlClient } from './tsql-client';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const moment = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?)?$/;

/** tsql shows dates and times to the minute, "Apr  8 2003 09:13AM", and the text NULL like a NULL. */
function showAsTsql(cell: Cell): Cell {
  if (cell === 'NULL') return null;
  const match = cell === null ? null : moment.exec(cell);
  if (!match) return cell;
  const [, year, month, day, hour = '00', minute = '00'] = match;
  const date = `${months[Number(month) - 1]} ${String(Number(day)).padStart(2)} ${Number(year)}`;
  return `${date} ${String(Number(hour) % 12 || 12).padStart(2, '0')}:${minute}${Number(hour) < 12 ? 'AM' : 'PM'}`;
}

describeConversation('FreeTDS tsql', {
  start: async () => {
    await installTsql();
    return new TsqlClient();
  },
  verifies: true,
  abilities: [],
  joinsSets: true,
  splitsScripts: true,
  show: showAsTsql,
});

describe('FreeTDS tsql, with a Windows login', () => {
  let simulator: Simulator;
  const client = new TsqlClient();

  before(async () => {
    await installTsql();
    simulator = await startSimulator({ rate: 0 });
  });

  after(async () => {
    await client.end();
    await simulator?.close();
  });

  const connect = (password: string): ReturnType<TsqlClient['connect']> =>
    client.connect({ port: simulator.port, user: 'CONTOSO\\svc-monitor', password, encryption: 'trusting', certificateFile: '' });

  it('proves that it knows the password, by NTLMv2', async () => {
    const answer = await (await connect(simulator.administrator.password)).batch('SELECT SUSER_SNAME();');
    assert.match(JSON.stringify(answer), /CONTOSO\\\\svc-monitor/);
  });

  it('is told that the domain does not vouch for another password', async () => {
    await assert.rejects(
      connect('wrong'),
      (error: unknown) => error instanceof LoginRefused && /untrusted domain/.test(JSON.stringify(error) + error.message),
    );
  });
});
