/** Fixes for indirect checkpoints that a build may lack. Builds come from Microsoft's lists of cumulative updates. */
import { countSeconds } from '../../format';
import { t } from '../../language';
import type { Facts, ServerFacts } from '../facts';
import { citeLearn, found, nothing, type ServerRule, type TaggedSource, unseen } from '../finding';

/**
 * Builds with the fix in one branch of a major version. A service pack begins a new branch with higher numbers, at
 * first without later fixes.
 *   2016   RTM ....[2213....) | SP1 4001 ....[4451 .... and with it SP2, SP3
 */
interface FixedBuild {
  /** "13.0.4451.0". */
  readonly from: string;
  /** The first build of the next branch; null: all that follow have it. */
  readonly before: string | null;
  readonly update: string;
}

interface BuildFix {
  readonly rule: string;
  readonly knowledgeBase: string;
  /** What goes wrong without the fix, as a sentence. */
  readonly harm: string;
  /** The article names tempdb alone, which a switch does not change. */
  readonly isAboutTempdb: boolean;
  /** By major version; an empty list: which build has the fix could not be verified. */
  readonly fixed: Readonly<Record<string, readonly FixedBuild[]>>;
  /**
   * null: every instance of those versions; else failover cluster instances only, or Windows only, as the list of fixes
   * says.
   */
  readonly only: 'cluster' | 'windows' | null;
  readonly sources: readonly TaggedSource[];
}

const LEARN = 'https://learn.microsoft.com/en-us/troubleshoot/sql/releases';
/** It says that DP_LIST guards the dirty pages of any database with indirect checkpoints, and names both fixes. */
const spinlockPage = citeLearn(
  'sys.dm_os_spinlock_stats',
  'sql/relational-databases/system-dynamic-management-views/sys-dm-os-spinlock-stats-transact-sql',
);

export const buildFixes: readonly BuildFix[] = [
  {
    rule: 'dirty-page-list-kb4040276',
    knowledgeBase: 'KB4040276',
    harm: t('Without it, indirect checkpoints of tempdb can end in a non-yielding scheduler.'),
    isAboutTempdb: true,
    fixed: {
      13: [
        { from: '13.0.2213.0', before: '13.0.4001.0', update: '2016 CU8' },
        { from: '13.0.4451.0', before: null, update: '2016 SP1 CU5' },
      ],
      14: [{ from: '14.0.3006.16', before: null, update: '2017 CU1' }],
    },
    only: 'windows',
    sources: [
      {
        title: 'KB4040713, CU8 for SQL Server 2016',
        url: `${LEARN}/sqlserver-2016/rtm-cumulativeupdate8`,
        tag: 'D',
      },
      {
        title: 'KB4040714, CU5 for SQL Server 2016 SP1',
        url: `${LEARN}/sqlserver-2016/servicepack1-cumulativeupdate5`,
        tag: 'D',
      },
      {
        title: 'KB4038634, CU1 for SQL Server 2017',
        url: `${LEARN}/sqlserver-2017/cumulativeupdate1`,
        tag: 'D',
      },
      spinlockPage,
    ],
  },
  {
    rule: 'dirty-page-list-kb4497928',
    knowledgeBase: 'KB4497928',
    harm: t('Without it, indirect checkpoints of tempdb can still end in a non-yielding scheduler.'),
    isAboutTempdb: true,
    fixed: {
      13: [{ from: '13.0.5337.0', before: null, update: '2016 SP2 CU7' }],
      14: [{ from: '14.0.3223.3', before: null, update: '2017 CU16' }],
    },
    only: null,
    sources: [
      {
        title: 'KB4495256, CU7 for SQL Server 2016 SP2',
        url: `${LEARN}/sqlserver-2016/servicepack2-cumulativeupdate7`,
        tag: 'D',
      },
      {
        title: 'KB4508218, CU16 for SQL Server 2017',
        url: `${LEARN}/sqlserver-2017/cumulativeupdate16`,
        tag: 'D',
      },
      spinlockPage,
    ],
  },
  {
    rule: 'cluster-2014-kb3166902',
    knowledgeBase: 'KB3166902',
    harm: t('Indirect checkpoints on a failover cluster instance of 2014 reportedly need it.'),
    isAboutTempdb: false,
    // The article cannot be found any more. Without it we do not know which build has the fix, so the rule can only
    // inform.
    fixed: { 12: [] },
    only: 'cluster',
    sources: [{ title: 'KB3166902, which is no longer published', url: null, tag: '?' }],
  },
];

