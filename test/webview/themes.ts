/** Variables and classes as VS Code's default themes give them to a webview. */
export type ThemeName = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

interface ThemeSpec {
  readonly bodyClass: string;
  readonly variables: Readonly<Record<string, string>>;
}

const BODY_CLASSES: Readonly<Record<ThemeName, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast vscode-high-contrast-light',
};

export const THEME_NAMES = Object.keys(BODY_CLASSES) as readonly ThemeName[];

const FONT = {
  'font-family': '"Segoe WPC", "Segoe UI", system-ui, Ubuntu, "DejaVu Sans", sans-serif',
  'font-size': '13px',
};

/** Each colour in the themes above, in their order; null: the theme has none. */
const COLOURS: Readonly<Record<string, readonly (string | null)[]>> = {
  foreground: ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'editor-background': ['#1f1f1f', '#ffffff', '#000000', '#ffffff'],
  'editor-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  descriptionForeground: ['#9d9d9d', '#3b3b3bb3', '#ffffffb3', '#292929b3'],
  'editorWidget-border': ['#313131', '#c8c8c8', '#6fc3df', '#0f4a85'],
  'panel-border': ['#2b2b2b', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'sideBar-background': ['#181818', '#f8f8f8', '#000000', '#ffffff'],
  'textLink-foreground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  focusBorder: ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
  'list-inactiveSelectionBackground': ['#37373d', '#e4e6f1', null, null],
  'list-hoverBackground': ['#2a2d2e', '#f2f2f2', null, null],
  'charts-green': ['#89d185', '#388a34', '#89d185', '#374e06'],
  'charts-blue': ['#3794ff', '#1a85ff', '#3794ff', '#1a85ff'],
  'charts-orange': ['#d18616', '#d18616', '#d18616', '#895503'],
  'charts-purple': ['#b180d7', '#652d90', '#b180d7', '#652d90'],
  'charts-red': ['#f14c4c', '#e51400', '#f48771', '#b5200d'],
  'charts-yellow': ['#cca700', '#bf8803', '#ffd370', '#895503'],
  errorForeground: ['#f85149', '#f85149', '#f48771', '#b5200d'],
  'button-background': ['#0078d4', '#005fb8', '#000000', '#0f4a85'],
  'button-foreground': ['#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  'button-hoverBackground': ['#026ec1', '#0258a8', null, '#0f4a85'],
  'button-border': ['#ffffff12', '#0000001a', '#6fc3df', null],
  'input-background': ['#313131', '#ffffff', '#000000', '#ffffff'],
  'input-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'input-border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'input-placeholderForeground': ['#989898', '#767676', '#ffffffb3', '#292929b3'],
  'toolbar-hoverBackground': ['#5a5d5e50', '#b8b8b850', null, null],
  'editorHoverWidget-background': ['#202020', '#f8f8f8', '#0c141f', '#ffffff'],
  'editorHoverWidget-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'editorHoverWidget-border': ['#454545', '#c8c8c8', '#6fc3df', '#0f4a85'],
  'widget-shadow': ['#0000005c', '#00000029', null, null],
  contrastBorder: [null, null, '#6fc3df', '#0f4a85'],
  contrastActiveBorder: [null, null, '#f38518', '#006bbd'],
};

const specOf = (name: ThemeName, at: number): ThemeSpec => {
  const own = Object.entries(COLOURS).flatMap(([colour, values]) =>
    values[at] ? [[colour, values[at]] as const] : [],
  );
  return { bodyClass: BODY_CLASSES[name], variables: { ...FONT, ...Object.fromEntries(own) } };
};

export const THEMES = Object.fromEntries(THEME_NAMES.map((name, at) => [name, specOf(name, at)])) as Readonly<
  Record<ThemeName, ThemeSpec>
>;
