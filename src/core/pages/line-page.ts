/**
 * One message of the error log explained: what was written, how fast, why it was logged, and what to do next
 * (docs/facts.md, SQL Server 1 and 5).
 */
import { type LineMeaning, type MessageMeaning, readLineMeaning } from '../errorlog/line-meaning';
import { countSeconds, countSome, formatCount, formatDuration } from '../format';
import { joinSentences, listSentences, t } from '../language';
import { describeNotice } from './error-log-words';
import { describePages, describeSpeed, type Figure, listFlushFigures } from './flush-cache-words';
import { column, type EvidencePage, type EvidenceTable, type PagePart, writeCell } from './evidence-page';
import { MINUTE_MS } from '../time';

/** `name`: what stands above the page. */
export interface ExplainedLine {
  readonly name: string;
  readonly page: EvidencePage;
}

type Meaning<Kind extends MessageMeaning['kind']> = Extract<MessageMeaning, { readonly kind: Kind }>;
type Explained = Pick<ExplainedLine, 'name'> &
  Pick<EvidencePage, 'summary' | 'parts'> & { readonly title: string; readonly table?: EvidenceTable };

/** A longer text is a log and no line of it. */
const LONGEST_CHARACTERS = 100_000;

/** @returns one sentence if there is nothing to explain */
export function explainLine(text: string): ExplainedLine | string {
  if (text.length > LONGEST_CHARACTERS)
    return t('This is more than a few lines. Open it as a file with the command Read Error Log File.');
  const meaning = readLineMeaning(text);
  if (!('message' in meaning)) return describeNoMessage(meaning.kind);
  const { name, title, summary, parts, table } = explain(meaning);
  return {
    name,
    page: {
      title,
      summary,
      tables: table ? [table] : [],
      parts: parts ?? [],
      notes: describeOrigin(meaning),
    },
  };
}

function describeNoMessage(kind: Exclude<LineMeaning['kind'], MessageMeaning['kind']>): string {
  if (kind === 'part')
    return t(
      'This is only part of a FlushCache message. Take all of its lines; the first has “FlushCache: cleaned up” in it.',
    );
  if (kind === 'noise') return t('This line is known but not used here.');
  return t(
    'This line is not known here. It should be a line of the error log about checkpoints: FlushCache, a scan of the buffer pool (898), slow I/O (833), a checkpoint that failed (3619, 5901, 9002), a recovery (3421, 3454) or a changed option (5084).',
  );
}

function explain(meaning: MessageMeaning): Explained {
  if (meaning.kind === 'groups') return explainFlushCache(meaning);
  if (meaning.kind === 'dirtyPageFlushes') return explainDirtyPages(meaning);
  if (meaning.kind === 'prints') return explainPrint(meaning);
  if (meaning.kind === 'scans') return explainScan(meaning);
  if (meaning.kind === 'slowIos') return explainSlowIo(meaning);
  if (meaning.kind === 'failures') return explainFailure(meaning);
  if (meaning.kind === 'notices') return explainNotice(meaning);
  return meaning.kind === 'recoveries' ? explainRecovery(meaning) : explainChange(meaning);
}

function describeOrigin({ message, others }: MessageMeaning): readonly string[] {
  const isNamed = 'databaseName' in message && message.databaseName !== null;
  const databaseId = !isNamed && 'databaseId' in message ? message.databaseId : null;
  return listSentences(
    describeTime(message),
    databaseId === null
      ? ''
      : t(
          'The message names the database by its number. DB_NAME({0}) on that server gives its name.',
          databaseId,
        ),
    countSome(
      others,
      t('The text has {0} more message. To see all of them, copy them, then run Read Error Log File.'),
      t('The text has {0} more messages. To see all of them, copy them, then run Read Error Log File.'),
    ),
  );
}

/** The date as the text has it: which number is the day may be unknown, and without a process not whose clock it is. */
function describeTime({ logDateLocal, processInfo }: MessageMeaning['message']): string {
  if (logDateLocal === '') return '';
  if (processInfo === '') return t('The time in the text is {0}.', logDateLocal);
  return t('Logged {0} (server time) by process {1}.', logDateLocal, processInfo);
}