/** SERVERPROPERTY('EngineEdition') 1 to 4. Azure's services report version 12.0, which says nothing about fixes. */
export function isBoxProduct({ engineEdition }: ServerFacts): boolean {
  return engineEdition >= 1 && engineEdition <= 4;
}

/** They only inform: what they find is against tempdb, not against a switch. */
export const buildRules: readonly ServerRule[] = buildFixes.map((fix) => ({
  rule: fix.rule,
  severity: 'inform',
  sources: fix.sources,
  ask: (facts) => {
    const { productVersion, isClustered, pathSeparator } = facts.server;
    const branches = new Map(Object.entries(fix.fixed)).get(productVersion.split('.')[0] ?? '');
    if (branches === undefined || !isBoxProduct(facts.server)) return nothing;
    // Before 2017 the property is missing, but there was no SQL Server on Linux either.
    if (fix.only === 'windows' && pathSeparator === '/') return nothing;
    if (fix.only === 'cluster' && isClustered === false) return nothing;
    if (fix.only === 'cluster' && isClustered === null)
      return unseen(t('Whether this is a failover cluster instance'), t('the server did not say'));
    const build = readBuild(productVersion);
    if (build === null) return unseen(t('The build'), t('"{0}" is not a build number', productVersion));
    if (branches.length === 0)
      return found(
        `${fix.harm} ${t('We have not verified which build has {0}. This one is {1}.', fix.knowledgeBase, productVersion)}`,
        t('Look up {0}, or install the last update of this version.', fix.knowledgeBase),
      );
    if (hasFix(build, branches)) return nothing;
    const updates = branches
      .map(({ from, update }) => `${from} (${update})`)
      .reduce((some, next) => t('{0} or {1}', some, next));
    const missing = t(
      '{0} is not in this build, {1}. It came with {2}.',
      fix.knowledgeBase,
      productVersion,
      updates,
    );
    const install = t('Install a build that has it.');
    return fix.isAboutTempdb
      ? found(`${missing} ${fix.harm} ${describeTempdb(facts)}`, `${install} ${TEMPDB_ALONE}`)
      : found(`${missing} ${fix.harm}`, install);
  },
}));

const TEMPDB_ALONE = t(
  'A switch leaves tempdb as it is, so it need not wait for this. Switched databases have a list of dirty pages too, so waits on that list (DP_LIST) are possible.',
);

/** The articles whose fix this build surely lacks: "KB4040276". */
export function listMissingFixes(facts: Facts): readonly string[] {
  const isMissing = ({ only }: BuildFix, at: number): boolean =>
    only !== 'cluster' && buildRules[at]?.ask(facts).kind === 'found';
  return buildFixes.filter(isMissing).map(({ knowledgeBase }) => knowledgeBase);
}

/** Whether tempdb can meet it now. */
function describeTempdb({ databases, traceFlags }: Facts): string {
  const target = databases.find(({ databaseId }) => databaseId === 2)?.targetSeconds ?? null;
  if (traceFlags.kind === 'observed' && traceFlags.value.includes(3468))
    return t('Here trace flag 3468 turns them off.');
  if (target === null) return t('The target recovery time of tempdb cannot be seen.');
  if (target === 0) return t('tempdb has target recovery time 0 now.');
  const seconds = countSeconds(target);
  return traceFlags.kind === 'observed'
    ? t('tempdb has {0} now.', seconds)
    : t(
        'tempdb has {0} now. Whether trace flag 3468 turns its indirect checkpoints off cannot be seen.',
        seconds,
      );
}

function hasFix(build: readonly number[], branches: readonly FixedBuild[]): boolean {
  return branches.some(
    ({ from, before }) =>
      compareBuilds(build, from) >= 0 && (before === null || compareBuilds(build, before) < 0),
  );
}

/** Negative if the first is older. */
function compareBuilds(build: readonly number[], other: string): number {
  const parts = other.split('.').map(Number);
  for (let i = 0; i < 4; i++) {
    const difference = (build[i] ?? 0) - (parts[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function readBuild(productVersion: string): readonly number[] | null {
  return /^\d+(\.\d+){2,3}$/.test(productVersion) ? productVersion.split('.').map(Number) : null;
}
