import assert from 'node:assert/strict';
import { createLog, describeError, type LogSink, redact } from '../../src/shell/log';

/** Each holds the secret `Tr0ub4dor` in a shape that reaches logs. */
const shapes = [
  'Server=sql01;User ID=sa;Password=Tr0ub4dor;Encrypt=true',
  'Server=sql01;Pwd = Tr0ub4dor',
  'Password="Tr0ub4dor;x";Encrypt=true',
  "password='Tr0ub4dor''s';x=1",
  'PWD={Tr0ub4dor;};Driver={ODBC Driver 18}',
  '{"user":"sa","password":"Tr0ub4dor","port":1433}',
  "{ password: 'Tr0ub4dor' }",
  "CREATE LOGIN x WITH PASSWORD = N'Tr0ub4dor';",
  "CREATE CREDENTIAL c WITH IDENTITY = 'SHARED ACCESS SIGNATURE', SECRET = 'Tr0ub4dor'",
  'Authorization: Bearer Tr0ub4dor.Tr0ub4dor',
  'access_token=Tr0ub4dor&x=1',
  'https://store.example/x?sv=1&sig=Tr0ub4dor&se=2',
  'mssql://sa:Tr0ub4dor@sql01:1433/master',
  'AccountKey=Tr0ub4dor==;EndpointSuffix=x',
];

describe('the log', () => {
  for (const shape of shapes) {
    it(`keeps the secret out of: ${shape}`, () => {
      assert.doesNotMatch(redact(shape), /Tr0ub4dor/);
      assert.match(redact(shape), /\*\*\*/);
    });
  }

  it('keeps a JSON web token out', () => {
    assert.equal(redact('token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_d end'), 'token *** end');
  });

  it('leaves what is no secret as it is', () => {
    const texts = [
      'PROD-SQL07,1433 refused login sa: check the user name and the password in Edit Server (Msg 18456).',
      'CREATE EVENT SESSION [CheckpointHealth] ON SERVER ADD EVENT sqlserver.checkpoint_begin',
      'Server=sql01;Encrypt=true;User ID=sa',
    ];
    for (const text of texts) assert.equal(redact(text), text);
  });

  it('hides a password that it was told of wherever it stands, in every kind of entry', () => {
    const lines: string[] = [];
    const sink: LogSink = { info: (line) => lines.push(line), warn: (line) => lines.push(line), error: (line) => lines.push(line) };
    const log = createLog(sink);
    log.hide('hunter(2)$&');
    log.info('a hunter(2)$& b');
    log.warn('hunter(2)$&');
    log.error('hunter(2)$&hunter(2)$&');
    log.statement('s', 't', "PRINT 'hunter(2)$&'");
    assert.deepEqual(lines, ['a *** b', '***', '******', "s: t\nPRINT '***'"]);
  });

  it('does not blank out letters for a password of one letter', () => {
    const lines: string[] = [];
    const log = createLog({ info: (line) => lines.push(line), warn: () => undefined, error: () => undefined });
    log.hide('a');
    log.info('a database');
    assert.deepEqual(lines, ['a database']);
  });

  it('writes the T-SQL that changes something with its server and purpose', () => {
    const lines: string[] = [];
    const log = createLog({ info: (line) => lines.push(line), warn: () => undefined, error: () => undefined });
    log.statement('PROD', 'start', 'ALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = START;');
    assert.deepEqual(lines, ['PROD: start\nALTER EVENT SESSION [CheckpointHealth] ON SERVER STATE = START;']);
  });

  it('has a sentence for an error of any kind', () => {
    assert.deepEqual(
      [describeError(new Error('It failed.')), describeError('why'), describeError(new Error(''))],
      ['It failed.', 'why', 'Something failed without saying why.'],
    );
  });
});
