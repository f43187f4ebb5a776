/**
 * The XQuery paths that queries over event data use: steps, `//`, attributes, text(), `.`, `*`, [n], [@a="x"],
 * [child="x"].
 */
import type { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import { textOf, type XmlElement } from './xml-tree';

export type XmlNode =
  | { readonly kind: 'element'; readonly element: XmlElement }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'root'; readonly children: readonly (XmlElement | string)[] };

type Test =
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'equal'; readonly path: Path; readonly value: string }
  | { readonly kind: 'exists'; readonly path: Path };

interface Step {
  readonly deep: boolean;
  readonly axis: 'child' | 'attribute' | 'self' | 'text';
  readonly name: string;
  readonly tests: readonly Test[];
}

export interface Path {
  readonly absolute: boolean;
  readonly steps: readonly Step[];
  /** `( ... )[n]` */
  readonly position?: number;
}

class PathReader {
  private at = 0;

  constructor(private readonly text: string) {}

  read(): Path {
    const path = this.readPath();
    this.skip();
    if (this.at < this.text.length) throw this.unknown();
    return path;
  }

  private readPath(): Path {
    if (!this.take('(')) return this.readSteps();
    const inner = this.readPath();
    this.need(')');
    if (!this.take('[')) {
      if (!this.take('/')) return inner;
      throw this.unknown();
    }
    const position = Number(this.match(/^\d+/) ?? this.fail());
    this.need(']');
    return { ...inner, position };
  }

  private readSteps(): Path {
    const steps: Step[] = [];
    let deep = this.take('//');
    const absolute = deep || this.take('/');
    do {
      steps.push(this.readStep(deep));
      deep = this.take('//');
    } while (deep || this.take('/'));
    return { absolute, steps };
  }

  private readStep(deep: boolean): Step {
    if (this.take('..')) throw this.unknown();
    if (this.take('.')) return { deep, axis: 'self', name: '', tests: this.readTests() };
    if (this.take('@')) return { deep, axis: 'attribute', name: this.readName(), tests: [] };
    if (this.match(/^text\(\s*\)/) !== undefined)
      return { deep, axis: 'text', name: '', tests: this.readTests() };
    return { deep, axis: 'child', name: this.take('*') ? '*' : this.readName(), tests: this.readTests() };
  }

  private readName(): string {
    const name = this.match(/^[\p{L}_][\p{L}\p{N}_.-]*/u) ?? this.fail();
    this.skip();
    if (this.text[this.at] === '(' || this.text[this.at] === ':') throw this.unknown();
    return name;
  }

  private readTests(): readonly Test[] {
    const tests: Test[] = [];
    while (this.take('[')) {
      do tests.push(this.readTest());
      while (this.match(/^and\b/) !== undefined);
      this.need(']');
    }
    return tests;
  }

  private readTest(): Test {
    const position = this.match(/^\d+/);
    if (position !== undefined) return { kind: 'position', position: Number(position) };
    const path = this.readPath();
    if (!this.take('=') && this.match(/^eq\b/) === undefined) return { kind: 'exists', path };
    const quoted = this.match(/^"[^"]*"|^'[^']*'|^-?\d+/) ?? this.fail();
    return { kind: 'equal', path, value: quoted.replace(/^["']|["']$/g, '') };
  }

  private skip(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  private take(symbol: string): boolean {
    this.skip();
    if (!this.text.startsWith(symbol, this.at)) return false;
    this.at += symbol.length;
    return true;
  }

  private need(symbol: string): void {
    if (!this.take(symbol)) throw this.unknown();
  }

  private match(pattern: RegExp): string | undefined {
    this.skip();
    const found = pattern.exec(this.text.slice(this.at))?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private fail(): never {
    throw this.unknown();
  }

  private unknown(): SqlError {
    return notModelled(`XQuery ${this.text}`);
  }
}

export const parsePath = (text: string): Path => new PathReader(text).read();

/** Whether the path finds at most one node, as far as one can tell without the data: value() needs that. */
export function isSingleton(path: Path): boolean {
  if (path.position !== undefined) return true;
  return (
    path.steps.every(
      (step) =>
        !step.deep &&
        (step.axis === 'self' ||
          step.axis === 'attribute' ||
          step.tests.some((test) => test.kind === 'position')),
    ) && !path.absolute
  );
}

export function selectNodes(path: Path, context: XmlNode): readonly XmlNode[] {
  const found = path.steps.reduce<readonly XmlNode[]>(
    (nodes, step) => nodes.flatMap((node) => takeStep(step, node)),
    [context],
  );
  return path.position === undefined ? found : found.slice(path.position - 1, path.position);
}

function childrenOf(node: XmlNode): readonly XmlNode[] {
  if (node.kind === 'text') return [];
  const children = node.kind === 'root' ? node.children : node.element.children;
  return children.map((child) =>
    typeof child === 'string' ? { kind: 'text', text: child } : { kind: 'element', element: child },
  );
}

function takeStep(step: Step, node: XmlNode): readonly XmlNode[] {
  if (!step.deep) return takeHere(step, node);
  return [...takeHere(step, node), ...childrenOf(node).flatMap((child) => takeStep(step, child))];
}

function takeHere(step: Step, node: XmlNode): readonly XmlNode[] {
  return step.tests.reduce<readonly XmlNode[]>(
    (nodes, test) => nodes.filter((each, index) => passes(test, each, index)),
    candidates(step, node),
  );
}

function candidates(step: Step, node: XmlNode): readonly XmlNode[] {
  if (step.axis === 'self') return [node];
  if (step.axis === 'attribute') {
    const value = node.kind === 'element' ? node.element.attributes[step.name] : undefined;
    return value === undefined ? [] : [{ kind: 'text', text: value }];
  }
  if (step.axis === 'text') return childrenOf(node).filter((child) => child.kind === 'text');
  return childrenOf(node).filter(
    (child) => child.kind === 'element' && (step.name === '*' || child.element.name === step.name),
  );
}

function passes(test: Test, node: XmlNode, index: number): boolean {
  if (test.kind === 'position') return index === test.position - 1;
  const found = selectNodes(test.path, node);
  return test.kind === 'exists' ? found.length > 0 : found.some((each) => nodeText(each) === test.value);
}

export function nodeText(node: XmlNode): string {
  if (node.kind === 'text') return node.text;
  return node.kind === 'element' ? textOf(node.element) : node.children.map(textOf).join('');
}
