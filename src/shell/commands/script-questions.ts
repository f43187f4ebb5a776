import { explainWhole, readNumber } from '../../core/bounds';
import type { DatabaseFacts } from '../../core/advice/facts';
import { formatCount } from '../../core/format';
import { joinSentences, t } from '../../core/language';
import { checkTargetSeconds } from '../../core/advice/plan';
import { checkRecoveryInterval, warnOfRecoveryInterval } from '../../core/script/recovery-interval';
import { scanCostTimes } from '../../core/script/scan-cost';
import type { ScriptKind, ScriptRequest } from '../../core/script/script-request';
import { checkCheckpointSeconds } from '../../core/script/throttled-checkpoint';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import type { CommandTarget } from '../kit/command-table';
import type { Option, Conversation } from '../kit/conversation';
import { describeTarget } from '../tree/database-row';

/** What a question rests on. */
interface ScriptDesk {
  readonly conversation: Conversation;
  readonly snapshot: ServerSnapshot;
  /** If the user pointed at databases, they are taken without another question. */
  readonly target: CommandTarget;
}

/** Each kind of script, with one sentence about it. */
export const scriptChoices: readonly Option<ScriptKind>[] = [
  {
    value: 'before failover',
    label: t('CHECKPOINT before a failover or restart'),
    description: t(
      'Checkpoints the databases one after the other, the most work first. Times each and shows its estimate beside it.',
    ),
  },
  {
    value: 'throttled checkpoint',
    label: t('Throttled CHECKPOINT'),
    description: t('Asks each checkpoint to spread its writes over a number of seconds that you choose.'),
  },
  {
    value: 'recovery interval',
    label: t('Change the recovery interval'),
    description: t(
      'Only for databases with a target recovery time of 0. Stops if another setting waits for RECONFIGURE.',
    ),
  },
  {
    value: 'model',
    label: t('Change the target recovery time of model'),
    description: t('New databases begin with it. tempdb takes it at the next start.'),
  },
  {
    value: 'scan cost',
    label: t('Measure the cost of a scan'),
    description: t('Runs CHECKPOINT several times in one idle database and times each.'),
  },
];

/** Asks for what this kind of script needs. @throws Dismissed, Error with one sentence */
export async function askScript(kind: ScriptKind, desk: ScriptDesk): Promise<ScriptRequest> {
  const { conversation } = desk;
  switch (kind) {
    case 'before failover': {
      const databaseIds = await chooseDatabases(
        desk,
        t('Databases to checkpoint; those with automatic checkpoints are picked'),
      );
      const windows = await askNumber(
        conversation,
        t({ message: 'Windows', comment: ['Query windows, one for each script'] }),
        t('How many windows at once? The list is split into that many scripts.'),
        1,
        1,
        16,
      );
      const stopAfterMinutes = await askNumber(
        conversation,
        t('Time limit'),
        t('After how many minutes does no further CHECKPOINT begin? 0 means no limit.'),
        0,
        0,
        1440,
      );
      return { kind, databaseIds, windows, stopAfterMinutes };
    }
    case 'throttled checkpoint': {
      const databaseIds = await chooseDatabases(desk, t('Databases to checkpoint'));
      const prompt = t(
        'How many seconds should each CHECKPOINT take? It is a request, not a limit. Fewer seconds load the storage more; more seconds leave more to redo after a crash.',
      );
      const asked = { title: t('Seconds'), prompt, value: '60' };
      return { kind, databaseIds, seconds: await ask(conversation, asked, checkCheckpointSeconds) };
    }
    case 'recovery interval':
      return { kind, minutes: await askRecoveryInterval(desk) };
    case 'model':
      return { kind, targetSeconds: await askModelTarget(desk) };
    case 'scan cost':
      return askScanCost(desk);
  }
}

