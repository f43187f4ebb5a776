/** xp_instance_regread: undocumented; scripts use it to find the default folders of the instance. */
import type { Reply, SqlValue } from '../tds/handler';
import { notModelled } from './errors';
import { argumentOf } from './parameters';
import type { ProcedureCall } from './system-procedures';
import { nvarchar } from './types';

const folders: Readonly<Record<string, string>> = {
  defaultdata: 'InstanceDefaultDataPath',
  defaultlog: 'InstanceDefaultLogPath',
};

/** Returns the value in its OUTPUT parameter, or as a row. Any other key or value is refused, because no value would be an answer too. */
export async function* readRegistry(call: ProcedureCall): AsyncGenerator<Reply, number> {
  const { session, line } = call;
  const [root, key, value] = [0, 1, 2].map((at) =>
    String(argumentOf(call, at, ['@rootkey', '@key', '@value_name'][at] as string)?.value ?? ''),
  );
  const property = folders[value?.toLowerCase() ?? ''];
  const isKnown = /^HKEY_LOCAL_MACHINE$/i.test(root ?? '') && /^SOFTWARE\\Microsoft\\MSSQLServer\\MSSQLServer$/i.test(key ?? '');
  const found = property === undefined || !isKnown ? null : textOf(session.host.instance.serverProperty(property));
  if (found === null) throw notModelled(`the registry value ${key}\\${value}`, line);
  const output = argumentOf(call, 3, '@value')?.output;
  if (output !== undefined) output(found, nvarchar(4000));
  else {
    yield { kind: 'columns', columns: ['Value', 'Data'].map((name) => ({ name, type: nvarchar(4000), nullable: true })) };
    yield { kind: 'rows', rows: [[value ?? null, found]] };
    yield { kind: 'done', rowCount: 1 };
  }
  return 0;
}

const textOf = (value: SqlValue): string | null =>
  value !== null && typeof value === 'object' && 'value' in value ? String(value.value) : typeof value === 'string' ? value : null;
