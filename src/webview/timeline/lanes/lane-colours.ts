/** The theme's colours as an image holds them: any CSS colour, also a translucent one, as it looks on the ground behind it. */
import { INK, INKS } from './lane-strip';
import type { Theme } from '../../kit/theme';
import type { InkColours, LaneColours } from './lane-image';

const known = new WeakMap<Theme, LaneColours>();

/** The colours of lanes in a theme; read once for each. */
export function readLaneColours(theme: Theme): LaneColours {
  const read = known.get(theme);
  if (read) return read;
  const mixer = createMixer();
  const colours = {
    plain: mixInks(mixer, theme, []),
    hovered: mixInks(mixer, theme, [theme.hover]),
    selected: mixInks(mixer, theme, [theme.selection]),
  };
  known.set(theme, colours);
  return colours;
}

/** Lays colours over each other, the first at the bottom, the last with some opacity. */
type Mixer = (layers: readonly string[], opacity?: number) => number;

function createMixer(): Mixer {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  return (layers, opacity = 1) => {
    for (const [i, colour] of layers.entries()) {
      context.globalAlpha = i === layers.length - 1 ? opacity : 1;
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0]!;
  };
}

function mixInks(mix: Mixer, theme: Theme, over: readonly string[]): InkColours {
  const ground = [theme.background, ...over];
  const colours = new Uint32Array(INKS);
  colours[INK.ground] = mix(ground);
  // The lines of high contrast are as strong as text; between bars they would compete with what is measured.
  colours[INK.hairline] = mix([...ground, theme.line], theme.kind.startsWith('high') ? 0.3 : 1);
  colours[INK.cap] = mix([...ground, theme.foreground]);
  colours[INK.foot] = mix([...ground, theme.foreground], 0.6);
  theme.ramp.forEach((colour, level) => (colours[INK.level + level] = mix([...ground, colour])));
  return colours;
}
