/** A terminal hyperlink ended by BEL, the only spelling that Ink reads. */
export function createOsc8Link(label: string, url: string): string {
  return `\u001b]8;;${url}\u0007${label}\u001b]8;;\u0007`
}
