/** Findings for programs, in a form of our own: docs/check.md. Names are exact. */
import { writeWellFormed } from '../../../src/core/export/json';
import { type CheckReport, type CheckFinding } from './finding';
import { helpOf } from './rules';

/** Rises if a field is taken away or changes its meaning. */
const FORMAT_VERSION = 1;

export function writeCheckJson({ checkedUtcMs, policyFile, policyFindings, servers }: CheckReport): string {
  const report = {
    format: 'checkpoint-health check',
    version: FORMAT_VERSION,
    checkedUtc: new Date(checkedUtcMs).toISOString(),
    policyFile,
    policyFindings: policyFindings.map(describe),
    servers: servers.map(({ name, serverName, unread, databases, findings, byWaits, unseen }) => ({
      name,
      serverName,
      isRead: unread === null,
      notReadBecause: unread,
      databases: databases.length,
      findings: findings.map(describe),
      byWaits: byWaits && { busyShare: byWaits.share, observedSeconds: byWaits.observedMs / 1000 },
      notSeen: unseen,
    })),
  };
  return `${writeWellFormed(report, 2)}\n`;
}

function describe({ rule, level, database, sentence, figures, sources }: CheckFinding): object {
  return { rule, level, database, sentence, figures, sources, help: helpOf(rule) };
}
