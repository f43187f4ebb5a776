/** An answer that comes when the test says so. What waits for it calls `call`, as often as it likes. */
export class HeldAnswer<T = void> {
  give!: (answer: T) => void;
  fail!: (error: Error) => void;
  private readonly answer = new Promise<T>((give, fail) => Object.assign(this, { give, fail }));
  readonly call = (): Promise<T> => this.answer;
}
