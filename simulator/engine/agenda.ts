/** What will happen in the model, in virtual time; equal times keep the order in which they were entered. */
export interface Agenda {
  enter(atUs: number, run: (atUs: number) => void): void;
  /** Runs everything due up to and including that moment, each at its own time. */
  runUntil(untilUs: number): void;
}

interface Entry {
  readonly atUs: number;
  readonly order: number;
  readonly run: (atUs: number) => void;
}

export function createAgenda(): Agenda {
  const heap: Entry[] = [];
  let order = 0;
  return {
    enter(atUs, run) {
      push(heap, { atUs, order: order++, run });
    },
    runUntil(untilUs) {
      for (let first = heap[0]; first !== undefined && first.atUs <= untilUs; first = heap[0]) {
        pop(heap);
        first.run(first.atUs);
      }
    },
  };
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.atUs < b.atUs || (a.atUs === b.atUs && a.order < b.order);
}

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length;
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up] as Entry;
    if (!isBefore(entry, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    const right = child + 1;
    if (right < heap.length && isBefore(heap[right] as Entry, heap[child] as Entry)) child = right;
    const smaller = heap[child] as Entry;
    if (!isBefore(smaller, last)) break;
    heap[at] = smaller;
    at = child;
  }
  heap[at] = last;
}
