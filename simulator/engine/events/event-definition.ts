import type { ServerDescription } from '../../scenarios/scenario';
import { NOT_IN_AZURE_SQL_DATABASE, findAction, nameAction } from './event-actions';
import { findTarget, hasPackage, type EventCatalogue, type FieldType } from './event-catalogue';
import { isUrl } from './event-disk';
import { eventErrors } from './event-errors';
import type { SqlError } from '../../tds/handler';
import { checkOptions } from './event-options';
import { checkPredicate } from './event-predicate';
import type {
  EventSessionChange,
  EventDefinition,
  EventSessionDefinition,
  TargetDefinition,
} from '../../scenarios/event-session';

/** What decides which definitions a server allows: its release, its platform and its objects. */
export interface DefinitionRules {
  readonly server: Pick<ServerDescription, 'platform' | 'release' | 'cpuCount'>;
  readonly catalogue: EventCatalogue;
}

/** Microsoft Learn, "Targets for Extended Events"; metadatafile is of 2008 and has no effect since. */
const TARGET_OPTIONS: readonly (readonly [
  object: string,
  name: string,
  type: FieldType,
  isMandatory: boolean,
])[] = [
  ['event_file', 'filename', 'unicode_string', true],
  ['event_file', 'max_file_size', 'uint64', false],
  ['event_file', 'max_rollover_files', 'uint32', false],
  ['event_file', 'increment', 'uint64', false],
  ['event_file', 'metadatafile', 'unicode_string', false],
  ['ring_buffer', 'max_memory', 'uint32', false],
  ['ring_buffer', 'max_events_limit', 'uint32', false],
  ['ring_buffer', 'occurrence_number', 'uint32', false],
];

/** The GUID stands for the module of package0; target errors name it. Seen in published 25602 texts. */
const TARGET_MODULE = '5B2DA06D-898A-43C8-9309-39BBBE93EBBD';
/** docs/facts.md, SQL Server 3. */
const MOST_PREDICATE_CHARACTERS = 3000;
/** Amazon RDS User Guide, "Using extended events with Amazon RDS for Microsoft SQL Server". */
const RDS_DIRECTORY = /^d:\\rdsdbdata\\log\\[^\\]+$/i;
const RDS_RING_KB = 4096;

interface Named {
  readonly package: string;
  readonly name: string;
}

const written = ({ package: owner, name }: Named): string => `${owner}.${name}`;
const isNamed = (wanted: Named) => (each: Named) =>
  written(each).toLowerCase() === written(wanted).toLowerCase();

/** As error messages name a target. */
export function targetName(target: Named): string {
  return `${TARGET_MODULE}.${written(target)}`;
}

/**
 * Checks all of CREATE EVENT SESSION except whether the name is free.
 * @throws SqlError 25701, 25623, 25626, 25706, 25713, 25715, 25716, 25636, 25629, 25642, 25651, 25632, 25640, 25708,
 * 25744, 40538
 */
export function checkDefinition(definition: EventSessionDefinition, rules: DefinitionRules): void {
  if (definition.name.startsWith('#')) throw eventErrors.temporaryName(definition.name);
  const twice = <T extends Named>(kind: 'event' | 'target', objects: readonly T[]): void => {
    const second = objects.find((each, i) => objects.findIndex(isNamed(each)) < i);
    if (second !== undefined) throw eventErrors.specifiedTwice(kind, written(second));
  };
  twice('event', definition.events);
  twice('target', definition.targets);
  definition.events.forEach((event) => checkEvent(event, rules));
  definition.targets.forEach((target) => checkTarget(target, rules));
  checkOptions(definition.options);
}

/**
 * The definition after one change of ALTER EVENT SESSION; STATE changes none.
 * @throws SqlError 25625, 25653, 25707 for any option except STARTUP_STATE while the session runs, and what CREATE
 * throws
 */