function explainFlushCache({ message }: Meaning<'groups'>): Explained {
  const { databaseId, durationMs, pages } = message;
  const name =
    databaseId === null ? t('FlushCache message') : t('FlushCache message of database {0}', databaseId);
  const isShort = durationMs < MINUTE_MS;
  return {
    name,
    title: t('This checkpoint wrote {0} in {1}.', describePages(pages), formatDuration(durationMs)),
    summary: joinSentences(
      t(
        'SQL Server logs a checkpoint like this when it takes longer than the recovery interval, one minute unless it was changed, or when trace flag 3504 is on.',
      ),
      isShort
        ? t('This one took less than a minute, so trace flag 3504 was probably on.')
        : t('This one took longer than a minute.'),
    ),
    table: createTable(listFlushFigures(message)),
    parts: [
      { heading: t('How fast it was'), text: describeSpeed(message) },
      {
        heading: t('Whether it does harm'),
        text: t(
          'A long checkpoint alone does no harm. Harm is log writes that wait (WRITELOG), a checkpoint task that is never free, and backups or a recovery that became slow. One message shows none of these.',
        ),
      },
      ...nextSteps(
        t('Open the whole error log with the button above: it shows every such message, by database.'),
        t(
          'To see whether the checkpoint task is ever free, add the server and choose Start Tracking Checkpoints.',
        ),
        isShort
          ? t('Turn trace flag 3504 off when you have seen enough.')
          : t(
              'Review Script for Indirect Checkpoints… then shows what a switch would change. Do not switch because of one message.',
            ),
      ),
    ],
  };
}

function explainDirtyPages({ message }: Meaning<'dirtyPageFlushes'>): Explained {
  const { databaseId, pages, durationMs } = message;
  return {
    name:
      databaseId === null ? t('Indirect checkpoint') : t('Indirect checkpoint of database {0}', databaseId),
    title:
      pages === null || durationMs === null
        ? t('This indirect checkpoint had to catch up.')
        : t(
            'This indirect checkpoint had to catch up: it wrote {0} in {1}.',
            describePages(pages),
            formatDuration(durationMs),
          ),
    summary: t(
      'SQL Server writes this line for a database with indirect checkpoints. It is known from servers with trace flag 3504 on.',
    ),
    parts: nextSteps(
      t('There is nothing to switch: the database already has a target recovery time above 0.'),
      t(
        'To see its write work and whether writes wait, add the server and choose Start Tracking Checkpoints, then look at the page I/O.',
      ),
    ),
  };
}

function explainPrint({ message }: Meaning<'prints'>): Explained {
  const { databaseId } = message;
  return {
    name: databaseId === null ? t('Checkpoint') : t('Checkpoint of database {0}', databaseId),
    title: t('This line marks one step of a checkpoint.'),
    summary: t(
      'Trace flag 3502 writes such lines around each checkpoint. They say when it began and when it ended, but not what it wrote.',
    ),
    parts: nextSteps(
      t('Start Tracking Checkpoints records begin and end of each checkpoint without filling the error log.'),
      t('Turn trace flag 3502 off when you have seen enough.'),
    ),
  };
}

function explainScan({ message }: Meaning<'scans'>): Explained {
  const { databaseId, durationSeconds, command, operation, scannedBuffers, iteratedBuffers } = message;
  return {
    name: t('Scan of the buffer pool for database {0}', databaseId),
    title: t('Scanning the buffer pool took {0}.', formatDuration(durationSeconds * 1000)),
    summary: joinSentences(
      t(
        'SQL Server logs a scan of the buffer pool of 10 seconds or more, unless trace flag 890 is on (message 898). The Extended Event comes from 1 second on.',
      ),
      operation.toLowerCase() === 'flushcache' ? t('The operation FlushCache is a checkpoint.') : '',
    ),
    table: createTable([
      [t('Command'), command, t('What started the scan')],
      [t('Operation'), operation, t('As logged')],
      [t('Scanned buffers'), formatCount(scannedBuffers), t('Scanned buffers of this database')],
      [t('Total buffers'), formatCount(iteratedBuffers), t('All scanned buffers')],
    ]),
    parts: nextSteps(
      t(
        'An automatic checkpoint scans the whole buffer pool each time; an indirect one keeps a list. The more memory a server has, the more that matters.',
      ),
      t(
        'To see how often it happens and for which databases, add the server and choose Start Tracking Checkpoints.',
      ),
    ),
  };
}

function explainSlowIo({ message }: Meaning<'slowIos'>): Explained {
  const { occurrences, thresholdSeconds, file, databaseName, databaseId, durationMs } = message;
  const threshold = formatDuration(thresholdSeconds * 1000);
  return {
    name: t('Slow I/O'),
    title:
      occurrences === 1
        ? t('A read or write of a file took longer than {0}.', threshold)
        : t('{0} reads or writes of a file took longer than {1}.', formatCount(occurrences), threshold),
    summary: t(
      'SQL Server logs this itself (message 833). It is about the storage, whether a checkpoint, a backup or a query issued the I/O.',
    ),
    table: createTable([
      [t('File'), file, t('As logged')],
      [t('Database'), databaseName === null ? formatId(databaseId) : databaseName, t('As logged')],
      ...(durationMs === null
        ? []
        : [[t('Longest'), formatDuration(durationMs), t('Only newer versions log it')] as const]),
    ]),
    parts: nextSteps(
      t(
        'Look at the storage first. If it is near its limit already, a switch to indirect checkpoints can make it worse.',
      ),
      t(
        'To see whether such messages come with checkpoints, add the server and choose Start Tracking Checkpoints: the timeline marks both.',
      ),
    ),
  };
}