async function askRecoveryInterval({ conversation, snapshot }: ScriptDesk): Promise<number> {
  const now = snapshot.facts?.server.recoveryIntervalMinutes ?? null;
  const prompt = joinSentences(
    t('Recovery interval in minutes, 0 to 32767. 0, the default, means about one minute.'),
    now === null ? t('The one in use cannot be seen.') : t('In use: {0}.', now),
  );
  const minutes = await ask(
    conversation,
    { title: t('Recovery interval'), prompt, value: '0' },
    checkRecoveryInterval,
  );
  const warning = warnOfRecoveryInterval(minutes);
  if (warning !== null)
    await conversation.confirm(
      t('Write a recovery interval of {0} minutes?', formatCount(minutes)),
      warning,
      t('Write the Script'),
    );
  return minutes;
}

async function askModelTarget({ conversation, snapshot }: ScriptDesk): Promise<number> {
  const now = snapshot.facts?.server.modelTargetSeconds ?? null;
  const prompt = joinSentences(
    t(
      'Target recovery time of model in seconds. New databases begin with it, and tempdb takes it at the next start.',
    ),
    now === null ? t('The present one cannot be seen.') : t('Now: {0}.', now),
  );
  return ask(conversation, { title: 'model', prompt, value: '60' }, checkTargetSeconds);
}

async function askScanCost(desk: ScriptDesk): Promise<ScriptRequest> {
  const { conversation, snapshot, target } = desk;
  const automatic = listCheckpointed(snapshot).filter(({ targetSeconds }) => targetSeconds === 0);
  const [pointedAt] = target.databaseIds;
  if (pointedAt === undefined && automatic.length === 0)
    throw new Error(t('No database here uses automatic checkpoints, so there is no scan to measure.'));
  const databaseId =
    pointedAt ??
    (await conversation.chooseOne(
      t('An idle database with automatic checkpoints; the script runs CHECKPOINT in it'),
      automatic.map((database) => ({
        value: database.databaseId,
        label: database.name,
        description: describeTarget(database),
      })),
    ));
  const { fewest, most, byDefault } = scanCostTimes;
  const times = await askNumber(
    conversation,
    t('Checkpoints'),
    t('How many checkpoints to run and time; the first is not counted'),
    byDefault,
    fewest,
    most,
  );
  return { kind: 'scan cost', databaseId, times };
}

async function chooseDatabases(
  { conversation, snapshot, target }: ScriptDesk,
  title: string,
): Promise<readonly number[]> {
  if (target.databaseIds.length > 0) return target.databaseIds;
  const databases = listCheckpointed(snapshot);
  if (databases.length === 0)
    throw new Error(t('There is no database here in which a CHECKPOINT would write anything.'));
  const chosen = await conversation.chooseMany(
    title,
    databases.map((database) => ({
      value: database.databaseId,
      label: database.name,
      description: describeTarget(database),
      isPicked: database.targetSeconds === 0,
    })),
  );
  if (chosen.length === 0) throw new Error(t('No database was chosen, so there is no script.'));
  return chosen;
}

/** User databases in which a CHECKPOINT writes something on this server. */
function listCheckpointed(snapshot: ServerSnapshot): readonly DatabaseFacts[] {
  const databases = snapshot.facts?.databases ?? [];
  return databases.filter(({ databaseId, state, isReadOnly, isInStandby, isSnapshot, updateability }) => {
    const isWritable = state === 'ONLINE' && !isReadOnly && !isInStandby && updateability === 'READ_WRITE';
    return databaseId > 4 && !isSnapshot && isWritable;
  });
}

function askNumber(
  conversation: Conversation,
  title: string,
  prompt: string,
  byDefault: number,
  fewest: number,
  most: number,
): Promise<number> {
  return ask(conversation, { title, prompt, value: String(byDefault) }, (number) =>
    explainWhole(number, { least: fewest, most }),
  );
}

async function ask(
  conversation: Conversation,
  asked: { readonly title: string; readonly prompt: string; readonly value: string },
  check: (number: number) => string | null,
): Promise<number> {
  return readNumber(await conversation.askText({ ...asked, check: (text) => check(readNumber(text)) }));
}
