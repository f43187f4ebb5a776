import type { Configuration } from '../interface/instance';
import { view, type CatalogObject } from './object';
import { INSTANCES } from '../../scenarios/platform';
import { bit, field, int, need, nvarchar, sqlVariant, type Field, unmodelled } from './relation';

const value = (name: string, of: (each: Configuration) => number): Field<Configuration> =>
  field(name, sqlVariant, (each) => ({ type: int, value: of(each) }));

/** Microsoft Learn, "sys.configurations". */
const FIELDS: readonly Field<Configuration>[] = [
  need('configuration_id', int, (each) => each.id),
  need('name', nvarchar(35), (each) => each.name),
  value('value', (each) => each.value),
  value('value_in_use', (each) => each.valueInUse),
  need('is_dynamic', bit, (each) => each.isDynamic),
  ...unmodelled('minimum maximum description is_advanced'),
];

export const CONFIGURATION_OBJECTS: readonly CatalogObject[] = [
  view('sys.configurations', FIELDS, (world) => world.configuration.list(), {
    version: (world) => world.configuration.version,
    presence: { on: INSTANCES },
  }),
];