function explainFailure({ message }: Meaning<'failures'>): Explained {
  const { messageId } = message;
  const database = message.databaseName ?? formatId(message.databaseId);
  const title = {
    3619: t('The log of {0} had no space for the record of a checkpoint.', database),
    5901: t('A checkpoint of {0} failed.', database),
    9002: t('The log of {0} is full and waits for a checkpoint.', database),
  };
  return {
    name: t('Failed checkpoint of {0}', database),
    title: title[messageId],
    summary:
      messageId === 5901
        ? t('It lacked memory, disk or log space, or the database is damaged or suspended (message 5901).')
        : t(
            'Until there is space, no checkpoint of this database ends, and nothing can be changed (message {0}).',
            messageId,
          ),
    parts: nextSteps(
      t(
        'Give the log space first: let it grow, or end what holds it (log_reuse_wait_desc in sys.databases).',
      ),
      t('Then run CHECKPOINT in that database, and look whether the message comes again.'),
      t('Another target recovery time does not help here.'),
    ),
  };
}

function explainNotice({ message }: Meaning<'notices'>): Explained {
  const isSetting = message.kind === 'trace flag' || message.kind === 'recovery interval';
  return {
    name:
      message.kind === 'full log'
        ? t('Full log of {0}', message.databaseName)
        : isSetting
          ? t('Setting of checkpoints')
          : t('What hinders checkpoints'),
    title: describeNotice(message),
    summary: isSetting
      ? t(
          'It holds for the whole server from that moment on, and decides when checkpoints come or what they log.',
        )
      : t('It is no message of a checkpoint. It matters where checkpoints are late at the same time.'),
  };
}

function explainRecovery({ message }: Meaning<'recoveries'>): Explained {
  const database = message.databaseName ?? formatId(message.databaseId);
  if (message.kind === 'checkpoint')
    return {
      name: t('Recovery of {0}', database),
      title: t('Recovery wrote a checkpoint in {0}.', database),
      summary: t(
        "It is recovery's own checkpoint (message 3454), not one of the checkpoint task. There is nothing to do.",
      ),
    };
  const { durationSeconds, analysisMs, redoMs, undoMs } = message;
  const phases: readonly (readonly [string, number | null, string])[] = [
    [t('Analysis'), analysisMs, t('Finds what to redo and undo')],
    [t('Redo'), redoMs, t('The part that the target recovery time limits')],
    [t('Undo'), undoMs, t('What accelerated database recovery shortens')],
  ];
  return {
    name: t('Recovery of {0}', database),
    title: t('Recovery of {0} took {1}.', database, formatDuration(durationSeconds * 1000)),
    summary: t(
      'Redo repeats what was logged since the last checkpoint, so how often checkpoints come decides how long it takes (message 3421).',
    ),
    table: createTable(
      phases.flatMap(([what, ms, how]) => (ms === null ? [] : [[what, formatDuration(ms), how] as const])),
    ),
    parts: nextSteps(
      t(
        'If redo takes too long, a shorter target recovery time limits it. If undo takes too long, checkpoints do not help.',
      ),
      t('Review Script for Indirect Checkpoints… shows the target of each database, and writes the script.'),
    ),
  };
}

function explainChange({ message }: Meaning<'changes'>): Explained {
  const database = message.databaseName;
  const name = t('Changed option of {0}', database);
  const target = message.option.toLowerCase() === 'target_recovery_time' ? Number(message.value) : NaN;
  if (Number.isNaN(target))
    return {
      name,
      title: t('The option {0} of {1} was set to {2}.', message.option, database, message.value),
      summary: t(
        'It was changed at that moment (message 5084). Only target_recovery_time decides between automatic and indirect checkpoints.',
      ),
    };
  return {
    name,
    title:
      target === 0
        ? t('{0} was set to automatic checkpoints.', database)
        : t('{0} was set to indirect checkpoints, with a target of {1}.', database, countSeconds(target)),
    summary: t('The target recovery time was changed at that moment (message 5084).'),
    parts: nextSteps(
      t(
        'The page Before / after compares the time before this moment with the time after it, if checkpoints were tracked in both.',
      ),
      t('To date a change that the error log no longer shows, choose Set Change Moment….'),
    ),
  };
}

const formatId = (databaseId: number | null): string =>
  databaseId === null ? t('not known') : t('database {0}', databaseId);

function nextSteps(...sentences: readonly string[]): readonly PagePart[] {
  return [{ heading: t('What to do next'), text: joinSentences(...sentences) }];
}

function createTable(figures: readonly Figure[]): EvidenceTable {
  const columns = [
    column.word('figure', t('Figure'), t('What the message says')),
    column.ofRow('value', t('Value'), t('As logged, or computed from it')),
    column.word('how_to_read_it', t('How to read it'), t('What the value means')),
  ];
  const rows = figures.map((cells) => ({ databaseId: null, cells: cells.map(writeCell) }));
  return { id: 'line', heading: t('What it says'), columns, rows };
}
