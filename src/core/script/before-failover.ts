import { type CheckpointPlan, type CheckpointStep, splitCheckpoints } from '../advice/checkpoint-plan';
import type { Facts } from '../advice/facts';
import { countDatabases, countOf, formatDuration } from '../format';
import { listLeftOut, type ReviewOrigin, writeDatabaseRows, writeHeading } from './review-heading';
import { quoteInStringInScript, writeInteger } from './quote';
import type { ReviewScript } from './script-set';
import { fillTemplate } from './template';
import type { ReviewTemplate, ReviewText } from './text';

export interface BeforeFailover {
  readonly plan: CheckpointPlan;
  /** In so many scripts, to be run at once in as many windows: T-SQL has no threads. */
  readonly windows: number;
  /** Begin no further CHECKPOINT after so many minutes; 0: no limit. */
  readonly stopAfterMinutes: number;
}

/** What a CHECKPOINT beforehand can shorten here, and what it cannot promise: by what the server is part of (docs/facts.md, SQL Server 6). */
export function describeTopology({ server, databases }: Facts): readonly string[] {
  const restart = 'what a restart has to redo after a crash or a power loss, from the databases below';
  const inGroups = databases.filter(({ inAvailabilityGroup }) => inAvailabilityGroup).length;
  const lines =
    server.isClustered === true
      ? [
          'It can shorten: a planned failover of this cluster instance, which checkpoints every database while the instance goes offline: that part gets shorter.',
          `It can also shorten an unplanned one, a restart on the other node, which then has less to redo; and ${restart}.`,
        ]
      : [`It can shorten: ${restart}.`];
  if (server.isClustered === null) lines.push('Whether this is a failover cluster instance was not observable.');
  if (inGroups > 0)
    lines.push(
      `It cannot promise: a shorter failover of an availability group (${countDatabases(inGroups)} here). A secondary redoes the log that it received by itself; no CHECKPOINT on the primary shortens that. Look at the redo queue, which is printed first.`,
    );
  return lines;
}

/**
 * A CHECKPOINT of each database of the plan, the most work first, its estimate beside the actual time; one script a window. There is no rollback: nothing is to be undone.
 * @throws Error for a plan without databases
 */
export function writeBeforeFailover(
  { plan, windows, stopAfterMinutes }: BeforeFailover,
  facts: Facts,
  origin: ReviewOrigin,
  template: ReviewTemplate,
): readonly ReviewScript[] {
  if (plan.steps.length === 0) throw new Error('A plan without databases has no script');
  const lists = splitCheckpoints(plan.steps, windows);
  return lists.map((steps, at) => {
    const number = lists.length === 1 ? '' : ` ${at + 1} of ${lists.length}`;
    const heading = writeHeading(
      `CHECKPOINT${number} BEFORE A FAILOVER: ${countDatabases(steps.length)} on ${origin.serverName}, the most work first.`,
      origin,
      [
        describeEstimate(steps),
        ...(lists.length === 1
          ? []
          : [`Run the ${countOf(lists.length, 'script')} at once, each in a window of its own: each more makes the storage busier.`]),
        'It changes no setting and needs no rollback. Each CHECKPOINT writes as much as it can within the limits of the engine: expect slower reads and log writes meanwhile.',
        ...describeTopology(facts),
        ...(at === 0 ? listLeftOut(plan.leftOut) : []),
      ],
    );
    const filled = fillTemplate(template, {
      server_name: quoteInStringInScript(origin.serverName),
      chosen_databases: writeDatabaseRows(steps, 'estimated_ms', ({ estimatedMs }) => estimatedMs),
      stop_after_minutes: writeInteger(stopAfterMinutes),
    });
    return {
      title: `Checkpoint before a failover on ${origin.serverName}${lists.length === 1 ? '' : `, window${number}`}`,
      kind: 'change',
      wave: null,
      text: `${heading}\n${filled}` as ReviewText,
    };
  });
}

function describeEstimate(steps: readonly CheckpointStep[]): string {
  const measured = steps.filter(({ estimatedMs }) => estimatedMs !== null);
  const unmeasured = steps.length - measured.length;
  if (measured.length === 0) return 'Estimate: none, because nothing was measured.';
  const totalMs = measured.reduce((sum, { estimatedMs }) => sum + (estimatedMs ?? 0), 0);
  const rest = unmeasured === 0 ? '' : `; ${countDatabases(unmeasured)} without an estimate on top`;
  return `Estimate: ${formatDuration(totalMs)} for ${countDatabases(measured.length)}, the median of what was measured of each${rest}.`;
}
