import { ACTIONS } from '../events/event-actions';
import { PREDICATE_SOURCES } from '../events/event-predicate';
import type { World } from '../world/world';
import { STATE, view, type CatalogObject } from './object';
import { need, nvarchar, type Field, unmodelled } from './relation';

interface XeObject {
  readonly name: string;
  readonly type: string;
}

const TYPES = 'uint16 uint32 uint64 int32 unicode_string activity_id boolean filetime'.split(' ');

function listObjects({ eventCatalogue }: World): readonly XeObject[] {
  const ofType = (type: string, objects: readonly { readonly name: string }[]): readonly XeObject[] =>
    objects.map(({ name }) => ({ name, type }));
  return [
    ...ofType('event', eventCatalogue.events),
    ...ofType('action', ACTIONS),
    ...ofType('target', eventCatalogue.targets),
    ...ofType('pred_source', PREDICATE_SOURCES),
    ...TYPES.map((name) => ({ name, type: 'type' })),
  ];
}

/** Microsoft Learn, "sys.dm_xe_objects". */
const OBJECTS: readonly Field<XeObject>[] = [
  need('name', nvarchar(256), (o) => o.name),
  need('object_type', nvarchar(256), (o) => o.type),
  ...unmodelled(
    'package_guid description capabilities capabilities_desc type_name type_package_guid type_size',
  ),
];

const FIXED = { ...STATE, version: () => 1 };

export const EVENT_CATALOGUE_OBJECTS: readonly CatalogObject[] = [
  view('sys.dm_xe_objects', OBJECTS, listObjects, FIXED),
];
