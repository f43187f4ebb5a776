import { isPresent } from '../../scenarios/platform';
import type { Release } from '../../scenarios/releases';
import type { ServerDescription } from '../../scenarios/scenario';

interface Message {
  readonly id: number;
  readonly english: string;
  /**
   * In our own words: the published German sentences are not known. Values bear the number of the English one, as in
   * sys.messages.
   */
  readonly german: string;
  readonly since?: Release;
  readonly until?: Release;
}

/** Templates of the messages that readers look for in the error log. docs/facts.md, SQL Server 5. */
// oxfmt-ignore
const MESSAGES: readonly Message[] = [
  { id: 833, english: 'SQL Server has encountered %d occurrence(s) of I/O requests taking longer than %d seconds to complete on file [%ls] in database id %d.  The OS file handle is 0x%p.  The offset of the latest long I/O is: %#016I64x.  The duration of the long I/O is: %I64u ms.', german: 'SQL Server hat %1! Vorkommen von E/A-Anforderungen gefunden, die länger als %2! Sekunden dauerten, für die Datei [%3!] in der Datenbank mit der ID %4!.  Das Dateihandle ist 0x%5!.  Der Offset der letzten langen E/A ist: %6!.  Die Dauer der langen E/A ist: %7! ms.' },
  { id: 898, since: 2016, english: "Buffer Pool scan took %I64d seconds: database ID %d, command '%ls', operation '%ls', scanned buffers %I64d, total iterated buffers %I64d, wait time %I64d ms. See 'https://go.microsoft.com/fwlink/?linkid=2132602' for more information.", german: "Der Pufferpoolscan dauerte %1! Sekunden: Datenbank-ID %2!, Befehl '%3!', Vorgang '%4!', gescannte Puffer %5!, durchlaufene Puffer %6!, Wartezeit %7! ms. Weitere Informationen: 'https://go.microsoft.com/fwlink/?linkid=2132602'." },
  { id: 3454, english: "Recovery is writing a checkpoint in database '%.*ls' (%d). This is an informational message only. No user action is required.", german: "Die Wiederherstellung schreibt einen Prüfpunkt in die '%1!'-Datenbank (%2!). Dies ist eine Informationsmeldung. Es ist keine Benutzeraktion erforderlich." },
  { id: 5084, english: "Setting database option %ls to %ls for database '%.*ls'.", german: "Für die '%3!'-Datenbank wird die Datenbankoption %1! auf %2! gesetzt." },
  { id: 3421, until: 2017, english: 'Recovery completed for database %ls (database ID %d) in %I64d second(s) (analysis %I64d ms, redo %I64d ms, undo %I64d ms.) This is an informational message only. No user action is required.', german: 'Die Wiederherstellung der %1!-Datenbank (Datenbank-ID %2!) wurde in %3! Sekunde(n) abgeschlossen (Analyse %4! ms, Wiederholen %5! ms, Rückgängig %6! ms). Dies ist eine Informationsmeldung. Es ist keine Benutzeraktion erforderlich.' },
  { id: 3421, since: 2019, english: 'Recovery completed for database %ls (database ID %d) in %I64d second(s) (analysis %I64d ms, redo %I64d ms, undo %I64d ms [system undo %I64d ms, regular undo %I64d ms].)%ls This is an informational message only. No user action is required.', german: 'Die Wiederherstellung der %1!-Datenbank (Datenbank-ID %2!) wurde in %3! Sekunde(n) abgeschlossen (Analyse %4! ms, Wiederholen %5! ms, Rückgängig %6! ms [System %7! ms, normal %8! ms].)%9! Dies ist eine Informationsmeldung. Es ist keine Benutzeraktion erforderlich.' },
];

const [ENGLISH, GERMAN] = [1033, 1031];

/** A row of sys.messages. */
export interface Sentence {
  readonly id: number;
  readonly languageId: number;
  readonly text: string;
}

export function listSentences(server: ServerDescription): readonly Sentence[] {
  return MESSAGES.filter((message) => isPresent(message, server)).flatMap(({ id, english, german }) => [
    { id, languageId: GERMAN, text: german },
    { id, languageId: ENGLISH, text: english },
  ]);
}

/**
 * What a server in German logs in place of an English text. Texts that are not in sys.messages stay English, as on a
 * real server (FlushCache).
 */
export function translateToGerman(server: ServerDescription): (text: string) => string {
  const readers = MESSAGES.filter((message) => isPresent(message, server)).map(({ english, german }) => ({
    pattern: toPattern(english),
    german,
  }));
  return (text) => {
    for (const { pattern, german } of readers) {
      const values = pattern.exec(text);
      if (values !== null)
        return german.replace(/%(\d)!/g, (_, place: string) => values[Number(place)] ?? '');
    }
    return text;
  };
}

/** %d, %ls, %.*ls, %I64d, %#016I64x, %p */
const PLACE = /%(?:\.\*|#\d+)?(?:I64)?(?:ls|[dupx])/;

function toPattern(english: string): RegExp {
  const literals = english.split(PLACE).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('(.*?)')}$`, 's');
}
