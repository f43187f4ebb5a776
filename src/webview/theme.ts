/** Colours that the canvas takes from VS Code's theme; elements take them in media/styles/base.css. */
import { LEVELS } from './layout/duration-scale';
import { makeColourRamp, type ThemeKind } from './layout/colour-ramp';

export interface Theme {
  readonly kind: ThemeKind;
  readonly foreground: string;
  readonly line: string;
  readonly dim: string;
  readonly accent: string;
  readonly selection: string;
  /** Drawn around the selected lane; transparent but in high contrast. */
  readonly selectionBorder: string;
  readonly hover: string;
  readonly background: string;
  /** Colours of durations by level. */
  readonly ramp: readonly string[];
}

/** The kind of theme as VS Code writes it on the body. A light high-contrast theme carries both high-contrast classes. */
export function readThemeKind(classes: { contains(name: string): boolean }): ThemeKind {
  if (classes.contains('vscode-high-contrast-light')) return 'high-contrast-light';
  if (classes.contains('vscode-high-contrast')) return 'high-contrast';
  return classes.contains('vscode-light') ? 'light' : 'dark';
}

/** Reads the colours that media/styles/base.css derives from the theme's variables. */
export function readTheme(body: HTMLElement): Theme {
  const style = getComputedStyle(body);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const kind = readThemeKind(body.classList);
  return {
    kind,
    foreground: read('--ch-foreground'),
    line: read('--ch-line'),
    dim: read('--ch-dim'),
    accent: read('--ch-accent'),
    selection: read('--ch-selection'),
    selectionBorder: read('--ch-selection-border'),
    hover: read('--ch-hover'),
    background: read('--ch-background'),
    ramp: makeColourRamp(kind, LEVELS),
  };
}

/** Calls back when VS Code changes the theme: it rewrites the body's class and the root's style. Returns what ends it. */
export function watchTheme(document: Document, changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-kind', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  return () => observer.disconnect();
}
