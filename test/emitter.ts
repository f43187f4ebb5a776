/** Tells everybody who listens, as an event of VS Code does. */
export class Emitter<T = void> {
  private readonly listeners = new Set<(told: T) => void>();
  readonly event = (listener: (told: T) => void): { dispose(): void } => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  readonly fire = (told: T): void => this.listeners.forEach((listener) => listener(told));
  readonly dispose = (): void => this.listeners.clear();
}
