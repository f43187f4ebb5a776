import { readNumber } from '../../core/bounds';
import type { DatabaseFacts } from '../../core/advice/facts';
import { t } from '../../core/language';
import type { DatabaseQuestion, NumberQuestion, ScriptQuestion } from '../../core/script/other-script';
import { otherScripts, type ScriptKind, type ScriptRequest } from '../../core/script/script-request';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import type { CommandTarget } from '../kit/command-table';
import type { Option, Conversation } from '../kit/conversation';
import { offerDatabase } from '../tree/database-row';

/** What a question rests on. */
interface ScriptDesk {
  readonly conversation: Conversation;
  readonly snapshot: ServerSnapshot;
  /** If the user pointed at databases, they are taken without another question. */
  readonly target: CommandTarget;
}

/** Each kind of script, with one sentence about it. */
export const scriptChoices: readonly Option<ScriptKind>[] = Object.entries(otherScripts).map(
  ([kind, { label, description }]) => ({ value: kind as ScriptKind, label, description }),
);

/** Asks for what this kind of script needs. @throws Dismissed, Error with one sentence */
export async function askScript(kind: ScriptKind, desk: ScriptDesk): Promise<ScriptRequest> {
  const answers: Record<string, number | readonly number[]> = {};
  for (const [field, question] of Object.entries(otherScripts[kind].questions(desk.snapshot.facts)))
    answers[field] = await ask(question, desk);
  return { kind, ...answers } as ScriptRequest;
}

async function ask(question: ScriptQuestion, desk: ScriptDesk): Promise<number | readonly number[]> {
  if (question.of === 'databases') return chooseDatabases(desk, question.title);
  if (question.of === 'automatic database') return chooseAutomatic(desk, question);
  return askNumber(desk, question);
}

async function askNumber(
  { conversation }: ScriptDesk,
  { title, prompt, byDefault, check, warn }: NumberQuestion,
): Promise<number> {
  const number = readNumber(
    await conversation.askText({
      title,
      prompt,
      value: String(byDefault),
      check: (text) => check(readNumber(text)),
    }),
  );
  const warned = warn?.(number) ?? null;
  if (warned !== null) await conversation.confirm(warned.question, warned.warning, t('Write the Script'));
  return number;
}

async function chooseAutomatic(
  { conversation, snapshot, target }: ScriptDesk,
  { title, none }: DatabaseQuestion,
): Promise<number> {
  const [pointedAt] = target.databaseIds;
  if (pointedAt !== undefined) return pointedAt;
  const automatic = listCheckpointed(snapshot).filter(({ targetSeconds }) => targetSeconds === 0);
  if (automatic.length === 0) throw new Error(none);
  return conversation.chooseOne(title, automatic.map(offerDatabase));
}

async function chooseDatabases(
  { conversation, snapshot, target }: ScriptDesk,
  title: string,
): Promise<readonly number[]> {
  if (target.databaseIds.length > 0) return target.databaseIds;
  const databases = listCheckpointed(snapshot);
  if (databases.length === 0) throw new Error(t('No database here has anything for a CHECKPOINT to write.'));
  const chosen = await conversation.chooseMany(
    title,
    databases.map((database) => ({
      ...offerDatabase(database),
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
