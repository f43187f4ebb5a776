/** What the doctor says of one question. `note`: it works, and something may be better. */
export interface DoctorAnswer {
  readonly level: 'ok' | 'note' | 'problem';
  /** What is so, and what to do next. */
  readonly sentence: string;
}
