/** What makes text and addresses safe to print and to compare. There are two of it: plain.ts and tuned.ts. */
export interface Rules {
  /** One line of at most `limit` characters as a reader counts them; what is blank then is nothing. */
  clean(text: string | undefined, limit: number): string | undefined
  /** The address a browser would open, or none. */
  link(raw: string): string | undefined
  /** Whether this starts like a web address, once it is clean. */
  isHttp(raw: string): boolean
  /** The same for every address of a page. */
  pageKey(url: string): string
  /** Whether a title contains a host name, and the link goes elsewhere. */
  isMisleading(title: string, url: string): boolean
}
