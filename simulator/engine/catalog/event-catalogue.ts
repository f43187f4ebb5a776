import { ACTIONS } from '../events/event-actions';
import type { FieldType } from '../events/event-catalogue';
import { PREDICATE_SOURCES } from '../events/event-predicate';
import type { World } from '../world/world';
import { STATE, view, type CatalogObject } from './object';
import { need, nvarchar, type Field, unmodelled } from './relation';

interface XeObject {
  readonly package: string;
  readonly name: string;
  readonly type: 'event' | 'action' | 'target' | 'pred_source' | 'pred_compare' | 'type';
  readonly description: string;
  readonly typeName: FieldType | null;
}

// oxfmt-ignore
const TYPE_BYTES: Readonly<Record<FieldType, number>> = {
  uint16: 2, uint32: 4, uint64: 8, int32: 4, unicode_string: 8, activity_id: 20, boolean: 1, filetime: 8,
};

function listObjects({ eventCatalogue }: World): readonly XeObject[] {
  return [
    ...eventCatalogue.events.map((each) => ({ ...each, type: 'event' as const, typeName: null })),
    ...ACTIONS.map((each) => ({ ...each, type: 'action' as const, typeName: each.type })),
    ...eventCatalogue.targets.map((each) => ({ ...each, type: 'target' as const, typeName: null })),
    ...PREDICATE_SOURCES.map((each) => ({ ...each, type: 'pred_source' as const, typeName: each.type })),
    ...Object.keys(TYPE_BYTES).map((name) => ({
      package: 'package0',
      name,
      type: 'type' as const,
      description: `${name} type`,
      typeName: null,
    })),
  ];
}

/** Microsoft Learn, "sys.dm_xe_objects". */
const OBJECTS: readonly Field<XeObject>[] = [
  need('name', nvarchar(256), (o) => o.name),
  need('object_type', nvarchar(256), (o) => o.type),
  ...unmodelled('package_guid description capabilities capabilities_desc type_name type_package_guid type_size'),
];

const FIXED = { ...STATE, version: () => 1 };

export const EVENT_CATALOGUE_OBJECTS: readonly CatalogObject[] = [view('sys.dm_xe_objects', OBJECTS, listObjects, FIXED)];
