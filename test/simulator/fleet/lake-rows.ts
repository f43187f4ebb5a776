import { readDataFiles } from '../../../src/lake/data-files';
import { Lake } from '../../../src/lake/lake';
import type { LakeValue } from '../../../src/lake/parquet-file';
import type { TableName } from '../../../src/lake/tables';

export type Row = Readonly<Record<string, LakeValue>>;

/** All rows of a table of a lake, in the order of its files. */
export async function readLakeRows(folder: string, name: TableName): Promise<readonly Row[]> {
  const { files } = await (await Lake.open(folder)).table(name);
  const columns = Object.entries(await readDataFiles(folder, name, [...files.values()]));
  return (columns.find(([, values]) => values !== undefined)?.[1] ?? []).map((_, at) =>
    Object.fromEntries(columns.map(([column, values]) => [column, values?.[at] ?? null])),
  );
}
