/**
 * Evidence beyond the dashboard: error logs without a server, a change that the user dates by hand, another's event
 * session, all pages as one text.
 */
import type { AdoptableSession } from '../../core/session/event-session';
import { english, formatCount, formatUtcOffset } from '../../core/format';
import { explainLine } from '../../core/pages/line-page';
import { writePageMarkdown } from '../../core/pages/page-markdown';
import { readUtcTime, toUtcMs } from '../../core/time';
import { type CommandContext, connectTo, onTarget } from './command-context';
import type { CommandTable, CommandTarget } from '../kit/command-table';
import { type Conversation, waitUnless } from '../kit/conversation';
import { t } from '../../core/language';
import { readPastedLog } from '../error-logs/error-log-document';
import type { TextSources } from '../error-logs/error-log-editors';

export function createEvidenceCommands(context: CommandContext, sources: TextSources) {
  return {
    readErrorLog: () => readErrorLog(context, sources),
    explainLogLine: () => explainLogLine(context, sources),
    setChangeMoment: onTarget(context, (target) => setChangeMoment(context, target)),
    followEventSession: onTarget(context, ({ serverId }) => followEventSession(context, serverId)),
    showEvidence: onTarget(context, ({ serverId }) => showEvidence(context, serverId)),
  } satisfies Partial<CommandTable>;
}

async function readErrorLog({ conversation }: CommandContext, sources: TextSources): Promise<void> {
  const from = await conversation.chooseOne(t('Read an error log without a server'), [
    {
      value: 'file' as const,
      label: t('A file…'),
      description: t('ERRORLOG, ERRORLOG.1, ..., or an export as CSV or text'),
    },
    {
      value: 'clipboard' as const,
      label: t('The clipboard'),
      description: t('rows copied from a grid, the Log File Viewer or an ERRORLOG file'),
    },
  ]);
  if (from === 'clipboard') {
    const text = await sources.readClipboard();
    if (text.trim() === '')
      throw new Error(t('The clipboard has no text. Copy the rows of the error log first.'));
    return sources.showErrorLog(readPastedLog(t('Clipboard'), text));
  }
  await sources.openErrorLog();
}

async function explainLogLine({ conversation }: CommandContext, sources: TextSources): Promise<void> {
  const selected = sources.readSelection();
  const explained = explainLine(selected.trim() === '' ? await askForLine(conversation, sources) : selected);
  if (typeof explained === 'string') throw new Error(explained);
  await sources.showErrorLog({ ...explained, isMessage: true });
}

/** What was copied is proposed if it can be explained. An input takes one line, so several are joined. */
async function askForLine(conversation: Conversation, sources: TextSources): Promise<string> {
  const copied = await sources.readClipboard();
  return conversation.askText({
    title: t('What Does This FlushCache Line Mean?'),
    prompt: t('A line of the error log, or all lines of a message pasted as one'),
    placeholder:
      'FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 19:0',
    value: describeUnexplained(copied) === null ? copied.trim().replace(/ ?\r?\n[\s>]*/g, ' ') : '',
    check: (typed) => (typed.trim() === '' ? null : describeUnexplained(typed)),
  });
}

function describeUnexplained(text: string): string | null {
  const explained = explainLine(text);
  return typeof explained === 'string' ? explained : null;
}

async function setChangeMoment(
  context: CommandContext,
  { serverId, databaseIds }: CommandTarget,
): Promise<void> {
  const monitor = await connectTo(context, serverId);
  const { facts } = monitor.snapshot;
  if (facts === null)
    throw new Error(monitor.snapshot.failure ?? t('The server has not answered yet. Try again.'));
  const chosen =
    databaseIds.length > 0
      ? databaseIds
      : [
          await context.conversation.chooseOne(
            t('Which database was changed?'),
            facts.databases.map(({ databaseId, name }) => ({ value: databaseId, label: name })),
          ),
        ];
  const { utcOffsetMinutes, nowUtcMs } = facts.server;
  const typed = await context.conversation.askText({
    title:
      chosen.length === 1
        ? t('When was the target recovery time of this database changed?')
        : t('When was the target recovery time of these {0} databases changed?', formatCount(chosen.length)),
    prompt: t(
      "Type the time on the server's clock (now {0}). The evidence from before and after that time is compared.",
      formatUtcOffset(utcOffsetMinutes),
    ),
    placeholder: '2026-03-02 08:30',
    // In every language as it is read back.
    value: english.formatDateTime(nowUtcMs, utcOffsetMinutes).slice(0, 16),
    check: (text) => {
      const atUtcMs = readMoment(text, utcOffsetMinutes);
      if (atUtcMs === null) return t('Type a date and a time, as in 2026-03-02 08:30.');
      return atUtcMs > nowUtcMs ? t('That time is in the future.') : null;
    },
  });
  const atUtcMs = readMoment(typed, utcOffsetMinutes);
  if (atUtcMs === null) throw new Error(`"${typed}" is no date with a time.`);
  const isKept = await monitor.setChanges(chosen, atUtcMs);
  if (!isKept)
    context.conversation.tell(
      t(
        'The change is known in this window only, because this server has no capture yet. Start tracking, then set it again.',
      ),
    );
}

/** Turns a time on the server's clock, to the minute or second, into UTC. null if the text is not a time. */
export function readMoment(text: string, utcOffsetMinutes: number): number | null {
  const local = text.trim().replace(' ', 'T');
  const localMs = readUtcTime(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) ? `${local}:00` : local);
  return localMs === null ? null : toUtcMs(localMs, utcOffsetMinutes);
}

async function followEventSession(context: CommandContext, serverId: string): Promise<void> {
  const monitor = await connectTo(context, serverId);
  const { conversation } = context;
  const sessions = await conversation.showWork(t('Looking for event sessions'), (signal) =>
    monitor.listAdoptable(signal),
  );
  if (sessions.length === 0)
    throw new Error(
      t(
        'No other event session that records checkpoint_begin and checkpoint_end is running on {0}.',
        monitor.snapshot.label,
      ),
    );
  const name = await conversation.chooseOne(
    t('Which event session? It is only read, never stopped or changed.'),
    sessions.map((session) => ({
      value: session.name,
      label: session.name,
      description: describeSession(session),
    })),
  );
  await conversation.showWork(t('Following {0}', name), (signal) => monitor.adopt(name, signal));
}

function describeSession({ target, tracksCausality, recordsCaller, predicate }: AdoptableSession): string {
  return [
    target === 'file' ? t('event file') : t('ring buffer: what it overwrites is lost'),
    tracksCausality
      ? t('with causality')
      : t('without causality: overlapping checkpoints cannot be told apart'),
    ...(recordsCaller ? [] : [t('does not say who asked')]),
    predicate === null ? t('all databases') : t('some databases'),
  ].join('; ');
}

/** Shows every page as one text, for a change record or a colleague. */
async function showEvidence(context: CommandContext, serverId: string): Promise<void> {
  const monitor = await connectTo(context, serverId);
  const pages = await context.conversation.showWork(t('Gathering the evidence'), (signal) =>
    waitUnless(signal, monitor.gatherEvidence(signal)),
  );
  const { label } = monitor.snapshot;
  const texts = [
    writePageMarkdown(pages.beforeAfter, t('{0}: before / after', label)),
    writePageMarkdown(pages.writeWork, t('{0}: I/O', label)),
    writePageMarkdown(pages.errorLog, t('{0}: error log', label)),
  ];
  await context.conversation.showText(texts.join('\n'), 'markdown');
}
