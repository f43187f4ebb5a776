/**
 * Our read queries over modelled catalog views, by the T-SQL of the simulator: a regression check of our own logic
 * (joins, conditions, which rows and columns). It is no evidence about SQL Server: views, types and comparison are
 * modelled.
 */
import assert from 'node:assert/strict';
import { fillTemplate } from '../../src/core/script/template';
import { readTemplates } from '../../src/texts';
import { type ModelledServer, openModelledServer } from './modelled-server';
import { forwarder, primary, secondary } from './servers/availability';
import { caseSensitive, mountPoints, oddNames, unwritable } from './servers/databases';
import { standalone, systemOnly } from './servers/standalone';

/** The table of modelled servers: one row each, with what every read must say of it. */
const MODELLED_SERVERS: Readonly<Record<string, ModelledServer>> = {
  standalone,
  'primary replica': primary,
  'secondary replica': secondary,
  'forwarder of a distributed availability group': forwarder,
  'databases that cannot be written': unwritable,
  'system databases alone': systemOnly,
  'mount points': mountPoints,
  'odd names': oddNames,
  'case-sensitive collation': caseSensitive,
};

type Read = keyof typeof readTemplates;
const READS = Object.keys(readTemplates) as Read[];

describe('The table of modelled servers', () => {
  it('says of every read what its rows are, on one server at least and not only that there are none', () => {
    const expected = Object.values(MODELLED_SERVERS).flatMap((server) => Object.entries(server.expected));
    const withRows = new Set(expected.flatMap(([read, rows]) => (rows.length > 0 ? [read] : [])));
    assert.deepEqual([...withRows].sort(), [...READS].sort());
  });
});

describe('The read queries over modelled catalog views', () => {
  for (const [kind, server] of Object.entries(MODELLED_SERVERS))
    it(`give the expected rows: ${kind}`, async () => {
      const opened = await openModelledServer(server);
      try {
        for (const [read, rows] of Object.entries(server.expected))
          assert.deepEqual(await opened.ask(fillTemplate(readTemplates[read as Read], {})), rows, read);
      } finally {
        await opened.close();
      }
    });
});
