/**
 * Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), which GitHub, Azure DevOps and editors
 * show.
 */
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeWellFormed } from '../../../src/core/export/json';
import { makeVisible } from '../../../src/core/visible';
import { type CheckedServer, type CheckFinding, type CheckReport, listFindings, tell } from './finding';
import { CHECK_RULES, helpOf, PROJECT, RULE_IDS } from './rules';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/**
 * @param anchor the file of the working directory that results point at, because GitHub shows only those that point at
 * one; null: none
 */
export function writeSarif(report: CheckReport, anchor: string | null): string {
  const driver = {
    name: 'Checkpoint Health',
    informationUri: PROJECT,
    rules: RULE_IDS.map((id) => ({
      id,
      shortDescription: { text: `${CHECK_RULES[id].title}.` },
      helpUri: helpOf(id),
      defaultConfiguration: { level: CHECK_RULES[id].level },
    })),
  };
  const run = {
    tool: { driver },
    invocations: [describeInvocation(report)],
    results: listFindings(report).map(({ server, finding }) =>
      describeResult(server, finding, server === null ? report.policyFile : anchor),
    ),
  };
  return `${writeWellFormed({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)}\n`;
}

function describeInvocation({ servers, checkedUtcMs }: CheckReport): object {
  return {
    executionSuccessful: servers.every(({ unread }) => unread === null),
    endTimeUtc: new Date(checkedUtcMs).toISOString(),
    toolExecutionNotifications: servers.flatMap(({ name, unread, unseen }) => [
      ...(unread === null ? [] : [notify(name, 'error', unread)]),
      ...unseen.map((sentence) => notify(name, 'note', sentence)),
    ]),
  };
}

function notify(server: CheckedServer['name'], level: 'error' | 'note', sentence: string): object {
  return {
    level,
    message: { text: writeMessage(`${server}: ${sentence}`) },
    locations: [{ logicalLocations: [locate(server, null)] }],
  };
}

function describeResult(server: string | null, finding: CheckFinding, file: string | null): object {
  const { rule, level, database, sentence, sources } = finding;
  const location = {
    ...(file === null
      ? {}
      : { physicalLocation: { artifactLocation: { uri: writeUri(file) }, region: { startLine: 1 } } }),
    ...(server === null ? {} : { logicalLocations: [locate(server, database)] }),
  };
  const identity = createHash('sha256').update(
    JSON.stringify([rule, server, database, server === null ? sentence : null]),
  );
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level,
    message: { text: writeMessage(server === null ? sentence : `${server}: ${tell(finding)}`) },
    locations: [location],
    // The same for the same thing, whatever the figures in the sentence.
    partialFingerprints: { 'checkpointHealth/v1': identity.digest('hex') },
    properties: { sources },
  };
}

function locate(server: string, database: string | null): object {
  return database === null
    ? { name: server, fullyQualifiedName: server, kind: 'server' }
    : { name: database, fullyQualifiedName: `${server}/${database}`, kind: 'database' };
}

/** Braces stand for arguments and `](` makes a link (SARIF 3.11.5 and 3.11.6), and a name may hold anything. */
function writeMessage(text: string): string {
  return makeVisible(text).replace(/[{}]/g, '$&$&').replace(/\]\(/g, '] (');
}

/** Relative to the working directory, with slashes, unless the path is absolute. */
function writeUri(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return encodeURI(path.replace(/\\/g, '/').replace(/^\.\//, '')).replace(/[?#]/g, encodeURIComponent);
}
