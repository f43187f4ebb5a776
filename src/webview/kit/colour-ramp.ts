/**
 * Colours for durations in equal steps for the eye: neighbours are equally far apart in the OKLab colour space
 * (Ottosson, "A perceptual color space for image processing", 2020), along the line through a theme's stops.
 */
export type ThemeKind = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

type Triple = readonly [number, number, number];

/**
 * From short to long. In dark themes longer durations are warmer, in light themes darker. Each has 3:1 to the theme's
 * background and to that of a selected lane.
 */
const STOPS: Readonly<Record<ThemeKind, readonly string[]>> = {
  dark: ['#4f8fcb', '#3aa0c0', '#3aa5a6', '#86b95f', '#e0b83e', '#ef8a3a', '#ff6558'],
  light: ['#3480b8', '#2f66b5', '#5a45a8', '#8a2a8c', '#a11a5e', '#8a1240', '#5f0c26'],
  'high-contrast': ['#4ca6ff', '#3fd0e8', '#7fe787', '#ffe34d', '#ffa033', '#ff6a5c'],
  'high-contrast-light': ['#2f86cc', '#2c66bd', '#4f46ab', '#7a2693', '#8f1562', '#650a30', '#330010'],
};

/** `count` colours (`#rrggbb`) from the shortest duration to the longest, equally far apart for the eye. */
export function createColourRamp(kind: ThemeKind, count: number): readonly string[] {
  const stops = STOPS[kind].map((stop) => toOklab(parseColour(stop)));
  const lengths = [0];
  for (let i = 1; i < stops.length; i++) lengths.push(lengths[i - 1]! + distance(stops[i - 1]!, stops[i]!));
  const whole = lengths[lengths.length - 1]!;
  return Array.from({ length: count }, (_, i) =>
    printColour(toRgb(pointAlong(stops, lengths, (whole * i) / (count - 1)))),
  );
}

/** How different two colours are for the eye, as a distance in OKLab; 0.02 is about the least that people notice. */
export function colourDistance(a: string, b: string): number {
  return distance(toOklab(parseColour(a)), toOklab(parseColour(b)));
}

function pointAlong(stops: readonly Triple[], lengths: readonly number[], at: number): Triple {
  let i = 1;
  while (i < stops.length - 1 && lengths[i]! < at) i++;
  const t = (at - lengths[i - 1]!) / (lengths[i]! - lengths[i - 1]!);
  const [from, to] = [stops[i - 1]!, stops[i]!];
  return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t];
}

const distance = (a: Triple, b: Triple): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function parseColour(text: string): Triple {
  const part = (at: number): number => parseInt(text.slice(at, at + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

const printColour = (rgb: Triple): string =>
  '#' +
  rgb
    .map((part) =>
      Math.round(Math.min(1, Math.max(0, part)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');

const toLinear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const fromLinear = (part: number): number =>
  part <= 0.0031308 ? part * 12.92 : 1.055 * Math.max(0, part) ** (1 / 2.4) - 0.055;

function toOklab(rgb: Triple): Triple {
  const r = toLinear(rgb[0]);
  const g = toLinear(rgb[1]);
  const b = toLinear(rgb[2]);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toRgb(lab: Triple): Triple {
  const l = (lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2]) ** 3;
  const m = (lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2]) ** 3;
  const s = (lab[0] - 0.0894841775 * lab[1] - 1.291485548 * lab[2]) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
