/** The batches between the lines that say GO. */
export function splitBatches(sql: string): readonly string[] {
  return sql.split(/^[ \t]*GO[ \t]*;?[ \t]*$/im).filter((batch) => batch.trim() !== '');
}
