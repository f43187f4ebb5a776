/** The table of modelled servers: one row each, with what every read must say of it. */
import type { ModelledServer } from './modelled-server';
import { forwarder, primary, secondary } from './servers/availability';
import { caseSensitive, mountPoints, oddNames, offline, readOnly, restoring, standby } from './servers/databases';
import { standalone } from './servers/standalone';
import { systemOnly } from './servers/system';

export const MODELLED_SERVERS: Readonly<Record<string, ModelledServer>> = {
  standalone,
  'primary replica': primary,
  'secondary replica': secondary,
  'forwarder of a distributed availability group': forwarder,
  'read-only database': readOnly,
  'standby database': standby,
  'offline database': offline,
  'restoring database': restoring,
  'system databases alone': systemOnly,
  'mount points': mountPoints,
  'odd names': oddNames,
  'case-sensitive collation': caseSensitive,
};
