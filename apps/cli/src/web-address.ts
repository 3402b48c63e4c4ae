/**
 * The address of a page of the web, written as URLs are; null for everything else, such as a file, a share or an option. What a platform
 * says is handed to the desktop only by this: a desktop opens, and runs, whatever it is given.
 */
export function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isOfTheWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isOfTheWeb && !url.username && !url.password ? url : null;
}
