import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../../simulator/index';
import { readCaughtAnswers, writeCaughtReads, writeGatheredRead } from '../../../src/core/script/caught-read';
import { addPrologue } from '../../../src/core/script/prologue';
import { fillTemplate } from '../../../src/core/script/template';
import type { Connection, ResultSet } from '../../../src/hosts/host';
import type { OwnSessionText, ReadText } from '../../../src/core/script/text';
import { gatheringTemplates, readTemplates } from '../../../src/texts';
import { openFreely } from '../../hosts/opening';
import { reach } from './watched-server';

const OTHER_SESSION = 'Made by someone else';
/** A session of someone else that records checkpoints in memory, so that every read has something to find. */
const MAKE_OTHER_SESSION = `
  CREATE EVENT SESSION [${OTHER_SESSION}] ON SERVER
    ADD EVENT sqlserver.checkpoint_begin, ADD EVENT sqlserver.checkpoint_end ADD TARGET package0.ring_buffer;
  ALTER EVENT SESSION [${OTHER_SESSION}] ON SERVER STATE = START;
  SELECT done = 1;` as OwnSessionText;

/** A read with its defaults, and of that session where it asks for a ring. */
function fillRead(name: keyof typeof readTemplates): ReadText {
  return fillTemplate(readTemplates[name], name === 'ringBuffer' ? { session_name: OTHER_SESSION } : {});
}

describe('Every read of sql/, gathered before it is sent', () => {
  let simulator: Simulator;
  let connection: Connection;

  before(async () => {
    simulator = await startSimulator({ scenario: 'availability-group', databases: 40, rate: 0, tls: 'required' });
    connection = await openFreely(reach(simulator));
    await connection.query(MAKE_OTHER_SESSION, { timeoutMs: 30_000 });
  });

  after(async () => {
    await connection?.close();
    await simulator?.close();
  });

  const ask = async (text: ReadText): Promise<ResultSet> =>
    (await connection.query(addPrologue(text), { timeoutMs: 30_000 })).at(-1) ?? assert.fail('no result');

  const names = (Object.keys(readTemplates) as (keyof typeof readTemplates)[]).filter((each) => each !== 'checkpointEvents');
  for (const name of names) {
    it(`gives the same columns and rows in the same order: ${name}`, async () => {
      const text = fillRead(name);
      const plain = await ask(text);
      const answer = readCaughtAnswers(await ask(writeCaughtReads([text])), [text])?.[0];
      assert.deepEqual([answer?.error, answer?.columns, answer?.rows], [null, plain.columns, plain.rows]);
      assert.ok(plain.rows.length > 0 || name === 'acceleratedRecovery', 'no database here has accelerated recovery');
    });
  }

  for (const [name, template] of Object.entries(gatheringTemplates))
    it(`gives the same, and says where it ends, if it asks a procedure: ${name}`, async () => {
      const text = fillTemplate(template, {});
      const plain = await ask(text);
      const gathered = writeGatheredRead(text);
      const sent = await ask(gathered.text);
      const answer = readCaughtAnswers(sent, [gathered.select])?.[0];
      assert.deepEqual([answer?.error, answer?.columns, answer?.rows], [null, plain.columns, plain.rows]);
      assert.ok(plain.rows.length > 0);
      assert.equal(readCaughtAnswers({ ...sent, rows: sent.rows.slice(0, -1) }, [gathered.select]), null);
    });

  it('tells the number of an error that a host would hide, and what was asked beside it', async () => {
    const texts = [fillRead('serverFacts'), fillTemplate(readTemplates.checkpointEvents, {}), fillRead('databaseFacts')];
    const [facts, events, databases] = readCaughtAnswers(await ask(writeCaughtReads(texts)), texts) ?? [];
    assert.deepEqual([facts?.error, events?.error?.number, events?.rows.length, databases?.error], [null, 25718, 0, null]);
    const plain = await ask(fillRead('databaseFacts'));
    assert.deepEqual([facts?.rows.length, databases?.columns, databases?.rows], [1, plain.columns, plain.rows]);
  });
});
