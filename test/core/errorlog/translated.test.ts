import assert from 'node:assert/strict';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import type { MessageTemplate } from '../../../src/core/errorlog/message-template';
import { makeRow } from './log-texts';
import { valuesOf } from '../values-of';

/**
 * Rows of sys.messages in their published form: English ones with types, translated ones with numbers. The sentences
 * are ours, but for 5084 in French (1036); beside it German (1031) and Japanese (1041).
 */
const TEMPLATES: readonly MessageTemplate[] = `
5084 1033 Setting database option %ls to %ls for database '%.*ls'.
5084 1036 Définition de l'option de base de données %1! sur %2! pour la base de données '%3!'.
5084 1041 データベース '%3!' のデータベース オプション %1! を %2! に設定しています。
898 1036 L'analyse du pool de mémoires tampons a pris %1! secondes\u00a0: ID de base de données %2!, commande '%3!', opération '%4!', mémoires tampons analysées %5!, total %6!, temps d'attente %7! ms. Voir 'https://go.microsoft.com/fwlink/?linkid=2132602'.
833 1031 SQL Server hat %1! Vorkommen von E/A-Anforderungen festgestellt, die länger als %2! Sekunden brauchten, für die Datei [%3!] in der Datenbank [%4!] (%5!). Das Handle ist 0x%6!. Der Offset ist: %7!.
833 1041 ファイル [%3!] (データベース ID %4!) で %2! 秒を超える I/O 要求が %1! 回発生しました。ハンドルは 0x%5! です。オフセットは %6! です。最長 %7! ミリ秒。
3454 1036 La récupération écrit un point de contrôle dans la base de données '%1!' (%2!). Message d'information.
3421 1031 Die Wiederherstellung der %1!-Datenbank (Datenbank-ID %2!) wurde in %3! Sekunde(n) abgeschlossen (Analyse %4! ms, Wiederholen %5! ms, Rückgängig %6! ms).
4711 1036 Un autre message %1!.
5084 9999 %1!%2!%3!
`
  .trim()
  .split('\n')
  .map((line) => /^(\d+) (\d+) (.*)$/.exec(line) as RegExpExecArray)
  .map(([, messageId, languageId, text = '']) => ({
    messageId: Number(messageId),
    languageId: Number(languageId),
    text,
  }));

const SCAN_FIGURES = [
  'durationSeconds',
  'databaseId',
  'command',
  'scannedBuffers',
  'iteratedBuffers',
] as const;

const read = (
  text: string,
  templates: readonly MessageTemplate[] = TEMPLATES,
): ReturnType<typeof readErrorLog> => readErrorLog([makeRow(text)], { templates });

describe('A message in the language of the server', () => {
  it('of a changed option is read by its own sentence, whatever the order of its values', () => {
    for (const text of [
      "Définition de l'option de base de données RECOVERY sur SIMPLE pour la base de données 'l'été'.",
      "データベース 'l'été' のデータベース オプション RECOVERY を SIMPLE に設定しています。",
      "Setting database option RECOVERY to SIMPLE for database 'l'été'.",
    ]) {
      const { changes, counts } = read(text);
      assert.deepEqual(
        valuesOf(changes, 'option', 'value', 'databaseName'),
        [['RECOVERY', 'SIMPLE', "l'été"]],
        text,
      );
      assert.equal(counts.parsed, 1);
    }
  });

  for (const blank of ['\u00a0', '\u202f', ' '])
    it(`of a scan is read with ${JSON.stringify(blank)} before its colon`, () => {
      const text = `L'analyse du pool de mémoires tampons a pris 14 secondes${blank}: ID de base de données 7, commande 'BACKUP DATABASE', opération 'FlushCache', mémoires tampons analysées 115, total 204640239, temps d'attente 0 ms. Voir 'https://go.microsoft.com/fwlink/?linkid=2132602'.`;
      assert.deepEqual(valuesOf(read(text).scans, ...SCAN_FIGURES, 'waitMs', 'readBy'), [
        [14, 7, 'BACKUP DATABASE', 115, 204640239, 0, 'template'],
      ]);
    });

  it('of slow I/O is read in the older form with a name and in the newer one with a duration', () => {
    for (const [text, ...figures] of [
      [
        'SQL Server hat 3 Vorkommen von E/A-Anforderungen festgestellt, die länger als 15 Sekunden brauchten, für die Datei [F:\\x]y.mdf] in der Datenbank [12] (7). Das Handle ist 0x0000000000000A4C. Der Offset ist: 0x00000002237e000.',
        ...[3, 15, 'F:\\x]y.mdf', '12', 7, null],
      ],
      [
        'ファイル [F:\\x.mdf] (データベース ID 10) で 15 秒を超える I/O 要求が 40 回発生しました。ハンドルは 0x00000000000085B0 です。オフセットは 0x0000002237e000 です。最長 16699 ミリ秒。',
        ...[40, 15, 'F:\\x.mdf', null, 10, 16699],
      ],
    ] as const)
      assert.deepEqual(
        valuesOf(
          read(text).slowIos,
          ...([
            'occurrences',
            'thresholdSeconds',
            'file',
            'databaseName',
            'databaseId',
            'durationMs',
          ] as const),
        ),
        [figures],
      );
  });

  it('of a log that is full until a checkpoint comes is read, and of one that is full for another reason is not', () => {
    const templates = [
      {
        messageId: 9002,
        languageId: 1031,
        text: 'Das Transaktionsprotokoll für die %1!-Datenbank ist aufgrund von "%2!" voll%3!.',
      },
    ];
    const full = (why: string) =>
      read(`Das Transaktionsprotokoll für die Kasse-Datenbank ist aufgrund von "${why}" voll.`, templates);
    assert.deepEqual(valuesOf(full('CHECKPOINT').failures, 'databaseName'), ['Kasse']);
    assert.deepEqual(full('LOG_BACKUP').failures, []);
  });

  it('of a recovery is read too', () => {
    const { recoveries } = read(
      "La récupération écrit un point de contrôle dans la base de données 'x' (17). Message d'information.",
    );
    assert.deepEqual(valuesOf(recoveries, 'kind', 'databaseName', 'databaseId'), [['checkpoint', 'x', 17]]);
    const [completed] = read(
      'Die Wiederherstellung der x (y)-Datenbank (Datenbank-ID 17) wurde in 31 Sekunde(n) abgeschlossen (Analyse 2 ms, Wiederholen 30160 ms, Rückgängig 16 ms).',
    ).recoveries;
    assert.ok(completed?.kind === 'completed');
    assert.deepEqual(
      [completed.databaseName, completed.databaseId, completed.durationSeconds, completed.redoMs],
      ['x (y)', 17, 31, 30160],
    );
  });

  it('that merely resembles a sentence is not read', () => {
    for (const text of [
      "Définition de l'option de base de données RECOVERY sur SIMPLE pour la base.",
      "La récupération écrit un point de contrôle dans la base de données 'x' (dix-sept).",
      'Un autre message 5.',
      'xyz',
    ])
      assert.equal(read(text).counts.unrecognised, 1, text);
  });
});

