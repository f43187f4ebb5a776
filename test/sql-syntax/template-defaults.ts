/** Fills SSMS template parameters `<name, type, default>` with their defaults, as Ctrl+Shift+M does when nothing is typed (docs/facts.md, Hosts 6). */
export function fillWithDefaults(template: string): string {
  return template.replace(/<[^<>,]+,[^<>,]*,([^<>,]*)>/g, (_, value: string) => value.trim());
}
