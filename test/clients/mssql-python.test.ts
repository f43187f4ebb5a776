import { join } from 'node:path';
import { installPython } from '../../tools/clients/python-client';
import type { Ability, Answer } from './client';
import { describeConversation } from './conversation';
import { DriverClient } from './driver';

const abilities: readonly Ability[] = ['limited', 'echo', 'prepared', 'transaction', 'drop'];

/**
 * mssql-python passes on the first error of a statement, its text only, and no set that an error ended before its first row; where the first statement of a
 * batch fails, nothing but that error.
 */
function showAsOdbc(answer: Answer, seen: Answer): Answer {
  if (answer.errors.length === 0) return answer;
  const begun = answer.sets.filter(({ rows }) => rows.length > 0);
  const isFirst = seen.sets.length === 0;
  return { sets: isFirst ? [] : begun, infos: isFirst ? [] : answer.infos, errors: answer.errors.slice(0, 1) };
}

describeConversation('Microsoft ODBC Driver 18, by mssql-python', {
  start: async () => new DriverClient(await installPython('mssql-python'), [join(__dirname, 'mssql_python_driver.py')], abilities),
  verifies: true,
  abilities,
  adapt: showAsOdbc,
});