/**
 * Shapes in which the 22 languages of sys.messages write values (docs/facts.md, SQL Server 5); the sentences are ours.
 */
describe('A sentence of the server', () => {
  for (const [shape, sentence, name] of [
    [
      'begin with a value, as in Turkish',
      '%1! (veritabanı kimliği %2!) %3! saniyede tamamlandı (analiz %4! ms, yineleme %5! ms, geri alma %6! ms).',
      'Satış 2',
    ],
    [
      'begin with a value that a hyphen follows, as in German',
      '%1!-Datenbank (ID %2!): nach %3! Sekunden (Analyse %4! ms, Wiederholen %5! ms, Rückgängig %6! ms).',
      'Kasse-Datenbank',
    ],
    [
      'have more values than are read, as since SQL Server 2019',
      'Recovery of %ls (%d) took %I64d second(s) (analysis %I64d ms, redo %I64d ms, undo %I64d ms [system undo %I64d ms].) ADR-enabled=%d',
      'x',
    ],
  ] as const)
    it(`may ${shape}`, () => {
      const values = [name, 17, 31, 2, 30160, 16, 5, 0][Symbol.iterator]();
      const text = sentence.replace(/%(\d!|ls|I64d|d)/g, () => String(values.next().value));
      const [recovery] = read(text, [{ messageId: 3421, languageId: 1, text: sentence }]).recoveries;
      assert.ok(recovery?.kind === 'completed');
      const { databaseName, databaseId, durationSeconds, redoMs } = recovery;
      assert.deepEqual([databaseName, databaseId, durationSeconds, redoMs], [name, 17, 31, 30160]);
    });

  for (const [shape, sentence] of [
    [
      'quote nothing, as in Czech, German, Finnish, Norwegian and Swedish',
      'Databasalternativet %1! anges till %2! för databasen %3!.',
    ],
    ['end with a name', 'Databasalternativet %1! anges till %2! för databasen %3!'],
    ...['„”', '»«', '’’', '“”'].map(
      (marks) =>
        [
          `have the quotes ${marks}, as in Hungarian and Polish`,
          `Ustawianie opcji %1! na %2! dla bazy ${marks[0]}%3!${marks[1]}.`,
        ] as const,
    ),
    [
      'have one apostrophe that nothing closes, as in Dutch',
      "De databaseoptie %1! wordt voor database '%3! ingesteld op %2!.",
    ],
  ] as const)
    it(`may ${shape}`, () => {
      const values = ['target_recovery_time', '60', "Shop's (old)"];
      const text = sentence.replace(/%(\d)!/g, (_, at: string) => values[Number(at) - 1] ?? '');
      const { changes } = read(text, [{ messageId: 5084, languageId: 1, text: sentence }]);
      assert.deepEqual(valuesOf(changes, 'option', 'value', 'databaseName'), [values]);
    });
});

