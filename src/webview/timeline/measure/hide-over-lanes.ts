/** Hides something that lies over the lanes. Where it has the focus the lanes get it: it would go to nothing, and the keys with it. */
export function hideOverLanes(element: HTMLElement): void {
  if (element.contains(element.ownerDocument.activeElement)) element.closest<HTMLElement>('.lanes')?.focus();
  element.hidden = true;
}
