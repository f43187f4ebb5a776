import assert from 'node:assert/strict';
import { fillTemplate } from '../../src/core/script/template';
import { readTemplates } from '../../src/texts';
import { findFiles, readTruth } from './event-files';
import { openLogin, quoteText } from './login';
import { readSettings } from './settings';
import { type LiveRight, type LiveTarget, openTarget, skip, writeReport } from './target';
import { watchLive } from './window';

const settings = readSettings(process.env);
const isSimulator = settings.kind === 'simulator';
const rights: readonly LiveRight[] = ['VIEW SERVER STATE', 'db_owner of one database', 'dbcreator'];

describe(`What our monitor reads, on ${isSimulator ? 'the simulator' : 'SQL Server'}`, function () {
  this.timeout(900_000);
  let target: LiveTarget;
  let many: readonly string[] = [];
  before(async () => {
    target = await openTarget(settings, 50);
    many = await target.many();
  });
  after(() => target?.dispose());

  it('of fifty databases at work: targets and figures are those of catalog and event files, read past it; it judges the server and leaves no session', async () => {
    const monitor = watchLive(target.address);
    const login = await openLogin(target.address);
    try {
      await monitor.refresh();
      const catalog = await login.rows(
        'SELECT id = database_id, seconds = target_recovery_time_in_seconds FROM sys.databases ORDER BY database_id;',
      );
      const facts = monitor.snapshot.facts?.databases.map(({ databaseId, targetSeconds }) => ({ id: databaseId, seconds: targetSeconds }));
      assert.deepEqual(
        facts?.sort((a, b) => a.id - b.id),
        catalog,
      );
      // Files of one name hold events of earlier runs too.
      const sinceUtcMs = await login.number("SELECT n = CONVERT(float, DATEDIFF(SECOND, '1970-01-01', SYSUTCDATETIME())) * 1000;");
      await monitor.startTracking(null);
      const pattern = await findFiles(login);
      await target.workMany();
      await monitor.stopTracking();
      const truth = await readTruth(login, pattern, sinceUtcMs);
      const { statistics, instance } = monitor.snapshot;
      const figures = [...statistics].map(([databaseId, { count, totalMs, maximumMs }]) => ({ databaseId, count, totalMs, maximumMs }));
      assert.deepEqual(
        figures.sort((a, b) => a.databaseId - b.databaseId),
        truth,
      );
      for (const name of isSimulator ? [] : many) {
        const id = await login.number(`SELECT id = DB_ID(${quoteText(name)});`);
        const hasOne = truth.some(({ databaseId }) => databaseId === id);
        assert.ok(hasOne, `${name} had no checkpoint`);
      }
      assert.ok(truth.length > 1);
      assert.match(instance?.state ?? '', /^(saturated|queue at times|mostly free|cannot tell yet|cannot tell)$/);
      await monitor.removeTracking();
      assert.equal(await login.number("SELECT n = COUNT(*) FROM sys.server_event_sessions WHERE name = N'CheckpointHealth';"), 0);
    } finally {
      login.close();
      await monitor.dispose();
    }
  });

  for (const right of rights)
    it(`as a login with ${right} alone: each read answers or says which permission it lacks, and the monitor has facts or one sentence`, async function () {
      const address = await target.login(right);
      if (address === undefined) return skip(this, 'no login of the model has this right');
      const login = await openLogin(address);
      const lines: string[] = [];
      try {
        for (const [name, template] of Object.entries(readTemplates)) {
          const { rows, errors } = await login.attempt(fillTemplate(template, {}));
          lines.push(`| ${name} | ${rows.length} | ${errors.map(({ number, message }) => `${number} ${message}`).join('; ')} |`);
          for (const { number, message } of errors)
            assert.ok([229, 297, 300, 371, 262, 15562, 916].includes(number), `${name}: ${number} ${message}`);
        }
      } finally {
        login.close();
      }
      const monitor = watchLive(address);
      await monitor.refresh();
      const { facts, failure } = monitor.snapshot;
      await monitor.dispose();
      assert.ok(facts !== null || failure !== null);
      lines.push('', facts === null ? `The monitor says: ${failure}` : `The monitor has facts of ${facts.databases.length} databases.`);
      const head = [`# As a login with ${right} alone, on ${settings.kind}`, '', '| read | rows | errors |', '|---|---|---|'];
      writeReport(settings, right.replace(/\W+/g, '-'), [...head, ...lines]);
    });
});
