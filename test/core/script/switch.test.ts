import assert from 'node:assert/strict';
import { planSwitch } from '../finished';
import { writeSwitchScripts } from '../../../src/core/script/switch';
import { reviewTemplates } from '../../../src/texts';
import { databaseOf, factsOf } from '../advice/facts-of';
import { hostileNames } from './hostile-names';
import { listChosenNames } from './read-literal';
import { changeOf, choiceOf, rollbackOf } from './scripts-of';

const origin = { serverName: "SQL'07", readAt: '2026-03-02 09:00:00 UTC+1', evidence: '17,496 checkpoints in 2 h' };
const facts = factsOf([
  ...hostileNames.map((name, i) => databaseOf({ databaseId: 10 + i, name })),
  databaseOf({ databaseId: 90, isReadOnly: true }),
]);
const ids = facts.databases.map((database) => database.databaseId);
const plan = planSwitch(choiceOf(ids, true), facts, () => 'p95 */ 2 s');
const written = writeSwitchScripts(plan, origin, reviewTemplates.setTargetRecoveryTime);
const change = changeOf(written);
const rollback = rollbackOf(written);

/** Where a T-SQL lexer stands at the end: comments nest, quotes inside them do not count, and the reverse. */
function endState(sql: string): 'code' | 'string' | 'comment' {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < sql.length; i++) {
    const pair = sql.slice(i, i + 2);
    if (quoted) quoted = sql[i] !== "'";
    else if (pair === '/*') [depth, i] = [depth + 1, i + 1];
    else if (pair === '*/' && depth > 0) [depth, i] = [depth - 1, i + 1];
    else if (depth === 0) quoted = sql[i] === "'";
  }
  return quoted ? 'string' : depth > 0 ? 'comment' : 'code';
}

describe('The switch script', () => {
  it('names every database exactly once, in order, whatever it is called', () => {
    assert.deepEqual(listChosenNames(change), hostileNames);
    assert.deepEqual(listChosenNames(rollback), [...hostileNames].reverse());
  });

  it('begins with what it changes, on what evidence, and what was left out and why', () => {
    assert.match(change, /^\/\* SWITCH: 8 databases on SQL'07 to a target recovery time of 60 seconds/);
    assert.match(change, /Evidence: 17,496 checkpoints in 2 h/);
    assert.match(change, /Left out \(1\):\n \* {3}db90 is read-only\./);
  });

  it('carries the guard for the server, with its name as a literal', () => {
    assert.match(change, /SERVERPROPERTY\(N'ServerName'\)\) = N'SQL''07'\nBEGIN/);
    assert.match(change, /SET NOEXEC ON;/);
  });

  it('expects the value that was reviewed and wants the new one; the rollback twin the other way round', () => {
    assert.match(change, /N'a\]b', '2019-03-01T10:00:00\.123', 1, 0, 60\);/);
    assert.match(rollback, /N'a\]b', '2019-03-01T10:00:00\.123', 1, 60, 0\);/);
    assert.match(rollback, /^\/\* ROLLBACK:/);
  });

  it('keeps its comments and strings closed whatever the evidence and the names say', () => {
    for (const script of [change, rollback]) {
      assert.equal(endState(script), 'code');
      assert.equal(script.match(/DROP DATABASE/g)?.length, 2, 'only inside the two literals');
    }
  });

  it('is cut at its own GO only, and has no sqlcmd variable, whatever a database is called', () => {
    const named = factsOf([databaseOf({ databaseId: 10, name: 'x\nGO\nSHUTDOWN $(y)' })]);
    const lines = planSwitch(choiceOf([10], true), named, () => 'none');
    const script = changeOf(writeSwitchScripts(lines, origin, reviewTemplates.setTargetRecoveryTime));
    assert.equal(script.match(/^GO$/gm)?.length, change.match(/^GO$/gm)?.length);
    assert.doesNotMatch(script, /\$\(|^SHUTDOWN/m);
  });

  it('never stands together with its twin: each is a document of its own', () => {
    assert.doesNotMatch(change, /ROLLBACK:/);
  });

  it('is told from its twin by the first 20 characters, and every wave from the others by the 40 that a tab shows of a first line', () => {
    const tab = (text: string, characters: number): string => (text.split('\n')[0] ?? '').slice(0, characters);
    assert.equal(tab(change, 20), '/* SWITCH: 8 databas');
    assert.equal(tab(rollback, 20), '/* ROLLBACK: 8 datab');
    const waves = { canary: 2, batch: 2, pauseMinutes: null, stopAboveWriteMs: null };
    const inWaves = planSwitch(choiceOf(ids, true, { waves }), facts, () => 'not measured');
    const { scripts } = writeSwitchScripts(inWaves, origin, reviewTemplates.setTargetRecoveryTime);
    const tabs = scripts.map(({ text }) => tab(text, 40));
    assert.equal(scripts.length, 8);
    assert.equal(new Set(tabs).size, tabs.length, tabs.join('\n'));
  });

  it('is not written for a plan without databases', () => {
    assert.throws(() => writeSwitchScripts({ ...plan, steps: [] }, origin, reviewTemplates.setTargetRecoveryTime));
  });
});
