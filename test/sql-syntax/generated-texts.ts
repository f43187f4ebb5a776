import { ERROR_LOG_WAYS, writeErrorLogRead } from '../../src/core/script/error-log';
import { writeCaughtReads, writeGatheredRead } from '../../src/core/script/caught-read';
import { writeEventFileRead } from '../../src/core/script/event-file';
import { addPrologue, declareParameters } from '../../src/core/script/prologue';
import {
  writeDatabasesChange,
  writeEventsRead,
  SHOWN_MARK,
  writeGuard,
  writeMissingEvents,
  writeSessionCreate,
  writeSessionGrant,
} from '../../src/core/script/session';
import { fillTemplate } from '../../src/core/script/template';
import { gatheringTemplates, ownSessionTemplates, readTemplates } from '../../src/texts';
import type { NamedText } from '../../tools/tsql-check/check';
import { databaseOf, factsOf } from '../core/advice/facts-of';
import { planSwitch } from '../core/finished';
import { changeOf, choiceOf, writeSwitch } from '../core/script/scripts-of';
import { hostileNames } from '../core/script/hostile-names';

/**
 * One of each text that the product composes beside the scripts of a server, with the names and choices that are
 * hardest on it.
 */
export function listGeneratedTexts(): readonly NamedText[] {
  return [
    ...listSessionTexts(),
    ...[1, 40].map((count) => ({ name: `switch of ${count} on hold`, sql: writeHeldSwitch(count) })),
    ...hostileNames.map((name) => ({
      name: `grant to ${name}`,
      sql: writeSessionGrant(['ALTER ANY EVENT SESSION', 'VIEW SERVER STATE'], name),
    })),
    ...hostileNames.map((name) => ({ name: `event file ${name}`, sql: writeEventFileRead(name) })),
    ...listReadTexts(),
    ...listGatheringTexts(),
  ];
}

/** Few databases stand by themselves, many in a list. */
function writeHeldSwitch(count: number): string {
  const databases = Array.from({ length: count }, (_, at) => databaseOf({ databaseId: at + 5 }));
  const plan = planSwitch(
    choiceOf(databases.map(({ databaseId }) => databaseId)),
    factsOf(databases),
    () => '',
  );
  return changeOf(writeSwitch(plan, { serverName: "it's\\SQL", readAt: '', evidence: '', hold: 'log used' }));
}

function listSessionTexts(): readonly NamedText[] {
  const databaseIds = Array.from({ length: 50 }, (_, i) => 32_000 + i);
  const plan = {
    databaseIds,
    hasBufferPoolScanComplete: true,
    majorVersion: 16,
    fileName: "it's.xel",
    mark: SHOWN_MARK,
  };
  const guard = writeGuard({
    serverName: "it's\\SQL",
    definitionId: 65_537,
    startedLocalMs: 0,
    mark: SHOWN_MARK,
  });
  const create = writeSessionCreate(plan, ownSessionTemplates.create);
  const change = { databaseIds, earlierIds: databaseIds.slice(1), hasBufferPoolScanComplete: true, guard };
  const changed = writeDatabasesChange(change, ownSessionTemplates.changeDatabases);
  const missing = writeMissingEvents(databaseIds, guard, ownSessionTemplates.addMissingEvents);
  const others = Object.entries(ownSessionTemplates).map(([name, template]) => ({
    name,
    sql: addPrologue(fillTemplate(template, {})),
  }));
  return [
    { name: 'create with predicate', sql: addPrologue(create) },
    { name: 'change of databases', sql: addPrologue(changed) },
    { name: 'missing events', sql: addPrologue(missing) },
    {
      name: 'drop of the session that was seen',
      sql: addPrologue(fillTemplate(ownSessionTemplates.drop, { guard })),
    },
    ...others,
  ];
}

function listGatheringTexts(): readonly NamedText[] {
  const logs = ERROR_LOG_WAYS.map((way) => ({
    name: `error log by ${way}`,
    sql: addPrologue(
      writeErrorLogRead(
        { way, log: 3, sinceLocalMs: 0, offsetMinutes: -300, rows: 100 },
        gatheringTemplates.errorLog,
      ),
    ),
  }));
  const others = [gatheringTemplates.errorLogFiles, gatheringTemplates.traceFlags].map((template) =>
    fillTemplate(template, {}),
  );
  return [...logs, ...others.map((text, at) => ({ name: `gathering ${at}`, sql: addPrologue(text) }))];
}

function listReadTexts(): readonly NamedText[] {
  const cursor = { fileName: "D:\\it's\\x_0_1.xel", offset: '9223372036854775807' };
  const events = declareParameters(
    writeEventsRead(
      { filePattern: "it's*.xel", cursor, rows: 2_000, hasTimestampUtc: true, serverName: "it's\\SQL" },
      readTemplates.checkpointEvents,
    ),
  );
  const others = Object.entries(readTemplates).map(([name, template]) => ({
    name,
    sql: addPrologue(fillTemplate(template, {})),
  }));
  const reads = [events, ...Object.values(readTemplates).map((template) => fillTemplate(template, {}))];
  const caught = [...reads.map((read) => [read]), reads].map(writeCaughtReads);
  return [
    { name: 'events behind a cursor', sql: addPrologue(events) },
    ...others,
    ...Object.entries(gatheringTemplates).map(([name, template]) => ({
      name: `gathered read ${name}`,
      sql: addPrologue(writeGatheredRead(fillTemplate(template, {})).text),
    })),
    ...caught.map((text, at) => ({ name: `caught read ${at}`, sql: addPrologue(text) })),
  ];
}
