/** Where the hover card goes: beside the pointer, turned to the side where it is whole in view. CSS pixels. */
const AWAY_PX = 14;

export interface Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Left and top of a card for a pointer inside a frame; a card larger than the frame keeps its left and top edges in view. */
export function placeCard(xPx: number, yPx: number, card: Box, frame: Box): { readonly leftPx: number; readonly topPx: number } {
  return { leftPx: placeAlong(xPx, card.widthPx, frame.widthPx), topPx: placeAlong(yPx, card.heightPx, frame.heightPx) };
}

function placeAlong(at: number, size: number, room: number): number {
  const after = at + AWAY_PX;
  const before = at - AWAY_PX - size;
  const wanted = after + size <= room ? after : before >= 0 ? before : room - size;
  return Math.max(0, Math.round(wanted));
}
