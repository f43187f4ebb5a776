import { contradicted, holds, judgeBy, notObservable, type Fact } from './judgement';

const nearMs = 60_000;
/** A cursor whose file is gone: docs/facts.md, SQL Server 4. */
const goneFile = [25717, 25722];

const localCreateTime: Fact = {
  id: 'local-create-time',
  statement: "sys.dm_xe_sessions.create_time is the server's local time.",
  source: 'not documented; taken for local by src/core/session/event-session.ts',
  judge({ sessionCreated: { fromLocalMs, fromUtcMs }, utcOffsetMinutes }) {
    if (utcOffsetMinutes === 0) return notObservable("the server's own time zone is UTC");
    const saw = `It lay ${fromLocalMs} ms from local time and ${fromUtcMs} ms from UTC.`;
    return judgeBy(Math.abs(fromLocalMs) < nearMs, saw);
  },
};

const exactCursor: Fact = {
  id: 'exact-cursor',
  statement:
    'A read behind a file and offset that the function returned skips everything up to and including that buffer, and nothing else.',
  source: 'SQL Server 4 [D]',
  judge({ events, pagedPlaces }) {
    if (events.length === 0) return notObservable('no event was read');
    const whole = events.map(({ place }) => place);
    const missing = whole.filter((place) => !pagedPlaces.includes(place)).length;
    const twice = pagedPlaces.length - new Set(pagedPlaces).size;
    return judgeBy(missing === 0 && twice === 0, `Of ${whole.length} events the pages missed ${missing} and had ${twice} twice.`);
  },
};

const rolledOverCursor: Fact = {
  id: 'rolled-over-cursor',
  statement: 'A cursor whose file was deleted by rollover is error 25722 or 25717.',
  source: 'SQL Server 4 [M]',
  judge({ rolledOver }) {
    if (rolledOver === null) return notObservable('no file was rolled over');
    const numbers = rolledOver.errors.map(({ number }) => number);
    return judgeBy(
      numbers.some((number) => goneFile.includes(number)),
      numbers.length === 0 ? 'The read gave no error.' : `The read gave ${numbers.join(', ')}.`,
    );
  },
};

const scanEvent: Fact = {
  id: 'scan-event',
  statement: 'buffer_pool_scan_complete exists from 2016 SP3, 2017 CU23, 2019 CU9 and 2022 on.',
  source: 'SQL Server 3 [D]',
  judge({ hasScanEvent, productVersion }) {
    const [major = 0, , build = 0] = productVersion.split('.').map(Number);
    const firstBuild: Readonly<Record<number, number>> = { 13: 6300, 14: 3381, 15: 4102 };
    const expected = major >= 16 || build >= (firstBuild[major] ?? Infinity);
    return judgeBy(hasScanEvent === expected, `${productVersion} ${hasScanEvent ? 'has' : 'does not have'} it.`);
  },
};

const maxDuration: Fact = {
  id: 'max-duration',
  statement: 'MAX_DURATION exists from SQL Server 2025 on, and not before.',
  source: 'SQL Server 4 [D]',
  judge({ maxDuration: { errors }, majorVersion }) {
    const accepted = errors.length === 0;
    const saw = accepted ? 'It was accepted.' : `It was refused: ${errors.map(({ number, message }) => `${number} ${message}`).join('; ')}`;
    return judgeBy(accepted === majorVersion >= 17, saw);
  },
};

const unknownPermission: Fact = {
  id: 'unknown-permission',
  statement: 'HAS_PERMS_BY_NAME of a permission that the version does not know is NULL, not 0.',
  source: 'SQL Server 6',
  judge({ createAnyPermission, majorVersion }) {
    const saw = `CREATE ANY EVENT SESSION is ${createAnyPermission ?? 'NULL'} on major version ${majorVersion}.`;
    return judgeBy((createAnyPermission === null) === majorVersion < 16, saw);
  },
};

const creatorCannotStart: Fact = {
  id: 'creator-cannot-start',
  statement: 'CREATE ANY EVENT SESSION alone creates a session, and does not start it.',
  source: 'SQL Server 6',
  judge({ creatorOnly, majorVersion }) {
    if (creatorOnly === null) return notObservable(`major version ${majorVersion} has no such permission`);
    const { create, start } = creatorOnly;
    if (create.errors.length > 0) return contradicted(`Creating was refused: ${create.errors[0]?.number} ${create.errors[0]?.message}`);
    if (start.errors.length === 0) return contradicted('Starting was allowed.');
    return holds(`Creating was allowed, starting was refused with ${start.errors.map(({ number }) => number).join(', ')}.`);
  },
};

export const sessionFacts: readonly Fact[] = [
  localCreateTime,
  exactCursor,
  rolledOverCursor,
  scanEvent,
  maxDuration,
  unknownPermission,
  creatorCannotStart,
];
