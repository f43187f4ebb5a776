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
      'ファイル [F:\\x.mdf] 10 で 15 秒を超える I/O 要求が 40 回発生しました。 0x00000000000085B0 0x0000002237e000 16699';
    assert.deepEqual(read(open, []).slowIos, []);
  });

  /** The sentences that Microsoft Learn has for message 833 in each language. */
  for (const [language, text] of Object.entries({
    German:
      'Bei 7 E/A-Anforderungen von SQL Server wurden mehr als 15 Sekunden zum Abschließen des Vorgangs für die Datei [FILE] in der Datenbank [Shop] (9) benötigt . Das Dateihandle des Betriebssystems lautet 0x0000000000000B2C. Der Offset des letzten langen E/A-Vorgangs lautet: 0x000004f9e10000.',
    French:
      "SQL Server a rencontré 7 occurrence(s) de requêtes d’E/S mettant plus de 15 secondes à s’effectuer dans le fichier [FILE] de la base de données [Shop] (9). Le descripteur de fichier du système d'exploitation est 0x0000000000000B2C. Le décalage de la dernière E/S longue est : 0x000004f9e10000.",
    'French with straight apostrophes':
      "SQL Server a rencontré 7 occurrence(s) de demandes d'E/S qui mettent plus de 15 secondes à s'effectuer sur le fichier [FILE] de la base de données [Shop] (9). Le descripteur de fichier du système d'exploitation est 0x0000000000000B2C. Le décalage est : 0x000004f9e10000.",
    Spanish:
      'SQL Server ha detectado 7 instancias de solicitudes de E/S que están tardando más de 15 segundos en completarse en el archivo [FILE] de la base de datos [Shop] (9). El identificador de archivo del SO es 0x0000000000000B2C. El desplazamiento de la operación de E/S más reciente y más larga es: 0x000004f9e10000.',
    Portuguese:
      'O SQL Server encontrou 7 ocorrências de solicitações de E/S demorando mais do que 15 segundos para serem concluídas no arquivo [FILE] no banco de dados [Shop] (9). O identificador de arquivo do SO é 0x0000000000000B2C. O deslocamento da E/S mais demorada é: 0x000004f9e10000.',
    Russian:
      'SQL Server обнаружил запросы ввода-вывода (7), занявшие более 15 с, для завершения обработки файла [FILE] в базе данных [Shop] (9). Дескриптором файла ОС является 0x0000000000000B2C. Смещение последней длительной операции ввода-вывода: 0x000004f9e10000.',
    Japanese:
      'SQL Server は、データベース [Shop] (9) のファイル [FILE] で、完了に 15 秒以上かかった I/O 要求を 7 個検出しました。 OS ファイル ハンドルは 0x0000000000000B2C です。 最新の実行時間の長い I/O のオフセットは 0x000004f9e10000 です。',
    Korean:
      'SQL Server에서 데이터베이스 [Shop] (9)의 파일 [FILE]에서 완료하는 데 15초보다 오래 걸리는 I/O 요청이 7개 발생했습니다. OS 파일 핸들은 0x0000000000000B2C입니다. 가장 최근의 시간 초과 I/O의 오프셋은 0x000004f9e10000입니다.',
    'simplified Chinese':
      'SQL Server 已 7 次遇到了针对数据库 [Shop] (9) 中文件 [FILE] 的、所需完成时间超过 15 秒的 I/O 请求。 OS 文件句柄是 0x0000000000000B2C。 最新的长时间 I/O 操作的偏移量是: 0x000004f9e10000。',
    'traditional Chinese':
      '在資料庫中 [Shop] (9)的檔案 [FILE] 上，SQL Server 發現 I/O 要求的 7 發生時間超過 15 秒才能完成。 作業系統檔案控制代碼為 0x0000000000000B2C。 最新長 I/O 的位移為: 0x000004f9e10000。',
    Italian:
      'SQL Server ha rilevato 7 occorrenze di richieste I/O che hanno impiegato più di 15 secondi per il completamento per il file [FILE] nel database [Shop] (9). Handle del file del sistema operativo: 0x0000000000000B2C. Offset: 0x000004f9e10000.',
  }))
    it(`of slow I/O is read in ${language}, whatever its numbers are`, () => {
      const figures = ['occurrences', 'file', 'databaseName', 'databaseId', 'thresholdSeconds'] as const;
      for (const [count, id] of [
        [7, 9],
        [15, 9],
        [3, 15],
        [15, 15],
      ] as const)
        for (const [name, file] of [
          ['Shop', 'D:\\Data\\Shop.mdf'],
          ['15', '/var/opt/mssql/data/15 15.mdf'],
        ] as const) {
          const given = text
            .replace('7', String(count))
            .replace('(9)', `(${id})`)
            .replace('Shop', name)
            .replace('FILE', file);
          assert.deepEqual(
            valuesOf(read(given, []).slowIos, ...figures),
            [[count, file, name, id, 15]],
            given,
          );
        }
    });

  it('of slow I/O is read by the id alone, where one word says which number it is', () => {
    const figures = ['occurrences', 'databaseName', 'databaseId', 'durationMs'] as const;
    for (const [text, ...values] of [
      [
        'SQL Server 已遇到 15 次对数据库 ID 7 中的文件 [D:\\x.mdf] 进行的 I/O 请求超过 15 秒才完成。操作系统文件句柄为 0x0000000000000B2C。最新的长时间 I/O 的偏移量为: 0x000004f9e10000',
        15,
        null,
        7,
        null,
      ],
      [
        "SQL Server a rencontré 2 occurrence(s) de requêtes d’E/S mettant plus de 15 secondes à s’effectuer dans le fichier [E:\\x1.mdf] de la base de données d'ID 15. Descripteur : 0x00000000000085B0. Décalage : 0x0000002237e000. Durée : 16699 ms.",
        2,
        null,
        15,
        16699,
      ],
    ] as const)
      assert.deepEqual(valuesOf(read(text, []).slowIos, ...figures), [values], text);
    const open = 'SQL Server 15 回 [D:\\x.mdf] 7 で 15 秒 40 です。 0x0000000000000B2C 0x000004f9e10000';
    assert.deepEqual(read(open, []).slowIos, [], 'nothing says which number is which');
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

  it("of recovery's own checkpoint and of a full log is read by quoted name, id and reason, and nothing like them", () => {
    for (const text of [
      "Die Wiederherstellung schreibt einen Prüfpunkt in Datenbank 'Shop' (17). Nur eine Meldung.",
      "La récupération écrit un point de contrôle d'office dans la base de données 'Shop' (17).",
      "恢复操作正在将检查点写入数据库 'Shop' (17)。",
    ])
      assert.deepEqual(
        valuesOf(read(text, []).recoveries, 'kind', 'databaseName', 'databaseId'),
        [['checkpoint', 'Shop', 17]],
        text,
      );
    const full = (name: string, reason: string) =>
      read(`データベース '${name}' のトランザクション ログが '${reason}' のためいっぱいです。`, []);
    assert.deepEqual(valuesOf(full('Shop', 'CHECKPOINT').failures, 'messageId', 'databaseName'), [
      [9002, 'Shop'],
    ]);
    const [notice] = full('Shop', 'LOG_BACKUP').notices;
    assert.ok(notice?.kind === 'full log');
    assert.deepEqual([notice.databaseName, notice.reason], ['Shop', 'LOG_BACKUP']);
    for (const text of [
      "'CHECKPOINT' 'Shop'",
      "'Shop' 'CHECKPOINT' 'x'",
      "Prüfpunkt 'Shop' (17) 3",
      "Prüfpunkt 'Shop'",
    ])
      assert.equal(read(text, []).counts.unrecognised, 1, text);
  });

  it('of number and severity of an error says nothing here, as in English', () => {
    for (const blank of ['\u00a0', ' '])
      assert.equal(read(`Erreur${blank}: 824, Gravité${blank}: 24, État${blank}: 2.`, []).counts.noise, 1);
  });
});
