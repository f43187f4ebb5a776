/** Findings as SARIF 2.1.0 of OASIS, which GitHub, Azure DevOps and editors show. */
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeWellFormed } from '../../../src/core/export/json';
import { makeVisible } from '../../../src/core/visible';
import { type CheckFinding, type CheckReport, listFindings, tell } from './finding';
import { CHECK_RULES, helpOf, PROJECT, RULE_IDS } from './rules';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** @param anchor the file of the working directory that results point at: GitHub shows no others; null: none */
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
  const invocation = {
    executionSuccessful: report.servers.every(({ unread }) => unread === null),
    endTimeUtc: new Date(report.checkedUtcMs).toISOString(),
    toolExecutionNotifications: report.servers.flatMap(({ name, unread, unseen }) => [
      ...(unread === null ? [] : [notify(name, 'error', unread)]),
      ...unseen.map((sentence) => notify(name, 'note', sentence)),
    ]),
  };
  const run = {
    tool: { driver },
    invocations: [invocation],
    results: listFindings(report).map(({ server, finding }) =>
      describeResult(server, finding, server === null ? report.policyFile : anchor),
    ),
  };
  return `${writeWellFormed({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)}\n`;
}

const notify = (server: string, level: 'error' | 'note', sentence: string): object => ({
  level,
  message: { text: writeMessage(`${server}: ${sentence}`) },
  locations: [{ logicalLocations: [locate(server, null)] }],
});

function describeResult(server: string | null, finding: CheckFinding, file: string | null): object {
  const { rule, level, database, sentence, sources } = finding;
  const artifactLocation = file === null ? null : { uri: writeUri(file) };
  const location = {
    ...(artifactLocation && { physicalLocation: { artifactLocation, region: { startLine: 1 } } }),
    ...(server !== null && { logicalLocations: [locate(server, database)] }),
  };
  const identity = JSON.stringify([rule, server, database, server === null ? sentence : null]);
  const fingerprint = createHash('sha256').update(identity).digest('hex');
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level,
    message: { text: writeMessage(server === null ? sentence : `${server}: ${tell(finding)}`) },
    locations: [location],
    // The same for the same thing, whatever the figures in the sentence.
    partialFingerprints: { 'checkpointHealth/v1': fingerprint },
    properties: { sources },
  };
}

const locate = (server: string, database: string | null): object =>
  database === null
    ? { name: server, fullyQualifiedName: server, kind: 'server' }
    : { name: database, fullyQualifiedName: `${server}/${database}`, kind: 'database' };

/** Braces stand for arguments and `](` makes a link (SARIF 3.11.5 and 3.11.6), and a name may hold anything. */
const writeMessage = (text: string): string =>
  makeVisible(text).replace(/[{}]/g, '$&$&').replace(/\]\(/g, '] (');

/** Relative to the working directory, with slashes, unless the path is absolute. */
function writeUri(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return encodeURI(path.replace(/\\/g, '/').replace(/^\.\//, '')).replace(/[?#]/g, encodeURIComponent);
}
