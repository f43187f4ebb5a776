/** Colours that the canvas takes from VS Code's theme; media/styles/base.css has those of elements. */
import type { TimeMarkKind } from '../../core/timeline/time-marks';
import { COLOUR_STEPS } from '../../core/timeline/duration-levels';
import { createColourRamp, type ThemeKind } from './colour-ramp';

export interface Theme {
  readonly kind: ThemeKind;
  readonly foreground: string;
  readonly line: string;
  readonly dim: string;
  readonly accent: string;
  readonly selection: string;
  /** Drawn around the selected lane; transparent except in high contrast. */
  readonly selectionBorder: string;
  readonly hover: string;
  readonly background: string;
  /** Colours of the strips above the lanes. */
  readonly strips: Readonly<Record<'busy' | 'overlap' | 'latency' | 'pages', string>>;
  /** Colours of the marks from the error log and msdb. */
  readonly marks: Readonly<Record<TimeMarkKind, string>>;
  /** Colours of durations by level. */
  readonly ramp: readonly string[];
}

/** The kind of theme, as VS Code writes it on the body. A light high-contrast theme has both high-contrast classes. */
function readThemeKind(classes: { contains(name: string): boolean }): ThemeKind {
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
    strips: {
      busy: read('--ch-strip-busy'),
      overlap: read('--ch-strip-overlap'),
      latency: read('--ch-strip-latency'),
      pages: read('--ch-strip-pages'),
    },
    marks: {
      FlushCache: read('--ch-warn'),
      'buffer pool scan': read('--ch-accent'),
      'slow I/O': read('--ch-bad'),
      backup: read('--ch-good'),
      recovery: read('--ch-dim'),
      notice: read('--ch-warn'),
    },
    ramp: createColourRamp(kind, COLOUR_STEPS),
  };
}

/** Calls back when VS Code changes the theme by rewriting the body's class and the root's style. */
export function watchTheme(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, {
    attributes: true,
    attributeFilter: ['class', 'data-vscode-theme-kind', 'data-vscode-theme-id'],
  });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
}
