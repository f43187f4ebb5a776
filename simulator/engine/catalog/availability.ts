import { AVAILABILITY_DATABASE_OBJECTS } from './availability-databases';
import { GROUP_OBJECTS } from './availability-groups';
import { STATE_OBJECTS } from './availability-states';
import type { CatalogObject } from './object';

/** Catalog and management views of availability groups: empty on a server that is in none. */
export const AVAILABILITY_OBJECTS: readonly CatalogObject[] = [...GROUP_OBJECTS, ...STATE_OBJECTS, ...AVAILABILITY_DATABASE_OBJECTS];
