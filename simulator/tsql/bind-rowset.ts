/** Built-in functions that give rows. None is modelled. */
import type { Binding } from './binding';
import { invalidObject, notModelled } from './errors';

/** The first release that has it. */
const rowsets: Readonly<Record<string, number>> = {
  STRING_SPLIT: 2016,
  GENERATE_SERIES: 2022,
  OPENJSON: 2016,
};

/** @throws SqlError 208 if the server is older than the function, 50000 if it is not modelled. */
export function refuseRowset(name: string, binding: Binding, line: number): void {
  const since = rowsets[name.toUpperCase()];
  if (since === undefined) return;
  throw binding.facts.instance.release < since
    ? invalidObject(name, line)
    : notModelled(name.toUpperCase(), line);
}
