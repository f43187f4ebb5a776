/** What the doctor says of one question. `note`: it works, and something may be better. */
export interface DoctorAnswer {
  readonly level: 'ok' | 'note' | 'problem';
  /** What is so, and what to do next. */
  readonly sentence: string;
}

export const ok = (sentence: string): DoctorAnswer => ({ level: 'ok', sentence });
export const note = (sentence: string): DoctorAnswer => ({ level: 'note', sentence });
export const problem = (sentence: string): DoctorAnswer => ({ level: 'problem', sentence });
