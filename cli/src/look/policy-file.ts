/** `.checkpoint-policy.json` as the editor reads it of a folder. */
import { readFile } from 'node:fs/promises';
import { noPolicy, type PolicyInForce } from '../../../src/core/advice/policy';
import { describeProblems, readPolicy } from '../../../src/core/advice/policy-text';
import { BadUsage } from '../kit/exit';

const POLICY_FILE_NAME = '.checkpoint-policy.json';

export interface FoundPolicy {
  readonly inForce: PolicyInForce;
  /** null: there is none. */
  readonly file: string | null;
}

/**
 * @param named absent: the one in the working directory, if it is there
 * @throws BadUsage if the file that was named cannot be read
 */
export async function findPolicy(named: string | undefined): Promise<FoundPolicy> {
  const file = named ?? POLICY_FILE_NAME;
  const text = await readFile(file, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
    if (named === undefined && code === 'ENOENT') return null;
    throw new BadUsage(`The policy cannot be read: ${message}`);
  });
  const source = `none (the working directory has no ${POLICY_FILE_NAME})`;
  if (text === null) return { inForce: { ...noPolicy, source }, file: null };
  const { policy, problems } = readPolicy(text);
  const unreadable = describeProblems(problems.filter(({ mayHide }) => mayHide === true));
  return { inForce: { policy, problems: describeProblems(problems), unreadable, source: file }, file };
}