export function changeDefinition(
  definition: EventSessionDefinition,
  change: EventSessionChange,
  rules: DefinitionRules,
): EventSessionDefinition {
  const { events, targets } = definition;
  switch (change.kind) {
    case 'state':
      return definition;
    case 'addEvent':
      checkEvent(change.event, rules);
      if (events.some(isNamed(change.event)))
        throw eventErrors.alreadyInSession('event', written(change.event));
      return { ...definition, events: [...events, change.event] };
    case 'dropEvent':
      if (!events.some(isNamed(change))) throw eventErrors.notInSession('event', written(change));
      return { ...definition, events: events.filter((event) => !isNamed(change)(event)) };
    case 'dropTarget':
      if (!targets.some(isNamed(change))) throw eventErrors.notInSession('target', written(change));
      return { ...definition, targets: targets.filter((target) => !isNamed(change)(target)) };
  }
}

/** In SQL Server's own packages it is not modelled; whether SQL Server has it is not known here. */
function refuseMissing(kind: 'event' | 'target' | 'action', object: Named, name = written(object)): SqlError {
  return hasPackage(object.package)
    ? eventErrors.notModelled(`${kind} ${name}`)
    : eventErrors.invalidObject(kind, name);
}

function checkEvent(definition: EventDefinition, { catalogue, server }: DefinitionRules): void {
  const event = catalogue.findEvent(definition.package, definition.name);
  if (event === undefined && catalogue.lacks(definition.package, definition.name))
    throw eventErrors.invalidObject('event', written(definition));
  if (event === undefined || event.isQuiet === true) throw refuseMissing('event', definition);
  for (const action of definition.actions) checkAction(action, server.platform);
  checkPredicate(definition.predicate, event);
  if ((definition.predicateText?.length ?? 0) > MOST_PREDICATE_CHARACTERS)
    throw eventErrors.predicateTooLong(definition.name);
}

function checkAction(action: string, platform: DefinitionRules['server']['platform']): void {
  const known = findAction(action);
  if (known === undefined) throw refuseMissing('action', nameAction(action), action);
  if (platform === 'azure-sql-database' && NOT_IN_AZURE_SQL_DATABASE.includes(known.name))
    throw eventErrors.actionNotInAzure(written(known));
}

function checkTarget(definition: TargetDefinition, { server }: DefinitionRules): void {
  const target = findTarget(definition.package, definition.name);
  if (target === undefined) throw refuseMissing('target', definition);
  const given = Object.entries(definition.options).map(
    ([name, value]) => [name, name.toLowerCase(), value] as const,
  );
  const known = TARGET_OPTIONS.filter(([object]) => object === target.name);
  for (const [name, folded, value] of given) {
    const option = known.find(([, each]) => each === folded);
    if (option === undefined) throw eventErrors.noSuchTargetOption(targetName(definition), name);
    if ((option[2] === 'unicode_string') !== (typeof value === 'string'))
      throw eventErrors.targetOptionType(targetName(definition), name, option[2]);
  }
  const missing = known.find(
    ([, name, , isMandatory]) => isMandatory && !given.some(([, folded]) => folded === name),
  );
  if (missing !== undefined) throw eventErrors.missingFilename(targetName(definition));
  checkForPlatform(target.name, new Map(given.map(([, folded, value]) => [folded, value])), server.platform);
}

/**
 * Azure takes only blobs of https URLs, checked at CREATE; docs/facts.md, SQL Server 4. The error of RDS is not
 * published.
 */
function checkForPlatform(
  target: string,
  options: ReadonlyMap<string, string | number>,
  platform: DefinitionRules['server']['platform'],
): void {
  const file = String(options.get('filename') ?? '');
  const isBlob = isUrl(file) && /^https:\/\/[^/]+\.blob\.[^/]+\/[^/]+\/./i.test(file);
  const isAzure = platform === 'azure-sql-database' || platform === 'managed-instance';
  if (target === 'event_file' && isAzure && !isBlob) throw eventErrors.urlRequired();
  if (platform !== 'rds') return;
  if (target === 'event_file' && !RDS_DIRECTORY.test(file))
    throw eventErrors.refusedSomehow(`the file ${file} on Amazon RDS`);
  if (target === 'ring_buffer' && Number(options.get('max_memory') ?? 0) > RDS_RING_KB)
    throw eventErrors.refusedSomehow('a ring_buffer above 4 MB on Amazon RDS');
}