describe('A message in a language that is not known', () => {
  it('of a scan is read by its numbers and quoted names, which stand in one order in every language', () => {
    const text =
      "L'analyse a duré 14 secondes\u00a0: ID de base de données 7, commande « BACKUP DATABASE », opération « FlushCache », tampons analysés 115, total 204640239, attente 0 ms. Consultez https://go.microsoft.com/fwlink/?linkid=2132602.";
    assert.deepEqual(valuesOf(read(text, []).scans, ...SCAN_FIGURES, 'operation', 'readBy'), [
      [14, 7, 'BACKUP DATABASE', 115, 204640239, 'FlushCache', 'token'],
    ]);
  });

  it('of a scan is not read where numbers are missing or contradict each other', () => {
    for (const numbers of [
      '7, tampons 115',
      '7, tampons 204640239, total 115, attente 0',
      '7, 8, 9, 10, 11, 12',
    ]) {
      const text = `Analyse 14 s: base ${numbers}, 'BACKUP' 'FlushCache' https://go.microsoft.com/fwlink/?linkid=2132602`;
      assert.deepEqual(read(text, []).scans, [], numbers);
    }
  });

  const nameOf = (text: string): unknown =>
    read(text, []).changes.map(({ value, databaseName, readBy }) => [value, databaseName, readBy])[0];

  it('of a changed option is read by its token, in quotes of any kind', () => {
    for (const [opening, closing] of ['„”', '„“', '“”', '«»', '»«', '‘’', "''"] as const)
      assert.deepEqual(
        nameOf(`Opcja target_recovery_time na 60 dla bazy ${opening}Shop${closing}.`),
        ['60', 'Shop', 'token'],
        opening,
      );
    assert.deepEqual(nameOf("Opcja target_recovery_time na 60 dla bazy „Shop's (old)”."), [
      '60',
      "Shop's (old)",
      'token',
    ]);
    assert.deepEqual(nameOf("Opcja target_recovery_time na 60 dla bazy 'a “b” c'."), [
      '60',
      'a “b” c',
      'token',
    ]);
  });

  it('of a changed option is read by its token, whatever the order of its values', () => {
    for (const text of [
      "Définition de l'option de base de données target_recovery_time sur 60 pour la base de données 'Shop'.",
      "Die Datenbankoption target_recovery_time wird für die Datenbank 'Shop' auf 60 festgelegt.",
      "データベース 'Shop' のデータベース オプション target_recovery_time を 60 に設定しています。",
    ])
      assert.deepEqual(nameOf(text), ['60', 'Shop', 'token'], text);
  });

  it('of a changed option is not read where nothing is quoted, or one apostrophe is left open', () => {
    for (const text of [
      "Opcja target_recovery_time na 60 dla bazy „Bob's 'x'”.",
      'Databasalternativet target_recovery_time anges till 60 för databasen Shop.',
      "De optie target_recovery_time wordt voor database 'Shop ingesteld op 60.",
      "De optie target_recovery_time wordt voor database 'O'Brien ingesteld op 60.",
    ])
      assert.equal(nameOf(text), undefined, text);
  });

  it('of slow I/O is read by its path, handles and numbers, unless a second reading is possible', () => {
    const { slowIos } = read(
      'SQL Server a rencontré 15 occurrences de demandes d’E/S de plus de 15 secondes sur le fichier [E:\\data\\x1.mdf] de la base [x2] (10). Descripteur\u00a0: 0x00000000000085B0. Décalage\u00a0: 0x0000002237e000.',
      [],
    );
    assert.deepEqual(valuesOf(slowIos, 'occurrences', 'file', 'databaseName', 'databaseId'), [
      [15, 'E:\\data\\x1.mdf', 'x2', 10],
    ]);
    const open =
      'ファイル [F:\\x.mdf] (データベース ID 10) で 15 秒を超える I/O 要求が 40 回発生しました。 0x00000000000085B0 0x0000002237e000 16699';
    assert.deepEqual(read(open, []).slowIos, []);
  });

  it('of a completed recovery is read without its name', () => {
    const text =
      'La récupération de la base de données Ventes est terminée (ID 17) en 31 secondes (analyse 2 ms, restauration 30160 ms, annulation 16 ms).';
    const [recovery] = read(text, []).recoveries;
    assert.ok(recovery?.kind === 'completed');
    assert.deepEqual(
      [recovery.databaseName, recovery.databaseId, recovery.durationSeconds, recovery.undoMs],
      [null, 17, 31, 16],
    );
  });

  it('of number and severity of an error says nothing here, as in English', () => {
    for (const blank of ['\u00a0', ' '])
      assert.equal(read(`Erreur${blank}: 824, Gravité${blank}: 24, État${blank}: 2.`, []).counts.noise, 1);
  });
});
