/** The lanes as shapes instead of pixels, for reports. */
import { type LanePicture, listRuns } from '../../../core/timeline/pixel-columns';
import { INK, layoutStrip, STRIP_STRIDE } from './lane-strip';
import { laneCover, laneTop, listLanesInView, type TimelineLayout } from './timeline-layout';

/** A rectangle for each run of pixels in the image of a lane. Device pixels. */
interface LaneShape {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** See INK. */
  readonly ink: number;
}

/** Bars with their caps and feet, without hairlines; what pinned lanes cover is cut off. */
export function listLaneShapes(
  layout: TimelineLayout,
  pictures: readonly LanePicture[],
  columnMs: number,
): readonly LaneShape[] {
  const inks = layoutStrip({ ...layout, columnMs });
  const segments = new Map<number, readonly Segment[]>();
  const lanes = listLanesInView(layout);
  return pictures.flatMap(({ codes }, i) => {
    const [top, cover] = [laneTop(layout, lanes[i]!), laneCover(layout, lanes[i]!)];
    return listRuns(codes).flatMap(({ from, end, code }) => {
      const known = segments.get(code) ?? listSegments(inks, layout.laneHeight, code);
      segments.set(code, known);
      return known.flatMap(({ y, height, ink }) => {
        const cut = Math.max(0, cover - y);
        const place = { x: layout.plotLeft + from, y: top + y + cut, width: end - from };
        return height > cut ? [{ ...place, height: height - cut, ink }] : [];
      });
    });
  });
}

interface Segment {
  readonly y: number;
  readonly height: number;
  readonly ink: number;
}

/** A column of a strip from top to bottom; neighbours of one ink are joined. */
function listSegments(inks: Uint8Array, laneHeight: number, code: number): readonly Segment[] {
  const inkAt = (y: number): number => inks[y * STRIP_STRIDE + code]!;
  const found: Segment[] = [];
  for (let y = 0; y < laneHeight;) {
    const ink = inkAt(y);
    let end = y + 1;
    while (end < laneHeight && inkAt(end) === ink) end++;
    if (ink !== INK.ground && ink !== INK.hairline) found.push({ y, height: end - y, ink });
    y = end;
  }
  return found;
}
