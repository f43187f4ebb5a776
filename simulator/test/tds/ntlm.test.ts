import assert from 'node:assert/strict';
import md4 from 'js-md4';
import { ProtocolError } from '../../tds/byte-reader';
import { isNtlmNegotiate, provesPassword, readNtlmAnswer, writeNtlmChallenge } from '../../tds/ntlm';

/** MS-NLMP 4.2.1 and 4.2.4: the values of its example of NTLMv2. */
const example = {
  user: 'User',
  domain: 'Domain',
  password: 'Password',
  challenge: Buffer.from('0123456789abcdef', 'hex'),
  lmResponse: '86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa',
  proof: '68cd0ab851e51c96aabc927bebef6a1c',
  /**
   * `temp` of 4.2.4.1.3: version, a time of zero, the client's challenge, what the server told of itself, four zeros.
   */
  rest:
    '01010000000000000000000000000000aaaaaaaaaaaaaaaa00000000' +
    '02000c0044006f006d00610069006e0001000c005300650072007600650072000000000000000000',
};

function answer(lmResponse: string, ntResponse: string): Parameters<typeof provesPassword>[0] {
  const { user, domain } = example;
  return {
    user,
    domain,
    lmResponse: Buffer.from(lmResponse, 'hex'),
    ntResponse: Buffer.from(ntResponse, 'hex'),
  };
}

describe('NTLM', () => {
  it('rests on MD4 as RFC 1320 prints it', () =>
    assert.equal(
      Buffer.from(md4.arrayBuffer(Buffer.from('message digest'))).toString('hex'),
      'd9130a8164549fe818874806e1c7014b',
    ));

  for (const [name, given] of [
    ['the whole NT response', answer(example.lmResponse, example.proof + example.rest)],
    ['the NT response alone', answer('00'.repeat(24), example.proof + example.rest)],
    ['the LM response where the NT response is cut to its proof', answer(example.lmResponse, example.proof)],
  ] as const) {
    it(`takes ${name} as proof of the password, and of no other`, () => {
      assert.equal(provesPassword(given, example.challenge, example.password), true);
      assert.equal(provesPassword(given, example.challenge, 'password'), false);
      assert.equal(provesPassword(given, Buffer.from('fedcba9876543210', 'hex'), example.password), false);
      assert.equal(provesPassword({ ...given, user: 'Other' }, example.challenge, example.password), false);
    });
  }

  it('takes no proof that is missing, too short or of version 1', () => {
    for (const given of [
      answer('', ''),
      answer('aa', 'bb'),
      answer(example.lmResponse, '00'.repeat(24)),
      answer('00'.repeat(16), '00'.repeat(16)),
    ])
      assert.equal(provesPassword(given, example.challenge, example.password), false);
  });

  it('names domain and server in its challenge, at the places that the challenge says', () => {
    const message = writeNtlmChallenge(example.challenge, 'CORP', 'SQL1');
    const at = (place: number): Buffer =>
      message.subarray(
        message.readUInt32LE(place + 4),
        message.readUInt32LE(place + 4) + message.readUInt16LE(place),
      );
    assert.equal(at(12).toString('utf16le'), 'CORP');
    assert.equal(at(40).toString('hex'), '0200080043004f005200500001000800530051004c00310000000000');
    assert.deepEqual(message.subarray(24, 32), example.challenge);
  });

  it('reads nothing but what NTLM says', () => {
    assert.equal(isNtlmNegotiate(Buffer.from('NTLMSSP\0\x01\0\0\0\0\0\0\0', 'latin1')), true);
    for (const token of [Buffer.alloc(0), Buffer.alloc(40), Buffer.from('`\x81 SPNEGO of some length')])
      assert.equal(isNtlmNegotiate(token), false);
    const message = Buffer.alloc(64);
    message.write('NTLMSSP\0', 'latin1');
    message.writeUInt32LE(3, 8);
    assert.throws(() => readNtlmAnswer(message), ProtocolError);
    message.writeUInt32LE(1, 60);
    assert.equal(readNtlmAnswer(message).user, '');
    message.writeUInt16LE(4, 36);
    message.writeUInt32LE(62, 40);
    assert.throws(() => readNtlmAnswer(message), ProtocolError);
  });
});
