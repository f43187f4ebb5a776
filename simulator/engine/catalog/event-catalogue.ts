import { ACTIONS } from '../events/event-actions';
import { ENGINE_MODULE_GUID, PACKAGES, type FieldType } from '../events/event-catalogue';
import { TARGET_OPTIONS } from '../events/event-definition';
import { PREDICATE_SOURCES } from '../events/event-predicate';
import type { World } from '../world/world';
import { packageGuid } from './event-sessions';
import { STATE, view, type CatalogObject } from './object';
import { field, int, need, nvarchar, uniqueidentifier, varbinary, type Field } from './relation';

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
  need('package_guid', uniqueidentifier, (o) => packageGuid(o.package)),
  need('description', nvarchar(256), (o) => o.description),
  field('capabilities', int, () => 0),
  field('capabilities_desc', nvarchar(256), () => null),
  field('type_name', nvarchar(256), (o) => o.typeName),
  field('type_package_guid', uniqueidentifier, (o) => (o.typeName === null ? null : packageGuid('package0'))),
  field('type_size', int, (o) => (o.typeName === null ? 0 : TYPE_BYTES[o.typeName])),
];

interface XeColumn {
  readonly package: string;
  readonly object: string;
  readonly id: number;
  readonly name: string;
  readonly type: FieldType;
  readonly kind: 'data' | 'customizable';
  readonly value: string | null;
  readonly capabilities: number;
}

function listColumns({ eventCatalogue }: World): readonly XeColumn[] {
  const data = eventCatalogue.events.flatMap((event) =>
    event.fields.map((each, id) => ({
      ...each,
      package: event.package,
      object: event.name,
      id,
      kind: 'data' as const,
      value: null,
      capabilities: 0,
    })),
  );
  // oxfmt-ignore
  const options = TARGET_OPTIONS.map(([object, name, type, isMandatory], i) => ({
    package: 'package0', object, id: i - TARGET_OPTIONS.findIndex(([first]) => first === object), name, type, kind: 'customizable' as const, value: null, capabilities: isMandatory ? 1 : 0,
  }));
  return [...data, ...options];
}

/** Microsoft Learn, "sys.dm_xe_object_columns". */
const COLUMNS: readonly Field<XeColumn>[] = [
  need('name', nvarchar(256), (c) => c.name),
  need('column_id', int, (c) => c.id),
  need('object_name', nvarchar(256), (c) => c.object),
  need('object_package_guid', uniqueidentifier, (c) => packageGuid(c.package)),
  need('type_name', nvarchar(256), (c) => c.type),
  need('type_package_guid', uniqueidentifier, () => packageGuid('package0')),
  need('column_type', nvarchar(256), (c) => c.kind),
  field('column_value', nvarchar(256), (c) => c.value),
  field('capabilities', int, (c) => c.capabilities),
  field('capabilities_desc', nvarchar(256), (c) => (c.capabilities === 1 ? 'mandatory' : null)),
  field('description', nvarchar(3072), () => null),
];

/** Microsoft Learn, "sys.dm_xe_packages". */
const PACKAGE_FIELDS: readonly Field<(typeof PACKAGES)[number]>[] = [
  need('guid', uniqueidentifier, (p) => p.guid),
  need('name', nvarchar(256), (p) => p.name),
  need('description', nvarchar(3072), (p) => p.description),
  field('capabilities', int, () => 0),
  field('capabilities_desc', nvarchar(256), () => null),
  need('module_guid', uniqueidentifier, () => ENGINE_MODULE_GUID),
  need('module_address', varbinary(8), () => Uint8Array.of(0, 0, 127, 248, 16, 0, 0, 0)),
];

const FIXED = { ...STATE, version: () => 1 };

export const EVENT_CATALOGUE_OBJECTS: readonly CatalogObject[] = [
  view('sys.dm_xe_objects', OBJECTS, listObjects, FIXED),
  view('sys.dm_xe_object_columns', COLUMNS, listColumns, FIXED),
  view('sys.dm_xe_packages', PACKAGE_FIELDS, () => PACKAGES, FIXED),
];
